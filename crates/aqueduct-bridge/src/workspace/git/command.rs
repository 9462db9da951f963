use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Stdio;

use aqueduct_os::process_group::GroupChild;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

use crate::Failure;
use crate::message::ErrorCode;

/// How much of git's stderr is kept.
const STDERR_BYTES: u64 = 4 << 10;

/// Settings that keep a repository from making git run something or reach out.
const HARMLESS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "diff.external=",
    "diff.suppressBlankEmpty=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// Environment variables for git.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// The program git, and what it needs to know of its user.
#[derive(Debug, Clone)]
pub struct GitProgram {
    /// A path, or a name to look up on the PATH below.
    pub program: OsString,
    /// The user's variables: `PATH`, and `HOME` for the settings that the user has. Those of git itself don't count.
    pub environment: Vec<(OsString, OsString)>,
}

impl Default for GitProgram {
    /// The system's git, which knows nothing of its user.
    fn default() -> Self {
        GitProgram { program: "git".into(), environment: Vec::new() }
    }
}

/// Git's stdout.
#[derive(Debug)]
pub(super) struct GitCapture {
    pub(super) output: Vec<u8>,
    /// Whether there was more than was wanted. Git was ended then.
    pub(super) is_cut: bool,
    /// The code that it ended with by itself.
    pub(super) code: Option<i32>,
    pub(super) error_output: String,
}

impl GitCapture {
    /// Whether it succeeded.
    pub(super) fn is_success(&self) -> bool {
        self.code == Some(0)
    }

    /// The output, if git succeeded.
    pub(super) fn output(self) -> Result<Vec<u8>, Failure> {
        if self.is_success() || self.is_cut { Ok(self.output) } else { Err(self.failure()) }
    }

    /// Git's stderr.
    pub(super) fn failure(&self) -> Failure {
        let error_output = match self.error_output.trim() {
            "" => "it printed nothing",
            error_output => error_output,
        };
        Failure::new(ErrorCode::Internal, format!("git failed: {error_output}"))
    }
}

impl GitProgram {
    /// Runs git in a folder, with settings of its own besides the harmless ones, and takes so many bytes of
    /// its output.
    pub(super) async fn run<A: AsRef<OsStr>>(
        &self,
        folder: &Path,
        settings: &[String],
        arguments: impl IntoIterator<Item = A>,
        limit: u64,
    ) -> Result<GitCapture, Failure> {
        let mut command = Command::new(&self.program);
        command.args(["--no-pager", "--literal-pathspecs"]);
        for setting in HARMLESS.iter().copied().chain(settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        let mine = |(name, _): &&(OsString, OsString)| !name.as_encoded_bytes().starts_with(b"GIT_");
        command
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs(self.environment.iter().filter(mine).map(|(name, value)| (name, value)))
            .envs(VARIABLES.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let child = command.spawn().map_err(|error| self.missing(folder, &error))?;
        answer(GroupChild::new(child), limit).await.map_err(|error| {
            Failure::new(ErrorCode::Internal, format!("git's output could not be read: {error}"))
                .sentence("Try again.")
        })
    }

    fn missing(&self, folder: &Path, error: &io::Error) -> Failure {
        let program = self.program.display();
        // A folder that is gone is reported in the same way as a program that is not there.
        match error.kind() {
            io::ErrorKind::NotFound if folder.is_dir() => {
                Failure::new(ErrorCode::NotSupported, format!("`{program}` was not found"))
                    .sentence("Install git on the bridge's machine, or put it on its PATH.")
            }
            _ => {
                let message = format!("`{program}` can't be run in {}: {error}.", folder.display());
                Failure::new(ErrorCode::NotSupported, message)
            }
        }
    }
}

/// Reads git's output to its end or to the limit.
async fn answer(mut git: GroupChild, limit: u64) -> io::Result<GitCapture> {
    let gone = || io::Error::other("it has no output");
    let stdout = git.child().stdout.take().ok_or_else(gone)?;
    let stderr = git.child().stderr.take().ok_or_else(gone)?;
    let error_output = async {
        let (mut bytes, mut rest) = (Vec::new(), tokio::io::sink());
        let mut stderr = stderr;
        (&mut stderr).take(STDERR_BYTES).read_to_end(&mut bytes).await?;
        // It must not wait for a reader of the rest.
        tokio::io::copy(&mut stderr, &mut rest).await?;
        io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    tokio::pin!(error_output);
    let printed = read(stdout, limit);
    tokio::pin!(printed);
    let mut errors = None;
    let (output, is_cut) = loop {
        tokio::select! {
            printed = &mut printed => break printed?,
            reported = &mut error_output, if errors.is_none() => errors = Some(reported?),
        }
    };
    if is_cut {
        return Ok(GitCapture { output, is_cut, code: None, error_output: String::new() });
    }
    let error_output = match errors {
        Some(error_output) => error_output,
        None => error_output.await?,
    };
    let code = git.wait().await?.code();
    Ok(GitCapture { output, is_cut, code, error_output })
}

/// Reads so much, and whether there is more.
async fn read(output: impl AsyncRead + Unpin, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    output.take(limit + 1).read_to_end(&mut bytes).await?;
    let is_cut = bytes.len() as u64 > limit;
    if is_cut {
        bytes.pop();
    }
    Ok((bytes, is_cut))
}
