//! Where a scenario plays: a scripted model, an empty home, an empty project, a place for recordings.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::compare::Places;
use super::scripted_api::ScriptedApi;
use super::session::Session;

/// stream-json both ways. `--verbose` is what all versions want with it.
const STREAM: &[&str] =
    &["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"];

/// Nothing the program under test might do on the side belongs into a recording.
pub(super) const QUIET: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "not-a-key"),
    ("CI", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("IS_SANDBOX", "1"),
    ("TERM", "dumb"),
];

/// A program that has ended.
pub(super) struct Ran {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) code: Option<i32>,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { stdout: text(&output.stdout), stderr: text(&output.stderr), code: output.status.code() }
    }

    /// The lines that `aqueduct record` would write.
    fn recording(&self) -> String {
        let frames: Option<Vec<Value>> = self
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).ok().filter(Value::is_object))
            .collect();
        let output = || vec![json!({ "type": "output", "text": self.stdout })];
        let frames = frames.unwrap_or_else(output);
        let mut entries: Vec<Value> =
            frames.into_iter().map(|frame| json!({ "dir": "out", "msg": frame })).collect();
        entries.extend(self.stderr.lines().map(|line| json!({ "dir": "err", "text": line })));
        let code = self.code.map_or_else(|| "by a signal".to_owned(), |code| code.to_string());
        entries.push(json!({ "dir": "note", "text": format!("exit {code}") }));
        entries.iter().map(|entry| format!("{entry}\n")).collect()
    }
}

pub(super) struct Stage {
    aqueduct: PathBuf,
    program: PathBuf,
    api: ScriptedApi,
    home: TempDir,
    project: TempDir,
    /// The recordings' path without its ending: a scenario that starts several sessions has several.
    recordings: PathBuf,
    sessions: Vec<PathBuf>,
}

impl Stage {
    pub(super) fn set(aqueduct: &Path, program: &Path, recordings: PathBuf) -> Result<Self> {
        let directory =
            || tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory");
        Ok(Self {
            aqueduct: aqueduct.to_owned(),
            program: program.to_owned(),
            api: ScriptedApi::start()?,
            home: directory()?,
            project: directory()?,
            recordings,
            sessions: Vec::new(),
        })
    }

    pub(super) fn project(&self) -> &Path {
        self.project.path()
    }

    pub(super) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The messages of every request to the model so far.
    pub(super) fn requests(&self) -> Vec<Value> {
        self.api.requests()
    }

    /// The bodies of every request to the model so far; of the tools, only the names.
    pub(super) fn bodies(&self) -> Vec<Value> {
        self.api.bodies()
    }

    /// The usage of every answer that the model has ended, by the message's id.
    pub(super) fn counted(&self) -> BTreeMap<String, Value> {
        self.api.counted()
    }

    /// The transcript of a session.
    pub(super) fn transcript(&self, session_id: &str) -> Result<PathBuf> {
        let name = format!("{session_id}.jsonl");
        let projects = self.home().join(".claude/projects");
        let folders = fs::read_dir(&projects)
            .with_context(|| format!("directory {} does not exist", projects.display()))?;
        let mut paths = folders.filter_map(|folder| Some(folder.ok()?.path().join(&name)));
        paths.find(|path| path.is_file()).with_context(|| format!("transcript {name} does not exist"))
    }

    pub(super) fn newest_recording(&self) -> Option<&Path> {
        self.sessions.last().map(PathBuf::as_path)
    }

    /// Puts a file into the project.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.project().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Trusts the project, as a user does in the reference's dialog. The agent runs no hook of a folder that
    /// the user does not trust; the reference does where it has no dialog.
    pub(super) fn trust(&self) -> Result<()> {
        let project = self.project().canonicalize().context("no project")?;
        let records =
            json!({ "projects": { project.display().to_string(): { "hasTrustDialogAccepted": true } } });
        let path = self.home().join(".claude.json");
        fs::write(&path, records.to_string()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Waits until a tool has made a file in the project.
    pub(super) fn wait_for_file(&self, path: &str) -> Result<()> {
        let path = self.project().join(path);
        let deadline = Instant::now() + Duration::from_secs(20);
        while !path.exists() {
            if Instant::now() > deadline {
                bail!("{} was not made", path.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Runs the program under test to its end with nothing but these arguments.
    pub(super) fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<Ran> {
        let output = self
            .command(arguments, variables)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        Ok(Ran::of(&output))
    }

    /// Runs the program under test to its end with these arguments and this input, and keeps what it wrote as
    /// a recording: each line of JSON as a frame, anything else as one output.
    pub(super) fn run_once(&mut self, arguments: &[&str], input: &str) -> Result<()> {
        let mut child = self
            .command(arguments, &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that refuses its arguments does not read its input.
            let _ = stdin.write_all(input.as_bytes());
        }
        let ran = Ran::of(&child.wait_with_output().context("cannot wait for the program")?);
        let recording = self.next_recording();
        fs::write(&recording, ran.recording())
            .with_context(|| format!("cannot write {}", recording.display()))?;
        self.sessions.push(recording);
        Ok(())
    }

    fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .current_dir(self.project.path())
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("ANTHROPIC_BASE_URL", self.api.url())
            .envs(QUIET.iter().copied())
            .envs(variables.iter().copied());
        command
    }

    pub(super) fn start(&mut self, flags: &[&str]) -> Result<Session> {
        self.start_with(flags, &[])
    }

    /// Starts the program under test with more flags and variables than every session has.
    pub(super) fn start_with(&mut self, flags: &[&str], variables: &[(&str, &str)]) -> Result<Session> {
        let program = self.program.clone();
        self.start_program(&program, flags, variables)
    }

    /// Starts another program in the same place.
    pub(super) fn start_program(
        &mut self,
        program: &Path,
        flags: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Session> {
        let recording = self.next_recording();
        let mut command = Command::new(&self.aqueduct);
        command
            // The key is not one: the text is kept as it was.
            .args(["record", "--raw", "--force", "--output"])
            .arg(&recording)
            .arg("--")
            .arg(program)
            .args(STREAM)
            .args(flags)
            .current_dir(self.project.path())
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("ANTHROPIC_BASE_URL", self.api.url())
            .envs(QUIET.iter().copied())
            .envs(variables.iter().copied());
        let session = Session::start(command)?;
        self.sessions.push(recording);
        Ok(session)
    }

    /// What the directories are called in a comparison.
    pub(super) fn places(&self) -> Places {
        Places::new(self.home.path(), self.project())
    }

    /// What was recorded, in the order of the sessions.
    pub(super) fn recordings(self) -> Vec<PathBuf> {
        self.sessions
    }

    fn next_recording(&self) -> PathBuf {
        match self.sessions.len() {
            0 => self.recordings.with_extension("jsonl"),
            count => self.recordings.with_extension(format!("{}.jsonl", count + 1)),
        }
    }
}
