//! What `aqueduct serve` is told, and by whom: flags, then variables, then a file, then what goes without saying.
//!
//! [`SETTINGS`] is the one table: flags, variables, keys of the file, the help and the page of operations come from it.

mod address;
mod agent;
mod file;
mod flags;
mod layer;
mod load;
mod origin;
mod print;
mod setting;
mod surroundings;
mod value;

pub(crate) use agent::NamedAgent;
pub(crate) use flags::{Flags, Where};
pub(crate) use layer::Layer;
pub(crate) use load::Config;
pub(crate) use origin::Origin;
pub(crate) use setting::{Kind, SETTINGS, Setting};
pub(crate) use surroundings::Surroundings;
pub(crate) use value::time;
