use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use crate::transport::Child;
use crate::{Error, Version};

/// How long a program may take to tell its version. Some load a whole runtime first.
const VERSION_TIME: Duration = Duration::from_secs(15);

/// What a program says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Probe {
    /// Its version.
    pub version: Version,
    /// The whole line that it printed.
    pub line: String,
}

/// Asks a program for its version. Arguments of the child come before `--version`, for a program that is started
/// through another.
pub async fn probe(child: &Child) -> Result<Probe, Error> {
    let program = child.program.to_string_lossy().into_owned();
    let mut child = child.clone();
    child.arguments.push("--version".into());
    let mut command = child.command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let failed = |source| Error::Spawn { program: program.clone(), source: Arc::new(source) };
    let output = match tokio::time::timeout(VERSION_TIME, command.output()).await {
        Ok(output) => output.map_err(failed)?,
        Err(_) => return Err(Error::TimedOut { subtype: "--version".to_owned(), after: VERSION_TIME }),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or_default().trim().to_owned();
    match line.parse() {
        Ok(version) => Ok(Probe { version, line }),
        Err(_) => Err(Error::Unreadable { subtype: "--version".to_owned(), answer: line }),
    }
}
