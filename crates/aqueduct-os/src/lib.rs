//! What Aqueduct needs of the operating system.
//!
//! This crate and `aqueduct-sandbox` are the only ones that call the system below `std`. It has two implementations of
//! the same interface: `linux`, and `portable`, which uses POSIX alone and is what macOS gets. The flag
//! `--cfg aqueduct_portable` selects `portable` on Linux too, so that its callers are tested with it.
//!
//! | module | contents |
//! |---|---|
//! | [`process`] | this process and its children: sessions, adoption of orphans, reaping, signals |
//! | [`process_handle`] | a process that signals reach even if its number is used again |
//! | [`process_group`] | a child that leads a process group, which ends with it |
//! | [`process_table`] | the system's table of processes |
//! | [`descendants`] | all processes below this one, and their end |
//! | [`marked`] | processes that have a variable in their environment, and their end |
//! | [`guard`] | the process between a command and its agent, so that nothing outlives the agent |
//! | [`environment`] | what a program knows of the machine: folders, variables, its guard |
//! | [`regular_file`] | regular files, opened without waiting and without following links |
//! | [`atomic_file`], [`atomic_folder`] | files and folders that are replaced as a whole |
//! | [`folder`] | a folder that is held open, and what is reached from it without following links |
//! | [`spool`] | files for output that is not shown to the model |
//! | [`file_watch`] | a notice that a file was deleted |
//! | [`real_path`] | where a path leads |
//! | [`private_dir`], [`privacy`] | folders of this user alone; checks that other users have no access |
//! | [`lock`] | locks of files, and which process holds one |
//! | [`mutex`] | mutexes whose holders can't leave half an update behind |
//! | [`user`] | the user of this process |
//! | [`poll`] | waiting for several files at once |
//! | [`socket`] | sockets: files that are sent over them, listeners for one user, long paths, inherited listeners |
//! | [`stdio`], [`terminal`] | standard streams; the terminal |
//! | [`address`] | which addresses are on the public internet |
//! | [`resources`], [`program`] | memory, system and machine; the program of this process |
//! | `linux`, `portable` | what differs between systems |
//!
//! # What `portable` can't do
//!
//! Tests of these have the attribute `#[cfg_attr(aqueduct_portable, ignore = "…")]`.
//!
//! - Find processes that left their process group: there is no table of processes. [`descendants`] are the group,
//!   [`marked`] finds no process, and [`marked::SWEEP_SCRIPT`] is empty.
//! - Adopt orphans, or end a process with its parent. [`process::ADOPTS_ORPHANS`] reports it.
//! - Signal a process without a race: a [`process_handle`] is its number. A process that ended and was not reaped, a
//!   zombie, counts as running, and waiting for an end checks every 10 milliseconds.
//! - Observe the end of a child before it is reaped: a [`process_group`] is signalled until then.
//! - Resolve a path in one call: [`folder`] goes step by step, and [`regular_file`] checks before and after.
//! - Find the path of an open file: [`atomic_file`] uses the path that it was given, and [`socket`] has no short path for
//!   a long one.
//! - Exchange two folders in one step: [`atomic_folder::exchange`] fails.
//! - Recognize file systems of the kernel: [`folder::Folder::is_of_kernel`] is always false.
//! - Report that a file was deleted: a [`file_watch`] has no events, and its owner checks at intervals.
//! - Identify the user of a connection: [`socket::peer_user`] has no answer. Others can connect to a listener between its
//!   creation and the change of its mode, unless its folder is private.
//! - Take over listening sockets that this process inherited: [`socket::inherited_listener`] fails.
//! - Measure the memory of this process, or name it: [`resources::resident_memory`] has no answer.
//! - Start this program again after its file was replaced: [`program::own`] is its path.
//! - Hold commands in a sandbox: `aqueduct-sandbox` has none, and settings that require one keep the agent from starting.
//!
//! # Invariants
//!
//! - **Nothing else calls the system.** Only this crate and `aqueduct-sandbox` depend on rustix, libc, landlock and
//!   seccompiler, and use `/proc`. `cargo xtask tidy` checks it.
//! - **No signal reaches another process.** A process that may have been reaped is opened as a pidfd, checked to be the
//!   intended one, and signalled through it. A process group is signalled by its number only while its leader is not reaped.
//! - **No link is followed** below a folder that is held open.

pub mod address;
pub mod atomic_file;
pub mod atomic_folder;
pub mod descendants;
pub mod environment;
pub mod file_watch;
pub mod folder;
pub mod guard;
pub mod lock;
pub mod marked;
pub mod mutex;
pub mod poll;
pub mod privacy;
pub mod private_dir;
pub mod process;
pub mod process_group;
pub mod process_handle;
pub mod process_table;
pub mod program;
pub mod real_path;
pub mod regular_file;
pub mod resources;
pub mod socket;
pub mod spool;
pub mod stdio;
pub mod terminal;
pub mod user;

#[cfg(all(target_os = "linux", not(aqueduct_portable)))]
mod linux;
#[cfg(all(target_os = "linux", not(aqueduct_portable)))]
use linux as platform;

#[cfg(not(all(target_os = "linux", not(aqueduct_portable))))]
mod portable;
#[cfg(not(all(target_os = "linux", not(aqueduct_portable))))]
use portable as platform;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
