//! Git as this program runs it: without starting programs that the repository's own settings name.
//!
//! The folder may come from anywhere, and a command in the sandbox may have changed it.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use aqueduct_os::environment::Environment;
use aqueduct_os::process_group::GroupChild;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

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
    "submodule.recurse=false",
];

/// Variables that would lead git to another repository.
const REDIRECTING: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
];

/// Git in a folder.
#[derive(Debug, Clone, Copy)]
pub struct Git<'g> {
    /// Whose variables it gets.
    pub environment: &'g Environment,
    /// Where it runs.
    pub cwd: &'g Path,
    /// How long it may take.
    pub patience: Duration,
    /// How much of its output is read.
    pub limit: u64,
}

/// What git printed.
#[derive(Debug)]
pub struct GitOutput {
    /// Its output.
    pub text: String,
    /// What it complained about.
    pub(crate) error_output: String,
    /// Whether that is all. What is too long is not waited for.
    pub is_whole: bool,
    /// Its exit code.
    pub code: Option<i32>,
}

/// Which filters are switched off. Git has no one switch for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filters {
    /// All.
    All,
    /// Those that the repository's own settings name. The user's own run.
    OfRepository,
}

impl Git<'_> {
    /// The settings that switch filters off. `None` if the list is too long, if a name can't be passed to git, or if
    /// git fails.
    pub async fn filters_off(&self, filters: Filters) -> Option<Vec<String>> {
        // Older versions of git can't report where a setting comes from.
        let is_scoped = filters == Filters::OfRepository;
        let scope: &[&str] = if is_scoped { &["--show-scope"] } else { &[] };
        let arguments = [&["config", "-z"], scope, &["--name-only", "--get-regexp", r"^filter\."]].concat();
        let answer = self.run(&[], &arguments).await?;
        if !answer.is_whole || !matches!(answer.code, Some(0 | NO_SETTING)) {
            return None;
        }
        let mut off = Vec::new();
        let mut parts = answer.text.split_terminator('\0');
        while let Some(first) = parts.next() {
            let setting = if is_scoped { parts.next()? } else { first };
            if is_scoped && matches!(first, "global" | "system") {
                continue;
            }
            let (name, _) = setting.strip_prefix("filter.")?.rsplit_once('.')?;
            if name.contains(['=', '\n', char::REPLACEMENT_CHARACTER]) {
                return None;
            }
            let none = ["clean=", "smudge=", "process=", "required=false"];
            off.extend(none.map(|none| format!("filter.{name}.{none}")));
        }
        Some(off)
    }

    /// Runs git without its asking for anything, reaching out, or starting what the repository names.
    pub async fn run(&self, settings: &[String], arguments: &[&str]) -> Option<GitOutput> {
        let mut command = Command::new("git");
        command.arg("--no-optional-locks");
        for setting in HARMLESS.iter().copied().chain(settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        let leads_elsewhere = |name: &OsString| REDIRECTING.iter().any(|known| name == OsStr::new(known));
        let variables = self.environment.variables.iter().filter(|(name, _)| !leads_elsewhere(name));
        command
            .args(arguments)
            .current_dir(self.cwd)
            .env_clear()
            .envs(variables.map(|(name, value)| (name, value)))
            .envs([("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut git = GroupChild::new(command.spawn().ok()?);
        let (output, errors) = (git.child().stdout.take()?, git.child().stderr.take()?);
        let answer = async {
            let (text, error_output) = tokio::join!(read(output, self.limit), read(errors, self.limit));
            let (text, error_output) = (text?, error_output?);
            let is_whole = (text.len() as u64) < self.limit && (error_output.len() as u64) < self.limit;
            let code = if is_whole { git.wait().await.ok()?.code() } else { None };
            Some(GitOutput { text, error_output, is_whole, code })
        };
        timeout(self.patience, answer).await.ok()?
    }
}

async fn read(from: impl AsyncRead + Unpin, limit: u64) -> Option<String> {
    let mut bytes = Vec::new();
    from.take(limit).read_to_end(&mut bytes).await.ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
