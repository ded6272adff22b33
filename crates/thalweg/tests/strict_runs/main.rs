//! Strict mode over whole instances, judged by the independent check of plans.

mod instances;
mod many_worlds;
mod one_shot;
