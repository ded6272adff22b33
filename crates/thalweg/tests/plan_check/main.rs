//! The judge of plans, fed wrong plans of every kind and right ones that look wrong.

mod claims;
mod figures;
mod kit;
mod large;
mod oracle;
mod paces;
mod pairs;
