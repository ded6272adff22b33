//! Repair: a field after an edit, from the field before it.
