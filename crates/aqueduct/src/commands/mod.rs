//! One module a subcommand. Each has an `Args` struct for clap and a `run` that gives the exit code; only
//! the agent and the keeper come before clap.
//!
//! | module | contents |
//! |---|---|
//! | `serve` | `plan.rs` is what the configuration means, `agents.rs` the agents to choose from, `banner.rs` the first output, `signals.rs` the end; `explain/` describes what a call would do |
//! | `stop` | `processes.rs` lists processes of this user, `target.rs` identifies bridges and keepers, `search.rs` selects, `ending.rs` ends them through pidfds, `report.rs` shows it |
//! | `status`, `logs` | the running bridge; what happened in a session, and what its agent writes to stderr |
//! | `pair`, `devices`, `token` | devices and tokens that have access |
//! | `backup`, `restore`, `transfer` | backups of a data folder; what both print |
//! | `prune` | sessions that are too old, or too many |
//! | `agent`, `keeper` | the agent and the keeper, before clap: the agent parses its own command line, the keeper must be small |
//! | `run` | `drive.rs` is the loop, `show/` the output, `ask/` questions on the terminal, `trust.rs` the question about the folder, `signals.rs` Ctrl-C |
//! | `trust` | `page.rs` shows what a folder provides, `json.rs` the same for programs |
//! | `doctor` | one file for each check |
//! | `wire` | `wire check` finds what the tables do not know, `wire view` shows a stream |
//! | `record`, `replay` | records between a host and its agent; plays the agent's side |
//! | `scripted_api` | the scripted model on a socket |
//! | `sessions` | `list`, `show`, `search`, `export`, `rename`, `tag`, `fork`, `rm`; `row.rs` is the table, `place.rs` finds the store |
//! | `confirm` | the question before something is deleted |
//! | `completions`, `man_pages` | made from the command line, and from the tables of the agent |
//! | `systemd_unit` | the units of systemd, for this program |
//! | `rules` | `explain` and `list`; `sources.rs` reads the settings files |

pub(crate) mod agent;
pub(crate) mod backup;
pub(crate) mod completions;
mod confirm;
pub(crate) mod devices;
pub(crate) mod doctor;
pub(crate) mod keeper;
pub(crate) mod logs;
#[cfg(feature = "man-pages")]
pub(crate) mod man_pages;
pub(crate) mod pair;
pub(crate) mod prune;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod restore;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod scripted_api;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod systemd_unit;
pub(crate) mod token;
mod transfer;
pub(crate) mod trust;
pub(crate) mod wire;
