use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::environment::Environment;

/// How long git may take. It is slow in huge repositories, and the model can ask again by itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much of git's answer is read, and shown.
const ANSWER_LIMIT: u64 = 4000;

/// The code that `git config` ends with where there is no such setting.
const NO_SETTING: i32 = 1;

/// Settings that keep a repository from making git run something or reach out.
const HARMLESS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "color.ui=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];

/// What git says about the folder at the session's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitContext {
    /// The branch and the changed files, in the short form.
    pub(crate) status: String,
    /// The last commits, one a line.
    pub(crate) commits: String,
}

impl GitContext {
    /// Asks git, if the folder belongs to a repository. `None` where it does not, or git says nothing in
    /// time.
    pub(crate) async fn read(environment: &Environment) -> Option<Self> {
        repository(&environment.cwd)?;
        let off = filters_off(environment).await?;
        let status = ask(environment, &off, &["status", "--short", "--branch", "--ignore-submodules=dirty"]);
        let commits = ask(environment, &off, &["log", "--oneline", "--no-decorate", "-n", "5"]);
        let (status, commits) = tokio::join!(status, commits);
        // A repository without commits has a status all the same.
        Some(GitContext { status: status?, commits: commits.unwrap_or_default() })
    }

    /// The part of the prompt.
    pub(super) fn describe(&self) -> String {
        let mut part = format!("\nGit status when the session began:\n{}\n", self.status.trim_end());
        if !self.commits.is_empty() {
            part.push_str(&format!("\nLast commits:\n{}\n", self.commits.trim_end()));
        }
        part
    }
}

/// The folder with a repository's records that a folder belongs to.
pub(super) fn repository(folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    if found.is_dir() {
        return Some(found);
    }
    // A linked working tree has a file that says where its records are.
    let text = fs::read_to_string(&found).ok()?;
    Some(found.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}

/// The branch that is checked out, read from the repository's records without asking git. A commit that is
/// checked out by itself has none.
pub(crate) fn branch(folder: &Path) -> Option<String> {
    let head = fs::read_to_string(repository(folder)?.join("HEAD")).ok()?;
    Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
}

/// The settings that switch every filter off: git has no one switch for them. `None` where there are more than anybody
/// has, where one can't be named to git, or where git does not say.
async fn filters_off(environment: &Environment) -> Option<Vec<String>> {
    let answer =
        run(environment, &[], &["config", "-z", "--name-only", "--get-regexp", r"^filter\."]).await?;
    if !answer.is_whole || !matches!(answer.code, Some(0 | NO_SETTING)) {
        return None;
    }
    let mut off = Vec::new();
    for setting in answer.text.split_terminator('\0') {
        let (name, _) = setting.strip_prefix("filter.")?.rsplit_once('.')?;
        if name.contains(['=', '\n', char::REPLACEMENT_CHARACTER]) {
            return None;
        }
        let none = ["clean=", "smudge=", "process=", "required=false"];
        off.extend(none.map(|none| format!("filter.{name}.{none}")));
    }
    Some(off)
}

/// What git says, if it does what it is told. What is too long is cut.
async fn ask(environment: &Environment, settings: &[String], arguments: &[&str]) -> Option<String> {
    let Answer { mut text, is_whole, code } = run(environment, settings, arguments).await?;
    if is_whole {
        return (code == Some(0)).then_some(text);
    }
    text.truncate(text.rfind('\n').unwrap_or(text.len()));
    text.push_str("\n(there is more)");
    Some(text)
}

/// What git said.
struct Answer {
    text: String,
    /// Whether that is all. What is too long is not waited for.
    is_whole: bool,
    code: Option<i32>,
}

/// Runs git without its taking locks, asking for anything, reaching out, or starting programs that the repository's
/// own settings name: the folder may come from anywhere, and a command in the sandbox may have made it.
async fn run(environment: &Environment, settings: &[String], arguments: &[&str]) -> Option<Answer> {
    let mut command = Command::new("git");
    command.arg("--no-optional-locks");
    for setting in HARMLESS.iter().copied().chain(settings.iter().map(String::as_str)) {
        command.args(["-c", setting]);
    }
    command
        .args(arguments)
        .current_dir(&environment.cwd)
        .env_clear()
        .envs(environment.variables.iter().map(|(name, value)| (name, value)))
        .envs([("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = Group(command.spawn().ok()?);
    let answer = async {
        let mut text = Vec::new();
        let mut output = child.0.stdout.take()?;
        (&mut output).take(ANSWER_LIMIT).read_to_end(&mut text).await.ok()?;
        let is_whole = (text.len() as u64) < ANSWER_LIMIT;
        let code = if is_whole { child.0.wait().await.ok()?.code() } else { None };
        Some(Answer { text: String::from_utf8_lossy(&text).into_owned(), is_whole, code })
    };
    timeout(PATIENCE, answer).await.ok()?
}

/// A process whose whole group ends with it.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // A process that was waited for has no id any more.
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // It may have ended by itself.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
