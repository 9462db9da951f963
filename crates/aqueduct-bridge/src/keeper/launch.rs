//! Starting a keeper.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use super::error::KeeperStartError;
use super::folder::KeeperFolder;
use super::job::{KeeperJob, StartReply};

/// How long a keeper may take to start the agent. It takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long the stderr of a program that gave no answer is read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long an answer, or the stderr of a program that is not a keeper, may be.
const ANSWER_LIMIT: u64 = 16 << 10;

/// Makes a session's folder, for a keeper that is started later.
pub fn make(folder: &Path) -> Result<(), KeeperStartError> {
    KeeperFolder::new(folder)
        .make()
        .map_err(|source| KeeperStartError::Folder { folder: folder.to_owned(), source })
}

/// Starts a keeper, and its agent; returns the agent's process.
///
/// The session's folder is there: [`make`] makes it. `keeper` is the program and the leading arguments that lead to [`main`](super::main). The keeper is on its own
/// from then on: it continues when this process ends, and [`attach`](super::attach) leads to it.
///
/// If the future is dropped before it is ready, there may be a keeper or not; [`find`](super::find) knows.
pub async fn start(keeper: &[OsString], job: &KeeperJob) -> Result<u32, KeeperStartError> {
    let mut line = serde_json::to_vec(job).map_err(KeeperStartError::Job)?;
    line.push(b'\n');
    let (program, leading) = keeper
        .split_first()
        .ok_or_else(|| KeeperStartError::Program(std::io::Error::other("no program is set for keepers")))?;
    let mut child = Command::new(program)
        .args(leading)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(KeeperStartError::Program)?;
    match tokio::time::timeout(PATIENCE, ask(&mut child, &line)).await {
        Ok(Some(StartReply::Ready { agent })) => Ok(agent),
        Ok(Some(StartReply::Failed(failure))) => Err(failure.into()),
        Ok(None) => Err(no_answer(child).await),
        Err(_) => {
            // It can only be gone already.
            let _ = child.kill().await;
            Err(KeeperStartError::Timeout)
        }
    }
}

/// Gives the keeper its job and reads the answer.
async fn ask(child: &mut Child, job: &[u8]) -> Option<StartReply> {
    // A keeper that does not read its job reports why.
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(job).await;
    }
    let stdout = child.stdout.as_mut()?;
    let mut answer = Vec::new();
    BufReader::new(stdout.take(ANSWER_LIMIT)).read_until(b'\n', &mut answer).await.ok()?;
    serde_json::from_slice(&answer).ok()
}

/// What is known of a program that gave no answer.
async fn no_answer(mut child: Child) -> KeeperStartError {
    let mut stderr = Vec::new();
    if let Some(pipe) = child.stderr.take() {
        // It has closed its stdout, so it ends; if it does not, it is ended.
        let mut pipe = pipe.take(ANSWER_LIMIT);
        let _ = tokio::time::timeout(LAST_WORDS, pipe.read_to_end(&mut stderr)).await;
    }
    let _ = child.start_kill();
    match child.wait().await {
        Ok(status) => {
            KeeperStartError::NoAnswer { status, stderr: String::from_utf8_lossy(&stderr).into_owned() }
        }
        Err(error) => KeeperStartError::Program(error),
    }
}
