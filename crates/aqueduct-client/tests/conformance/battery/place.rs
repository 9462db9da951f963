use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_client::{Builder, Child, Outcome, Report, Session, Version, probe};
use tempfile::TempDir;

use crate::verdict::Trouble;

/// Variables that reach the agent; all others stay here.
const PASSED_ON: &[&str] = &[
    "PATH",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_API_KEY",
    "CI",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_TELEMETRY",
    "IS_SANDBOX",
    "TERM",
];

/// An empty home and an empty project for one case, and the agent that plays in it.
#[derive(Clone)]
pub(crate) struct Place {
    agent: PathBuf,
    home: Arc<TempDir>,
    project: Arc<TempDir>,
}

impl Place {
    pub(crate) fn new(agent: &Path) -> io::Result<Self> {
        let directory = || tempfile::Builder::new().prefix("aqueduct-").tempdir().map(Arc::new);
        Ok(Place { agent: agent.to_owned(), home: directory()?, project: directory()? })
    }

    pub(crate) fn project(&self) -> &Path {
        self.project.path()
    }

    /// A file in the project.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.project().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::write(self.file(name), text)
    }

    /// The version that the agent reports.
    pub(crate) async fn version(&self) -> Result<Version, Trouble> {
        Ok(probe(&Child { program: self.agent.clone().into(), ..Child::default() }).await?.version)
    }

    /// Whether a transcript in the home has this text.
    pub(crate) fn remembers(&self, text: &str) -> io::Result<bool> {
        let mut folders = vec![self.home.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "jsonl")
                    && fs::read_to_string(path)?.contains(text)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A session that is about to be started here.
    pub(crate) fn session(&self) -> Builder {
        let builder = Session::builder()
            .program(self.agent.as_os_str())
            .directory(self.project())
            .env_clear()
            .env("HOME", self.home.path().as_os_str());
        PASSED_ON.iter().fold(builder, |builder, name| match std::env::var_os(name) {
            Some(value) => builder.env(OsString::from(name), value),
            None => builder,
        })
    }
}

/// The report of a run that came to its end.
pub(crate) fn done(outcome: Outcome) -> Result<Report, Trouble> {
    match outcome {
        Outcome::Done(report) => Ok(report),
        other => Err(Trouble::Failed(format!("the run ended otherwise: {other}"))),
    }
}
