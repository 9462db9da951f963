use std::process::Stdio;
use std::time::Duration;

use aqueduct_os::process::Signal;
use aqueduct_os::process_group::GroupChild;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

use crate::transport::Child;
use crate::{Error, Version};

/// How long a program may take to print its version. Some load a whole runtime first.
const VERSION_TIME: Duration = Duration::from_secs(15);

/// How long the line with the version may be.
const LINE_BOUND: u64 = 4 << 10;

/// What a program reports about itself. See [`probe()`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Probe {
    /// Its version.
    pub version: Version,
    /// The whole line that it printed.
    pub line: String,
}

/// Asks a program for its version, with `--version` behind the child's arguments. It is ended when it has answered.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// use aqueduct_client::{Child, Version, probe};
///
/// let agent = Child { program: "aqueduct-agent".into(), ..Child::default() };
/// # let agent = Child {
/// #     program: "/bin/sh".into(),
/// #     arguments: ["-c".into(), "echo '2.1.325 (Aqueduct 0.1.0)'".into()].into(),
/// #     ..agent
/// # };
/// let found = probe(&agent).await?;
/// assert!(found.version >= Version::OLDEST);
/// assert_eq!(found.line, "2.1.325 (Aqueduct 0.1.0)");
/// # Ok(())
/// # }
/// ```
pub async fn probe(child: &Child) -> Result<Probe, Error> {
    let subtype = "--version".to_owned();
    let line = match tokio::time::timeout(VERSION_TIME, first_line(child)).await {
        Ok(line) => line?,
        Err(_) => return Err(Error::TimedOut { subtype, after: VERSION_TIME }),
    };
    match line.parse() {
        Ok(version) => Ok(Probe { version, line }),
        Err(_) => Err(Error::Unreadable { subtype, answer: line }),
    }
}

async fn first_line(child: &Child) -> Result<String, Error> {
    let failed = |source| child.failed(source);
    let mut command = child.command();
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Dropped in whatever way, the program goes with all that it started.
    let mut process = GroupChild::new(command.spawn().map_err(failed)?);
    let mut line = Vec::new();
    if let Some(stdout) = process.child().stdout.take() {
        BufReader::new(stdout.take(LINE_BOUND)).read_until(b'\n', &mut line).await.map_err(failed)?;
    }
    process.signal(Signal::KILL);
    process.wait().await.map_err(failed)?;
    Ok(String::from_utf8_lossy(&line).trim().to_owned())
}
