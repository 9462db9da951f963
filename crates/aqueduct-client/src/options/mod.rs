//! What a session is started with.

mod argument;
mod table;
mod value;

pub(crate) use table::Options;
pub use table::{OPTIONS, OptionRow};
pub use value::{Effort, SettingSource, Thinking};
