//! The configuration of `aqueduct serve`: flags, then variables, then a file, then defaults.
//!
//! [`SETTINGS`] is the one table: flags, variables, keys of the file, the help and the page of operations come from it.
//!
//! | file | contents |
//! |---|---|
//! | `setting.rs` | the table |
//! | `layer.rs`, `flags.rs`, `environment.rs`, `file.rs` | the sources |
//! | `credential.rs` | secrets from the service manager, in place of variables |
//! | `load.rs`, `origin.rs` | merges them, and remembers where each value comes from |
//! | `value.rs`, `address.rs`, `agent.rs` | types of values |
//! | `print.rs` | shows the result |

mod address;
mod agent;
mod credential;
mod environment;
mod file;
mod flags;
mod layer;
mod load;
mod origin;
mod otlp;
mod print;
mod setting;
mod value;

pub(crate) use agent::NamedAgent;
pub(crate) use environment::UserEnvironment;
pub(crate) use flags::{BridgeLocation, Flags};
pub(crate) use layer::ConfigLayer;
pub(crate) use load::{Config, LogConfig};
pub(crate) use origin::SettingOrigin;
pub(crate) use otlp::{CollectorHeaders, OtlpConfig};
pub(crate) use setting::{ConfigSetting, SETTINGS, SettingKind};
pub(crate) use value::time;
