//! Writing results: whole files in place or none, and the tables and arrays that other tools read.

mod atomic;
mod channel;
mod costs;
mod field;
mod layout;

pub use atomic::{AtomicFile, WriteError, write_atomic};
pub use channel::{ChannelCell, NPY_GOAL, NPY_PORTAL, NPY_WAIT, write_channel_csv, write_channel_npy};
pub use costs::{write_cost_csv, write_cost_npy, write_cost_png};
pub use field::{NPY_IMPASSABLE, NPY_UNKNOWN, NPY_UNREACHABLE, write_field_csv, write_field_npy};
