//! thalweg-io
