//! The sandbox of commands, on Linux: off unless `sandbox.enabled` in settings says otherwise.
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
//!   a [`Placeholders`] holds the place while commands run. Links, and folders that could be moved away with what
//!   they protect, are pinned, or the sandbox does not count as tight ([`Layout`]).
//! - **The way out.** Inside, the last thing before the shell is a listener on the loopback of the command's own
//!   network, which is sent to the agent. The agent accepts what comes there ([`Proxy`]): nothing inside can
//!   be bent to reach further, because there is nothing inside.
//! - **Landlock** can't take a file out of a folder that may be changed, and says nothing about modes and
//!   times. Root's capabilities, which it says nothing about either, are given up. So with it alone no command is allowed for being in the sandbox.

mod bubblewrap;
mod domain;
mod excluded;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod landlock;
mod layout;
mod loosening;
mod method;
mod placeholder;
mod policy;
mod proxy;
mod refusal;
#[cfg(target_os = "linux")]
mod seccomp;
mod session;
mod settings;
mod words;
mod wrapped;

#[cfg(target_os = "linux")]
pub(crate) use inside::{NOT_CONFINED, main};
pub(crate) use policy::Policy;
pub(crate) use session::{Course, Sandbox};
pub(crate) use settings::{Said, read as read_settings};
pub(crate) use wrapped::Stay;
