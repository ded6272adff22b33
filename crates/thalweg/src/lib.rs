//! thalweg
