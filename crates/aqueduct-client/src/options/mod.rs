//! Options of a session. `table.rs` has every option that is a flag of the agent: its method, its flag and its row in the
//! documentation come from there.

mod argument;
mod table;
mod value;

pub(crate) use table::SessionOptions;
pub use table::{OPTIONS, OptionRow};
pub use value::{Effort, SettingSource, Thinking};
