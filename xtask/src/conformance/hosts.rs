//! The suite `hosts`: programs from the registries that host the reference CLI or read its transcripts, once with the
//! reference CLI and once with the agent in its place.
//!
//! Each host is a row of [`catalog::HOSTS`]: pinned packages, a driver in the host's language, and the duties that the
//! host offers. A driver prints the events of each duty; the suite names what is different in every run and compares.

mod accepted;
mod catalog;
mod diff;
pub(super) mod install;
mod model;
mod normalize;
mod progress;
mod report;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::catalog::{HOSTS, Host};
use self::progress::Progress;
use self::report::{Compared, Report};
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

pub(super) fn prepare(args: &Args) -> Result<()> {
    let (hosts, progress) = (wanted(args)?, Progress::new(!args.json));
    reference::install(reference::NEWEST)?;
    for (index, host) in hosts.iter().enumerate() {
        let place = install::folder(host)?;
        let what = format!("installing {} {} into {}", host.name, host.version, place.display());
        progress.begin(index + 1, hosts.len(), &what);
        let started = Instant::now();
        match install::install(host) {
            Ok(true) => {
                progress.report(&format!("    installed in {}", terminal::seconds(started.elapsed())))
            }
            Ok(false) => progress.report("    is installed"),
            // The other hosts are compared all the same; this one fails with the reason.
            Err(error) => progress.report(&format!("    cannot be installed: {error:#}")),
        }
    }
    Ok(())
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let folder = workspace.scratch("conformance/hosts");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let stage = Stage {
        programs: [reference::install(reference::NEWEST)?, args.agent()?],
        aqueduct,
        folder: &folder,
        progress: Progress::new(!args.json),
    };
    let (hosts, mut report) = (wanted(args)?, Report::default());
    for (index, host) in hosts.iter().enumerate() {
        let what = format!("driving {} {}", host.name, host.version);
        stage.progress.begin(index + 1, hosts.len(), &what);
        let started = Instant::now();
        let compared = stage.compare(host).unwrap_or_else(|error| Compared::failed(host, &error));
        stage.progress.report(&compared.in_short(started.elapsed()));
        report.hosts.push(compared);
    }
    let path = folder.join("report.json");
    let text = serde_json::to_string_pretty(&report).context("cannot write the report")?;
    fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    match args.json {
        true => println!("{text}"),
        false => println!(
            "\n{}\n\n  {}\n  events of both programs and report.json: {}",
            report.table(),
            report.summary(),
            folder.display()
        ),
    }
    Ok(report.is_well())
}

/// The hosts whose name contains one of the words; all if there are none.
fn wanted(args: &Args) -> Result<Vec<&'static Host>> {
    let is_wanted = |host: &&Host| {
        args.scenario.is_empty() || args.scenario.iter().any(|word| host.name.contains(word.as_str()))
    };
    let hosts: Vec<_> = HOSTS.iter().filter(is_wanted).collect();
    match hosts.is_empty() {
        true => bail!("no host has such a name: there are {}", names().join(", ")),
        false => Ok(hosts),
    }
}

/// The names of all hosts.
pub(super) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// What every comparison needs.
struct Stage<'a> {
    /// The reference and the agent.
    programs: [PathBuf; 2],
    aqueduct: &'a Path,
    /// Where events are written.
    folder: &'a Path,
    progress: Progress,
}

impl Stage<'_> {
    /// Drives a host with both programs, at the same time where it can be.
    fn compare(&self, host: &Host) -> Result<Compared> {
        let installed = install::installed(host)?;
        let drive = |(program, name): (&PathBuf, &'static str)| {
            run::drive(host, &installed, program, self.aqueduct, self.progress.of_run(host.name, name))
        };
        let [reference, agent] = &self.programs;
        let runs = [(reference, "reference"), (agent, "agent")];
        let [reference, agent] = match host.runs_alone() {
            true => runs.map(drive),
            false => thread::scope(|scope| {
                let running = runs.map(|run| scope.spawn(move || drive(run)));
                running.map(|run| run.join().unwrap_or_else(|_| bail!("a run was lost")))
            }),
        };
        let (reference, agent) = (reference?, agent?);
        for (played, side) in [(&reference, "reference"), (&agent, "agent")] {
            let path = self.folder.join(format!("{}.{side}.txt", host.name));
            fs::write(&path, played.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(Compared::new(host, &reference, &agent))
    }
}
