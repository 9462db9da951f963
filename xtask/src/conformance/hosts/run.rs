//! One run of a host: a driver in an empty home, with one program as `claude`.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use super::catalog::Host;
use super::install::Installed;
use super::model::Model;
use super::normalize::Names;
use super::progress::RunProgress;
use crate::conformance::stage::QUIET;
use crate::system;

/// How long a driver may take for all its duties. Drivers end by themselves when an event does not come.
const LIMIT: Duration = Duration::from_secs(1800);

/// How long a driver may print nothing before its progress is reported.
const SILENCE: Duration = Duration::from_secs(30);

/// How much of what a driver writes to stderr is kept.
const ERRORS: usize = 4000;

/// What a driver prints about a duty: that it begins, and what happened in it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Begin { begin: String },
    End(Ended),
}

#[derive(Deserialize)]
struct Ended {
    duty: String,
    events: Vec<Value>,
    error: Option<String>,
}

/// The events of a duty, a line each, in which what is different in every run has a name.
pub(super) struct Performed {
    pub(super) duty: String,
    pub(super) events: Vec<String>,
    pub(super) error: Option<String>,
}

/// What a driver did, and why it ended early if it did.
pub(super) struct Played {
    pub(super) duties: Vec<Performed>,
    pub(super) fault: Option<String>,
}

impl Played {
    pub(super) fn duty(&self, name: &str) -> Option<&Performed> {
        self.duties.iter().find(|performed| performed.duty == name)
    }

    /// All events, for a person who compares.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        for performed in &self.duties {
            text += &format!("# {}\n", performed.duty);
            performed.events.iter().for_each(|event| text += &format!("{event}\n"));
            text.extend(performed.error.iter().map(|error| format!("error: {error}\n")));
        }
        text.extend(self.fault.iter().map(|fault| format!("fault: {fault}\n")));
        text
    }
}

/// Runs a host's driver to its end with one program.
pub(super) fn drive(
    host: &Host,
    installed: &Installed,
    program: &Path,
    aqueduct: &Path,
    progress: RunProgress<'_>,
) -> Result<Played> {
    let folder = tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
    let place = folder.path().canonicalize().context("no directory")?;
    let [home, project, programs, temporary] = ["home", "project", "bin", "tmp"].map(|name| place.join(name));
    for folder in [&home, &project, &programs, &temporary] {
        fs::create_dir(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let model = Model::start(host.script, aqueduct, &place)?;
    let claude = programs.join("claude");
    symlink(program, &claude).context("cannot link the program")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)))?;
    let mut command = contained();
    command
        .arg(interpreter(installed))
        .arg(&installed.driver)
        .args(host.arguments.iter().map(|text| text.replace("{}", &installed.folder.display().to_string())))
        .current_dir(&project)
        .env_clear()
        .env("PATH", path)
        .env("HOME", &home)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env("TMPDIR", &temporary)
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("CLAUDE_CODE_EXECUTABLE", &claude)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .envs(QUIET.iter().copied());
    let (ended, fault) = listen(command, progress)?;
    let duties = ended.into_iter().map(|line| {
        let mut names = Names::new(&place);
        Performed {
            events: line.events.iter().map(|event| names.line(event)).collect(),
            error: line.error.map(|error| names.text(&error)),
            duty: line.duty,
        }
    });
    Ok(Played { duties: duties.collect(), fault })
}

/// What runs a driver: the Python that has the packages, or Node.
fn interpreter(installed: &Installed) -> std::path::PathBuf {
    match installed.driver.extension().is_some_and(|ending| ending == "py") {
        true => installed.folder.join("bin/python"),
        false => "node".into(),
    }
}

/// A command in a process namespace of its own: when its first process ends, all others in it do. It also ends when
/// this program ends.
fn contained() -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", "unshare"]);
    if !system::is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    // The shell is the first process, because the first process has to wait for those that lost their parent.
    command.args([
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "--",
        "sh",
        "-c",
        "\"$@\"; exit $?",
        "sh",
    ]);
    command
}

/// Starts a driver and reads its lines until it ends or its time is up.
fn listen(mut command: Command, mut progress: RunProgress<'_>) -> Result<(Vec<Ended>, Option<String>)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start setpriv: install util-linux")?;
    let (sender, arrived) = mpsc::channel();
    let stdout = child.stdout.take().context("no stdout")?;
    let stderr = child.stderr.take().context("no stderr")?;
    let reading = thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Ok(line) = serde_json::from_str::<Line>(&line)
                && sender.send(line).is_err()
            {
                break;
            }
        }
    });
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        let _ = BufReader::new(stderr).read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        text.chars().skip(text.chars().count().saturating_sub(ERRORS)).collect::<String>()
    });
    let deadline = Instant::now() + LIMIT;
    let mut duties = Vec::new();
    let in_time = loop {
        let rest = deadline.saturating_duration_since(Instant::now());
        match arrived.recv_timeout(rest.min(SILENCE)) {
            Ok(Line::Begin { begin }) => progress.begin(&begin),
            Ok(Line::End(ended)) => {
                progress.end(&ended.duty, ended.error.is_some());
                duties.push(ended);
            }
            Err(RecvTimeoutError::Disconnected) => break true,
            Err(RecvTimeoutError::Timeout) if rest.is_zero() => break false,
            Err(RecvTimeoutError::Timeout) => progress.still_running(),
        }
    };
    let fault = end(&mut child, in_time)?;
    let _ = reading.join();
    let errors = errors.join().unwrap_or_default();
    Ok((duties, fault.map(|fault| format!("{fault}; stderr: {errors}"))))
}

/// Waits for a driver, or ends it with all that it started.
fn end(child: &mut Child, in_time: bool) -> Result<Option<String>> {
    if !in_time {
        child.kill().context("cannot end the driver")?;
        child.wait().context("cannot wait for the driver")?;
        return Ok(Some(format!("the driver did not end within {} s", LIMIT.as_secs())));
    }
    let status = child.wait().context("cannot wait for the driver")?;
    Ok((!status.success()).then(|| format!("the driver ended with {status}")))
}
