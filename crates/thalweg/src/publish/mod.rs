//! Publication: a writer replaces a value while any number of readers go on reading.
//!
//! Owns who may see what, and when a replaced value is freed. Knows nothing of fields: what is published is any `T`, as a
//! rule one immutable [`FieldBundle`](crate::bundle::FieldBundle), so that everything in it is of one generation.
//!
//! - **One swap.** [`Published::publish`] replaces one pointer. A reader has the value before or the one after it.
//! - **Never back.** Each [`Reader`] remembers the generation it has, and takes only later ones.
//! - **Kept while held.** A [`Snapshot`] is an [`Arc`](std::sync::Arc): its value lives as long as somebody holds it.
//! - **Freed by the writer.** A replaced value goes to a list that the writer owns, with one handle of its own. So a reader's
//!   handle is never the last, and no reader pays for freeing the arrays of a large map in the middle of its tick.
//!   [`Published::collect`] frees what no reader holds any more, at a moment that the writer picks;
//!   [`Published::collect_into`] hands it on, to a pool or to be filled again.
//!
//! The usual pattern: each worker has a [`Reader`], takes one snapshot at the start of a tick, and reads all of its
//! agents' cells from that.
//!
//! ```
//! use thalweg::publish::Published;
//!
//! let mut slot = Published::<Vec<i32>>::new(vec![1, 1, 1]);
//! let mut reader = slot.reader();
//! let before = reader.snapshot();
//! slot.publish(vec![2, 2, 2]);
//! assert_eq!(*before, [1, 1, 1], "what is held stays as it is");
//! assert_eq!(*reader.snapshot(), [2, 2, 2]);
//! assert_eq!(slot.collect(), 0, "the old value is still held");
//! drop(before);
//! assert_eq!(slot.collect(), 1);
//! ```
//!
//! # If one side goes first
//!
//! If the **writer** is dropped first, readers keep the last value it published and go on taking snapshots of it; no new one
//! will come. Replaced values that are still held are then freed by whoever lets go of them last, which may be a reader; and
//! the last published value is freed with the last reader or snapshot. Nothing leaks. Who wants to avoid even that drops the
//! readers first, or calls [`Published::collect`] until [`Published::waiting`] is 0.
//!
//! If a **reader** stops asking, it still holds the value it saw last, and that value stays in the list. One that rests for
//! long calls [`Reader::release`].
//!
//! # Why it works, and what was not taken
//!
//! The pointer stands under a mutex, beside the number of its generation. That number is also in an atomic, which a reader
//! compares with the one it has: nothing new, and it needs neither the mutex nor anything else that others write. It takes
//! the mutex once per generation, for as long as it takes to clone a handle. The writer holds it for as long as it takes to
//! swap one. The atomic is a hint alone, the pair under the mutex is the truth: a number that is seen late makes a reader
//! late, never wrong.
//!
//! - *`RwLock<Arc<T>>` read every time*: right too, but all readers then write to one line of the cache at every snapshot.
//! - *arc-swap*: reads without a lock, for a dependency that owns `unsafe` and whose proofs had to be mended more than once
//!   (orderings in 1.9.1, a precondition in 1.9.2). Publishing a few times a second, and reading once a tick and worker, gives
//!   it nothing to win.
//! - *epochs (crossbeam)*: one reader that stalls in a pinned section keeps everything from being freed. Here it keeps what it
//!   holds.
//! - *hazard pointers (seize, haphazard)*: stand a stalled reader, but reads cost more and need `unsafe` to say what is
//!   protected.
//! - *left-right, double buffers*: two copies of everything, and the writer waits for readers.
//! - *The last handle frees*: a plain `Arc` without the list. The reader that happens to be last frees tens of megabytes in its
//!   tick.

mod held;
mod published;
mod reader;
mod retired;
mod slot;

pub use held::{HeldBytes, PublishCounters};
pub use published::Published;
pub use reader::Reader;
pub use slot::{Generation, Snapshot};
