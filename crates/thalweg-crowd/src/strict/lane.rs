//! The lane rule.
