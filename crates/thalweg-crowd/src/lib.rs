//! thalweg-crowd
