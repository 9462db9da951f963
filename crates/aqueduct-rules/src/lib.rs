//! Permission rules for coding agents.
//!
//! This crate owns the question whether a tool call may run: rules and their syntax ([`Rule`]), where they
//! come from ([`Source`]), the modes ([`Mode`]), the permission context with the changes people make to it
//! ([`Context`], [`Operation`]), the decision with its trace and suggestions ([`decide()`]), and the settings
//! files that keep it all ([`settings`]).
//!
//! It does not own the answer to a question, the running of tools, or anything outside its arguments: it
//! reads no files, no environment and no clock, and resolves no symlinks. Texts and values go in, values
//! come out. The model is described in `docs/permissions.md`.
//!
//! ```
//! use aqueduct_rules::{Behavior, Call, Context, Source, decide};
//!
//! let mut context = Context::new("/proj").with_home("/home/me");
//! context.add_rules(Source::UserSettings, Behavior::Allow, ["Bash(npm run test:*)"]);
//! let input = serde_json::json!({ "command": "npm run test && rm -rf node_modules" });
//! let decision = decide(&context, &Call::new("Bash", &input));
//! assert_eq!(decision.behavior, Behavior::Ask);
//! ```

mod bash;
mod behavior;
mod call;
mod context;
mod credentials;
mod decide;
mod decision;
mod domain;
mod error;
mod file;
pub mod git_config;
mod glob;
mod layer;
mod matcher;
mod mode;
mod operation;
mod outcome;
mod path;
mod pattern;
mod place;
mod repository;
mod rule;
mod rule_set;
pub mod settings;
mod shell;
mod snapshot;
mod source;
mod suggest;
pub mod tool;

pub use behavior::Behavior;
pub use call::Call;
pub use context::{Context, Directory};
pub use credentials::{CredentialFilter, places as credential_places};
pub use decide::{decide, git_directories, paths};
pub use decision::{Decision, Part, ReasonType, Stage, Step};
pub use error::Error;
pub use mode::Mode;
pub use operation::Operation;
pub use repository::{Own, Program, Repository, When};
pub use rule::Rule;
pub use rule_set::Entry;
pub use snapshot::Snapshot;
pub use source::{Editability, Source};
