//! One round of one program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use super::api::{self, Api};
use super::figures::Samples;
use super::session::{self, Session};

/// How many turns follow the first in a conversation.
const LATER_TURNS: usize = 5;

/// How long an ordinary answer is.
const SHORT_ANSWER: usize = 20;

/// The two turns whose peaks of memory are compared.
const FEW_DELTAS: usize = 1_000;
const MANY_DELTAS: usize = 100_000;

/// The folder for programs, and the one that is left out.
const PROGRAMS: &str = "programs";
const BUBBLEWRAP: &str = "bwrap";

/// Whether bubblewrap is on `PATH`.
pub(super) fn has_bubblewrap() -> bool {
    folders_of_programs().iter().any(|folder| folder.join(BUBBLEWRAP).is_file())
}

fn folders_of_programs() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

/// Links every program on `PATH` but bubblewrap into a folder. Of two with the same name the first counts.
fn link_programs(folder: &Path) -> Result<()> {
    fs::create_dir(folder).context("cannot make a directory")?;
    for from in folders_of_programs() {
        for entry in fs::read_dir(from).into_iter().flatten().flatten() {
            let link = folder.join(entry.file_name());
            if entry.file_name() != BUBBLEWRAP && !link.exists() {
                // One that can't be linked is not there for the agent.
                let _ = std::os::unix::fs::symlink(entry.path(), link);
            }
        }
    }
    Ok(())
}

/// A program that is measured, with a home and a project of its own, and what its rounds gave.
pub(super) struct Contender<'a> {
    program: PathBuf,
    place: TempDir,
    api: &'a Api,
    /// The filter of its log, if it is to have one.
    log: Option<&'static str>,
    pub(super) samples: Samples,
}

impl<'a> Contender<'a> {
    pub(super) fn new(program: &Path, api: &'a Api) -> Result<Self> {
        let place = tempfile::Builder::new().prefix("aqueduct-bench-").tempdir();
        let place = place.context("cannot make a directory")?;
        for folder in ["home", "project"] {
            fs::create_dir(place.path().join(folder)).context("cannot make a directory")?;
        }
        link_programs(&place.path().join(PROGRAMS))?;
        let mut samples = Samples::default();
        let file = fs::metadata(program).with_context(|| format!("{} does not exist", program.display()))?;
        samples.add("size", file.len() as f64);
        Ok(Self { program: program.to_owned(), place, api, log: None, samples })
    }

    /// The same with a log.
    pub(super) fn with_log(program: &Path, api: &'a Api, filter: &'static str) -> Result<Self> {
        Ok(Self { log: Some(filter), ..Contender::new(program, api)? })
    }

    /// The output of its version command.
    pub(super) fn version(&self) -> Result<String> {
        let output = self.command().arg("--version").output().context("cannot ask for the version")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Goes through everything once without keeping the figures: files are in the page cache afterwards, and
    /// what a program writes on its first start is there.
    pub(super) fn warm_up(&mut self, round: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let kept = std::mem::take(&mut self.samples);
        let outcome = round(self);
        self.samples = kept;
        outcome
    }

    /// Starts, memory, first and later turns.
    pub(super) fn conversation(&mut self, round: usize) -> Result<()> {
        let started = Instant::now();
        let version = self.command().arg("--version").stdout(Stdio::null()).status();
        ensure!(version.context("cannot ask for the version")?.success(), "--version failed");
        self.samples.add("version", started.elapsed().as_secs_f64());

        let mut session = self.start(&[])?;
        self.samples.add("start", session.initialize()?.as_secs_f64());
        self.samples.add("memory_start", session.memory()? as f64);
        for turn in 0..=LATER_TURNS {
            let name = format!("{round}-{turn}");
            let sent = session.prompt(&api::prompt(&name, SHORT_ANSWER))?;
            let whole = session.delta()?.duration_since(sent);
            session.result()?;
            let own = whole.saturating_sub(self.api.take_time(&name)?).as_secs_f64();
            match turn {
                0 => {
                    self.samples.add("first_delta", own);
                    self.samples.add("memory_turn", session.memory()? as f64);
                }
                _ => self.samples.add("later_delta", own),
            }
        }
        session.end()?;

        let mut command = self.command();
        command.env("PATH", self.programs());
        let mut session = Session::start(command, &[])?;
        self.samples.add("start_without_bubblewrap", session.initialize()?.as_secs_f64());
        session.end()
    }

    /// The first and later turns with the model that is part of the program.
    pub(super) fn scripted(&mut self) -> Result<()> {
        let mut session = self.start(&["--model", "scripted"])?;
        session.initialize()?;
        for turn in 0..=LATER_TURNS {
            let sent = session.prompt("@say hello again")?;
            let took = session.delta()?.duration_since(sent).as_secs_f64();
            let id = if turn == 0 { "scripted_first_delta" } else { "scripted_later_delta" };
            self.samples.add(id, took);
            session.result()?;
        }
        session.end()
    }

    /// A turn of some deltas, and one of very many.
    pub(super) fn flood(&mut self, round: usize) -> Result<()> {
        let mut session = self.start(&[])?;
        session.initialize()?;
        session.prompt(&api::prompt(&format!("few-{round}"), FEW_DELTAS))?;
        session.result()?;
        let before = session.peak()?;
        session.prompt(&api::prompt(&format!("many-{round}"), MANY_DELTAS))?;
        let first = session.delta()?;
        let took = session.end_of_block()?.duration_since(first);
        session.result()?;
        self.samples.add("deltas", MANY_DELTAS as f64 / took.as_secs_f64());
        self.samples.add("growth", session.peak()?.saturating_sub(before) as f64);
        session.end()
    }

    /// The folder that holds every program on `PATH` but bubblewrap.
    fn programs(&self) -> PathBuf {
        self.place.path().join(PROGRAMS)
    }

    fn start(&self, flags: &[&str]) -> Result<Session> {
        Session::start(self.command(), flags)
    }

    fn command(&self) -> std::process::Command {
        let mut command = session::command(&self.program, self.place.path(), &self.api.url());
        if let Some(filter) = self.log {
            command.env("AQUEDUCT_LOG", filter);
        }
        command
    }
}
