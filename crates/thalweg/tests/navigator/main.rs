//! The navigator: fields that live while the map changes under their readers.

mod advice;
mod cache;
mod cases;
mod jobs;
mod kit;
mod random;
mod requests;
mod updates;
