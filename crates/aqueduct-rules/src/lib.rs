//! Permission rules for coding agents.
//!
//! This crate owns the question whether a tool call may run: rules and their syntax ([`Rule`]), where they
//! come from ([`Source`]), the modes ([`Mode`]), the permission context with the changes people make to it
//! ([`Context::apply`]), the decision with its trace and suggestions ([`decide()`]), and the settings
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
//! context.add_rules(Source::UserSettings, Behavior::Allow, ["Bash(npm run test:*)"])?;
//! let input = serde_json::json!({ "command": "npm run test && rm -rf node_modules" });
//! let decision = decide(&context, &Call::new("Bash", &input));
//! assert_eq!(decision.behavior, Behavior::Ask);
//! # Ok::<(), aqueduct_rules::InvalidRules>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `call`, `context`, `decide` | [`Call`], [`Context`], [`decide()`]: deny, ask, the tool's own check, mode, allow, ask |
//! | `decision`, `outcome`, `explanation`, `serialize` | the result: behavior, reason, trace, parts, suggestions; its JSON |
//! | `rule`, `source`, `mode`, `behavior`, `update`, `entry`, `snapshot` | what decisions are made from, and how a person's answer changes it |
//! | `rule_set`, `layer`, `matcher`, `bash_rule` | rules, compiled and indexed; clones of a context share them, and an added rule is in a layer of its own |
//! | `meaning` | which calls a rule means, for programs that show it |
//! | [`tool`] | the table of tools: what each touches, and how its rules match |
//! | `shell` | the shell grammar: text to simple commands, redirections and uncertainties |
//! | `bash`, `program_name` | what commands do: nested commands, wrappers, reading commands, written files, git, options by kind of program |
//! | `file`, `path`, `pattern`, `glob`, `folding`, `place` | files: paths, gitignore-like patterns, names as file systems compare them, protected places |
//! | `credentials` | files that hold credentials |
//! | `domain` | hosts of web addresses |
//! | `repository`, [`git_config`] | what a host reports about a git repository; which of its settings run programs |
//! | `suggest` | the narrowest rule that covers a call and similar ones, and when no rule is offered |
//! | [`settings`] | settings files: read with errors named, edited byte for byte |
//! | `error`, `invalid_rules`, `unknown_name` | errors at the edge of the crate |
//!
//! # Invariants
//!
//! - **A deny or ask rule never allows more**, and the order of rules does not matter. Property tests check both.
//! - **What is not understood is asked.** The shell parser never fails: it reports uncertainties, and with an uncertainty
//!   no allow rule with content applies.
//! - **Deny rules apply to every nested command; allow rules only through harmless wrappers.**
//! - Deliberately absent: the file system. The caller passes where symlinks lead ([`paths`] lists the paths that it must
//!   resolve) and which repository git would use ([`git_directories`]); without the latter, git commands are asked.

mod bash;
mod bash_rule;
mod behavior;
mod call;
mod context;
mod credentials;
mod decide;
mod decision;
mod domain;
mod entry;
mod error;
mod explanation;
mod file;
mod folding;
pub mod git_config;
mod glob;
mod invalid_rules;
mod layer;
mod matcher;
mod meaning;
mod mode;
mod outcome;
mod path;
mod pattern;
mod place;
mod program_name;
mod repository;
mod rule;
mod rule_set;
mod serialize;
pub mod settings;
mod shell;
mod snapshot;
mod source;
mod suggest;
pub mod tool;
mod unknown_name;
mod update;

/// The programs on the page about permissions.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/permissions.md")]
struct PermissionsPage;

pub use behavior::Behavior;
pub use call::Call;
pub use context::{Context, Directory};
pub use credentials::{CredentialFilter, places as credential_places};
pub use decide::{decide, git_directories, paths};
pub use decision::{Decision, Part, Stage, Step};
pub use entry::Entry;
pub use error::Error;
pub use invalid_rules::{InvalidRule, InvalidRules};
pub use meaning::{CommandMeaning, PathMeaning, RuleMeaning};
pub use mode::{Mode, ModeError};
pub use pattern::PathRoot;
pub use repository::{Own, Program, Repository, When};
pub use rule::Rule;
pub use snapshot::Snapshot;
pub use source::{Editability, Source};
pub use unknown_name::UnknownName;
pub use update::RuleChange;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
