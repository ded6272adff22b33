//! What the fuzz targets do and hold, as plain functions of bytes.
//!
//! Every `run` takes any bytes, builds an input from them and panics on a broken promise. Bytes are read with
//! [`arbitrary::Unstructured`], which answers zeros when they run out, so every prefix of an input is an input. The
//! readings are written by hand instead of derived: derived ones spend most bytes on numbers that the library refuses at
//! once.
#![forbid(unsafe_code)]

pub mod crowd;
pub mod field;
mod make;
pub mod readers;
pub mod recording;
pub mod repair;
pub mod saved;
pub mod scene;
pub mod strict;
pub mod sweep;
pub mod world;
