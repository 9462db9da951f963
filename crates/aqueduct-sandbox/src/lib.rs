//! The sandbox of commands, on Linux: off unless `sandbox.enabled` in settings turns it on.
//!
//! A command in it reads what the user reads, changes files in the working directories and a temporary folder
//! only, and has no network but through a proxy that lets named hosts pass. There are two ways to hold it:
//!
//! ```text
//! guard ── bwrap ── bash -c …     bubblewrap: a view of the files and a network of its own, then seccomp
//! guard ── bash -c …              without it: Landlock and seccomp
//! ```
//!
//! - **The same program.** Between guard and shell this very program runs twice ([`main`]): once to start
//!   bubblewrap, and once inside of it to take the last rights away before it becomes the shell.
//! - **What a command could use later.** In the working directories the agent's settings, `.mcp.json`, editors' tasks and
//!   git's hooks and configuration stay as they are: they would run outside. What is not there can't be made, either:
//!   `placeholder` holds the place while commands run. Links, and folders that could be moved away with what
//!   they protect, are pinned, or the sandbox does not count as tight (`layout`).
//! - **What a command leaves.** A repository that it makes or changes elsewhere in what it may write is looked at when
//!   it has ended: what git would run is moved away, and reported (`repository`).
//! - **The way out.** Inside, the last thing before the shell is a listener on the loopback of the command's own
//!   network, which is sent to the agent. The agent accepts what comes there (`proxy`): nothing inside can
//!   be bent to reach further, because there is nothing inside.
//! - **Landlock** can't take a file out of a folder that may be changed, and does not cover modes and
//!   times. Root's capabilities, which it does not cover either, are dropped. So with it alone no command is allowed for being in the sandbox.
//!
//! | module | contents |
//! |---|---|
//! | `session` | [`Sandbox`]: the sandbox of a session, and how a command is put into it |
//! | `settings`, `policy`, `loosening`, `domain`, `excluded` | the settings, and what follows from all of
//! them |
//! | `machine`, `method` | what the program passes in; how commands are held on this machine |
//! | `layout`, `placeholder` | what a command may read and change; names that it must not make |
//! | `bubblewrap`, `words`, `wrapped` | the arguments of the processes between guard and shell |
//! | `linux`, `portable` | [`main`] with Landlock and seccomp; systems without a sandbox, where settings that require one keep the agent from starting |
//! | `error` | [`EnterError`]: why a command does not run |
//! | `proxy`, `refusal` | the way to named hosts; what the model is shown when something was refused |
//! | `repository`, [`git_index`] | the check of git repositories that commands leave; gitlinks in an index |

mod bubblewrap;
mod domain;
mod error;
mod excluded;
pub mod git_index;
mod layout;
mod loosening;
mod machine;
mod method;
mod placeholder;
mod policy;
mod proxy;
mod refusal;
mod repository;
mod session;
mod settings;
mod words;
mod wrapped;

#[cfg(all(target_os = "linux", not(aqueduct_portable)))]
mod linux;
#[cfg(all(target_os = "linux", not(aqueduct_portable)))]
use linux as platform;

#[cfg(not(all(target_os = "linux", not(aqueduct_portable))))]
mod portable;
#[cfg(not(all(target_os = "linux", not(aqueduct_portable))))]
use portable as platform;

pub use error::EnterError;
pub use machine::{ENTRY_FLAG, SandboxEnvironment};
pub use platform::main;
pub use policy::SandboxPolicy;
pub use repository::{CommandWindow, RepositoryWatch};
pub use session::{Course, Sandbox};
pub use settings::{SandboxSettings, SettingsProblem, read as read_settings};
pub use wrapped::{Stay, WrappedCommand};

use platform::has_landlock;

/// Whether this system can hold commands at all. Where it can't, settings that require a sandbox keep the agent from
/// starting.
pub const HAS_SANDBOX: bool = cfg!(all(target_os = "linux", not(aqueduct_portable)));

/// The exit code of a command that could not be put into the sandbox. It did not run.
pub const NOT_CONFINED: u8 = 125;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
