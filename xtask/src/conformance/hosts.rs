//! The suite `hosts`: programs from the registries that host the reference CLI or read its transcripts, once with the
//! reference CLI and once with the agent in its place.
//!
//! Each host is a row of [`catalog::HOSTS`]: pinned packages, a driver in the host's language, and the duties that the
//! host offers. A driver prints the events of each duty; the suite names what is different in every run and compares.

mod accepted;
mod catalog;
mod diff;
mod install;
mod model;
mod normalize;
mod report;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::catalog::{HOSTS, Host};
use self::report::Report;
use super::{Args, reference};
use crate::workspace::Workspace;

pub(super) fn prepare(args: &Args) -> Result<()> {
    for host in wanted(args)? {
        install::install(host).with_context(|| format!("the host {} cannot be installed", host.name))?;
    }
    reference::install(reference::NEWEST).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let folder = workspace.scratch("conformance/hosts");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let programs = [reference::install(reference::NEWEST)?, args.agent()?];
    let mut report = Report::default();
    for host in wanted(args)? {
        let started = Instant::now();
        let compared = compare(host, &programs, aqueduct, &folder)?;
        args.tell(&compared.in_short(started.elapsed()));
        report.hosts.push(compared);
    }
    let path = folder.join("report.json");
    let text = serde_json::to_string_pretty(&report).context("cannot write the report")?;
    fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    match args.json {
        true => println!("{text}"),
        false => println!(
            "\n{}\n\n  events of both programs and report.json: {}",
            report.table(),
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

/// Drives a host with both programs, at the same time where it can be.
fn compare(host: &Host, programs: &[PathBuf; 2], aqueduct: &Path, folder: &Path) -> Result<report::Compared> {
    let installed = install::install(host)?;
    if let Some(package) = host.native {
        install::build_native(&installed, package)?;
    }
    let drive = |program: &PathBuf| run::drive(host, &installed, program, aqueduct);
    let [reference, agent] = match host.runs_alone() {
        true => programs.each_ref().map(drive),
        false => thread::scope(|scope| {
            let running = programs.each_ref().map(|program| scope.spawn(|| drive(program)));
            running.map(|run| run.join().unwrap_or_else(|_| bail!("a run was lost")))
        }),
    };
    let (reference, agent) = (reference?, agent?);
    for (played, side) in [(&reference, "reference"), (&agent, "agent")] {
        let path = folder.join(format!("{}.{side}.txt", host.name));
        fs::write(&path, played.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(report::Compared::new(host, &reference, &agent))
}
