//! What a test can require.

use std::ffi::OsStr;
use std::fmt;
use std::process::{Command, Stdio};

/// Something that a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// The program `git`.
    Git,
    /// The program `bwrap`, and a kernel that lets it create namespaces.
    Bubblewrap,
    /// A kernel with Landlock.
    Landlock,
    /// The program `perl`, on a processor for which tests have system calls by number.
    Perl,
    /// The superuser: other users can't change the owner of a file.
    Root,
    /// A user who is not the superuser: the mode of a file does not restrict that one.
    OrdinaryUser,
    /// The program `unshare`, and a kernel that lets it create a PID namespace.
    PidNamespace,
    /// The program `zsh`.
    Zsh,
    /// The program `fish`.
    Fish,
    /// The program `systemd-analyze`.
    SystemdAnalyze,
}

impl Requirement {
    /// All of them.
    pub const ALL: &[Requirement] = &[
        Requirement::Git,
        Requirement::Bubblewrap,
        Requirement::Landlock,
        Requirement::Perl,
        Requirement::Root,
        Requirement::OrdinaryUser,
        Requirement::PidNamespace,
        Requirement::Zsh,
        Requirement::Fish,
        Requirement::SystemdAnalyze,
    ];

    /// The name in `AQUEDUCT_TEST_REQUIRE`.
    pub fn name(self) -> &'static str {
        match self {
            Requirement::Git => "git",
            Requirement::Bubblewrap => "bubblewrap",
            Requirement::Landlock => "landlock",
            Requirement::Perl => "perl",
            Requirement::Root => "root",
            Requirement::OrdinaryUser => "ordinary-user",
            Requirement::PidNamespace => "pid-namespace",
            Requirement::Zsh => "zsh",
            Requirement::Fish => "fish",
            Requirement::SystemdAnalyze => "systemd-analyze",
        }
    }
}

/// Whether this machine has git.
///
/// # Errors
///
/// If it is missing.
pub fn has_git() -> Result<(), Missing> {
    let is_present = output("git", &["--version"]).is_some();
    present_or(is_present, Requirement::Git, "git is not installed")
}

/// Whether this machine has perl, and a processor for which tests have system calls by number.
///
/// # Errors
///
/// If one of them is missing.
pub fn has_perl() -> Result<(), Missing> {
    let is_present = cfg!(target_arch = "x86_64") && output("perl", &["-e", "1"]).is_some();
    present_or(is_present, Requirement::Perl, "perl on x86-64 is missing")
}

/// Whether this machine has zsh.
///
/// # Errors
///
/// If it is missing.
pub fn has_zsh() -> Result<(), Missing> {
    let is_present = output("zsh", &["--version"]).is_some();
    present_or(is_present, Requirement::Zsh, "zsh is not installed")
}

/// Whether this machine has fish.
///
/// # Errors
///
/// If it is missing.
pub fn has_fish() -> Result<(), Missing> {
    let is_present = output("fish", &["--version"]).is_some();
    present_or(is_present, Requirement::Fish, "fish is not installed")
}

/// Whether this machine has the program that checks units of systemd.
///
/// # Errors
///
/// If it is missing.
pub fn has_systemd_analyze() -> Result<(), Missing> {
    let is_present = output("systemd-analyze", &["--version"]).is_some();
    present_or(is_present, Requirement::SystemdAnalyze, "systemd-analyze is not installed")
}

/// Whether the user is the superuser.
///
/// # Errors
///
/// If it is another.
pub fn is_superuser() -> Result<(), Missing> {
    present_or(is_root(), Requirement::Root, "only the superuser can change the owner of a file")
}

/// Whether the user is not the superuser.
///
/// # Errors
///
/// If it is the superuser.
pub fn is_ordinary_user() -> Result<(), Missing> {
    present_or(!is_root(), Requirement::OrdinaryUser, "the mode of a file does not restrict the superuser")
}

/// Whether a PID namespace can be created by [`in_pid_namespace`].
///
/// # Errors
///
/// If the system or the user's rights don't allow it.
pub fn has_pid_namespace() -> Result<(), Missing> {
    let is_created = in_pid_namespace("true").output().is_ok_and(|output| output.status.success());
    present_or(is_created, Requirement::PidNamespace, "no PID namespace can be created")
}

/// A command whose program is the first process of a PID namespace, with a `/proc` of its own.
pub fn in_pid_namespace(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]);
    command.arg(program).stdin(Stdio::null());
    command
}

fn present_or(is_present: bool, requirement: Requirement, reason: &str) -> Result<(), Missing> {
    if is_present { Ok(()) } else { Err(Missing::new(requirement, reason)) }
}

fn is_root() -> bool {
    output("id", &["-u"]).is_some_and(|id| id.trim() == "0")
}

/// The output of a program that succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A requirement that this machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is missing.
    pub requirement: Requirement,
    /// Why, for people.
    pub reason: String,
}

impl Missing {
    /// A missing requirement, and why it is missing.
    pub fn new(requirement: Requirement, reason: impl Into<String>) -> Self {
        Missing { requirement, reason: reason.into() }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_one_kind_of_user() {
        assert_ne!(is_superuser().is_ok(), is_ordinary_user().is_ok());
    }

    #[test]
    fn names_differ() {
        let mut names: Vec<_> = Requirement::ALL.iter().map(|requirement| requirement.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Requirement::ALL.len());
    }
}
