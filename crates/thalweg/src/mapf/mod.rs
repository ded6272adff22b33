//! Instances of multi-agent path finding: a map, agents with starts and goals, and the run of strict mode over them.
//!
//! [`MapfWorld`] is the instance, ready to be stepped: a movement for each size of body, a field for each distinct goal.
//! [`MapfRun`] steps it, hands out tasks in lifelong runs, and tells tick by tick where everybody is, in the terms of plans.
//! Whether that is right is for [`plan_check`](crate::plan_check) to say, which knows neither.
//!
//! Everything follows from the inputs, the order of agents included, whatever the number of threads.

mod error;
mod fit;
mod run;
mod tasks;
mod world;

pub use error::MapfError;
pub use fit::first_that_fit;
pub use run::{MapfRun, MapfTick};
pub use tasks::MapfTasks;
pub use world::{MapfAgent, MapfOptions, MapfWorld, body_of};
