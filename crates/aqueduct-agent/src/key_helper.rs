//! The setting `apiKeyHelper`: a command of the user's whose stdout is the key of the API.
//!
//! Where the command comes from is decided by [`crate::configuration`]: that of a project folder counts only where the
//! user accepted it. The key is kept here, goes into the headers of calls, and nowhere else.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aqueduct_model::client::{KeyFuture, KeyHelper};
use aqueduct_os::guard::{CommandEnd, GuardError, Guarded, GuardedCommand, OutputPipe};
use aqueduct_tools::command::shell;
use aqueduct_wire::hint::{Hint, HintedError};
use tokio::time::timeout;

use crate::environment::Environment;

/// The name of the setting.
pub(crate) const KEY_HELPER: &str = "apiKeyHelper";

/// How long a key is used, unless the environment sets another time.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The variable that sets this time, in milliseconds.
const LIFETIME_VARIABLE: &str = "CLAUDE_CODE_API_KEY_HELPER_TTL_MS";

/// How long the command may take: it may have to wait for the user to sign in somewhere.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// The longest output that can be a key.
const LONGEST: usize = 16 * 1024;

/// How many keys are remembered to keep them out of errors.
const REMEMBERED: usize = 8;

/// Runs the command and keeps its key for a while.
pub(crate) struct CommandHelper {
    environment: Environment,
    lifetime: Duration,
    state: Mutex<KeyHelperState>,
    /// Held while the command runs: calls side by side share one run.
    running: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct KeyHelperState {
    command: Option<String>,
    kept: Option<(String, Instant)>,
    given: Vec<String>,
}

/// Without the key, and without the command: it may contain one.
impl fmt::Debug for CommandHelper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandHelper").field("is_configured", &self.is_configured()).finish_non_exhaustive()
    }
}

impl CommandHelper {
    /// The helper of an environment, with the command that settings name.
    pub(crate) fn new(environment: &Environment, command: Option<&str>) -> Arc<Self> {
        let lifetime = environment.variable(LIFETIME_VARIABLE).and_then(|text| text.trim().parse().ok());
        let helper = CommandHelper {
            environment: environment.clone(),
            lifetime: lifetime.map_or(LIFETIME, Duration::from_millis),
            state: Mutex::default(),
            running: tokio::sync::Mutex::default(),
        };
        helper.set(command);
        Arc::new(helper)
    }

    /// Takes another command, or none. The key of another command is forgotten.
    pub(crate) fn set(&self, command: Option<&str>) {
        let command = command.filter(|command| !command.trim().is_empty());
        let mut state = self.state();
        if state.command.as_deref() != command {
            state.command = command.map(str::to_owned);
            state.kept = None;
        }
    }

    fn state(&self) -> MutexGuard<'_, KeyHelperState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key that is still good.
    fn kept(&self) -> Option<String> {
        let state = self.state();
        let (key, since) = state.kept.as_ref()?;
        (since.elapsed() < self.lifetime).then(|| key.clone())
    }

    async fn get(&self) -> Result<String, KeyHelperError> {
        let _one_at_a_time = self.running.lock().await;
        if let Some(key) = self.kept() {
            return Ok(key);
        }
        let command = self.state().command.clone().ok_or(KeyHelperError::Unset)?;
        let key = match timeout(PATIENCE, self.run(&command)).await {
            Ok(printed) => read(&printed?)?,
            Err(_) => return Err(KeyHelperError::Late),
        };
        let mut state = self.state();
        state.given.retain(|given| *given != key);
        state.given.push(key.clone());
        let surplus = state.given.len().saturating_sub(REMEMBERED);
        state.given.drain(..surplus);
        // Another command may have been set meanwhile.
        if state.command.as_deref() == Some(command.as_str()) {
            state.kept = Some((key.clone(), Instant::now()));
        }
        Ok(key)
    }

    /// What the command prints. Dropping the future ends it and everything that it started.
    async fn run(&self, command: &str) -> Result<Vec<u8>, KeyHelperError> {
        let started = self.start(command).map_err(KeyHelperError::Start)?;
        let (mut guarded, mut stdout, mut stderr) = started;
        let mut printed = Vec::new();
        let ended = loop {
            tokio::select! {
                bytes = stdout.read() => {
                    let room = (LONGEST + 1).saturating_sub(printed.len());
                    printed.extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
                // It may name the key.
                _ = stderr.read() => (),
                ended = guarded.ended() => break ended,
            }
        };
        stdout.drain(|bytes| {
            let room = (LONGEST + 1).saturating_sub(printed.len());
            printed.extend_from_slice(&bytes[..bytes.len().min(room)]);
        });
        guarded.end().await;
        match ended {
            Ok(CommandEnd::Exited(0)) => Ok(printed),
            Ok(CommandEnd::Exited(code)) => Err(KeyHelperError::Exited(code)),
            Ok(CommandEnd::Signalled(signal)) => Err(KeyHelperError::Signalled(signal)),
            Err(error) => Err(KeyHelperError::Run(error)),
        }
    }

    fn start(&self, command: &str) -> io::Result<(Guarded, OutputPipe, OutputPipe)> {
        let environment = &self.environment;
        let words: [OsString; 3] = [shell::program(environment).into(), "-c".into(), command.into()];
        let variables = shell::variables(environment);
        let order = GuardedCommand {
            guard: &environment.guard,
            command: &words,
            cwd: &environment.cwd,
            variables: &variables,
        };
        let (stdout, out) = OutputPipe::new()?;
        let (stderr, err) = OutputPipe::new()?;
        Ok((Guarded::start(&order, [out, err])?, stdout, stderr))
    }
}

impl KeyHelper for CommandHelper {
    fn is_configured(&self) -> bool {
        self.state().command.is_some()
    }

    fn key(&self) -> KeyFuture<'_> {
        Box::pin(async { self.get().await.map_err(|error| error.advised().into()) })
    }

    fn refused(&self) {
        self.state().kept = None;
    }

    fn given(&self) -> Vec<String> {
        self.state().given.clone()
    }
}

/// The key that a command printed.
fn read(printed: &[u8]) -> Result<String, KeyHelperError> {
    let text = std::str::from_utf8(printed).map_err(|_| KeyHelperError::NoText)?.trim();
    if text.is_empty() {
        return Err(KeyHelperError::Nothing);
    }
    if printed.len() > LONGEST {
        return Err(KeyHelperError::TooLong);
    }
    if text.chars().any(|letter| letter.is_control() || !letter.is_ascii()) {
        return Err(KeyHelperError::NoKey);
    }
    Ok(text.to_owned())
}

/// Why the command gives no key. What it printed is not in it.
#[derive(Debug, thiserror::Error)]
enum KeyHelperError {
    #[error("the {KEY_HELPER} command is not set any more")]
    Unset,
    #[error("the {KEY_HELPER} command did not end within 10 minutes")]
    Late,
    #[error("the {KEY_HELPER} command can't be started: {0}")]
    Start(io::Error),
    #[error("the {KEY_HELPER} command can't be run: {0}")]
    Run(GuardError),
    #[error("the {KEY_HELPER} command exited with code {0}")]
    Exited(i32),
    #[error("the {KEY_HELPER} command was ended by signal {0}")]
    Signalled(i32),
    #[error("the {KEY_HELPER} command printed something that is not text")]
    NoText,
    #[error("the {KEY_HELPER} command printed nothing")]
    Nothing,
    #[error("the {KEY_HELPER} command printed more than a key")]
    TooLong,
    #[error("the {KEY_HELPER} command printed more than one line, or characters that no key has")]
    NoKey,
}

impl HintedError for KeyHelperError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(format!(
            "Run it in a terminal: it must print the key, and nothing else, on stdout. Sign in again where it asks for \
             it, or correct {KEY_HELPER} in the settings."
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_line_of_plain_text() {
        assert_eq!(read(b"  key-1 \n").unwrap(), "key-1");
        for (printed, why) in [
            (&b" \n"[..], "printed nothing"),
            (b"key-1\nkey-2\n", "more than one line"),
            (b"key\x1b[0m", "characters that no key has"),
            ("schl\u{fc}ssel".as_bytes(), "characters that no key has"),
            (b"\xff\xfe", "not text"),
            (&[b'k'; LONGEST + 1], "more than a key"),
        ] {
            let error = read(printed).unwrap_err().advised();
            assert!(error.contains(why), "{error}");
            assert!(!error.contains("key-1") && error.contains("correct apiKeyHelper"), "{error}");
        }
    }
}
