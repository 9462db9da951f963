//! The command line: one table of flags feeds the parser, the help, completions and man pages.

mod error;
mod flag;
mod help;
mod pairing;
mod parse;
mod reference;

pub use error::{AgentsFlagError, CommandLineError, FlagError};
pub use help::help;
pub use parse::{ParsedOptions, parse};
pub use reference::reference;

pub use crate::subcommand::{CommandReference, OperandReference, OptionReference};
