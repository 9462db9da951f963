//! The suite `subcommands`: command lines beside conversations, run with the reference CLI and with the agent. Exit codes
//! and what hosts parse must be the same, and no model is called.

mod cases;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use self::cases::{CASES, Case, Holds, Step};
use super::stage::{Ran, Stage};
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

pub(super) fn prepare(_: &Args) -> Result<()> {
    reference::install(reference::NEWEST).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let programs = [reference::install(reference::NEWEST)?, args.agent()?];
    let is_wanted = |case: &&Case| {
        args.scenario.is_empty() || args.scenario.iter().any(|name| case.name.contains(name.as_str()))
    };
    let cases: Vec<&Case> = CASES.iter().filter(is_wanted).collect();
    if cases.is_empty() {
        bail!("no case has such a name: there are {}", CASES.map(|case| case.name).join(", "));
    }
    let scratch = workspace.scratch("conformance/subcommands");
    let mut failed = 0;
    for case in cases {
        let differences = compare(case, aqueduct, &programs, scratch.join(case.name))?;
        let paint = terminal::stdout();
        match differences.is_empty() {
            true => {
                println!("  {} {} ({} command lines)", paint.green("ok    "), case.name, case.steps.len())
            }
            false => {
                failed += 1;
                println!("  {} {}", paint.red("FAILED"), case.name);
                differences.iter().for_each(|difference| println!("{difference}"));
            }
        }
    }
    Ok(failed == 0)
}

/// Plays a case with both programs, and returns what differs.
fn compare(
    case: &Case,
    aqueduct: &Path,
    programs: &[PathBuf; 2],
    recordings: PathBuf,
) -> Result<Vec<String>> {
    let [reference, agent] = programs;
    let (theirs, ours) =
        (Stage::set(aqueduct, reference, recordings.clone())?, Stage::set(aqueduct, agent, recordings)?);
    let mut differences = Vec::new();
    for (path, text) in case.files {
        theirs.write(path, text)?;
        ours.write(path, text)?;
    }
    for step in case.steps {
        let (their, our) = (run(&theirs, step)?, run(&ours, step)?);
        let line = step.arguments.join(" ");
        if their.code != our.code {
            differences.push(format!(
                "    {line}: exit code {:?}, reference {:?}\n{}",
                our.code, their.code, our.stderr
            ));
        }
        if step.holds == Holds::Output && their.stdout != our.stdout {
            differences
                .push(format!("    {line}:\n      reference:\n{}      agent:\n{}", their.stdout, our.stdout));
        }
    }
    if !ours.requests().is_empty() {
        differences.push(format!("    the agent called the model {} times", ours.requests().len()));
    }
    Ok(differences)
}

/// Runs one command line, and makes what it prints comparable.
fn run(stage: &Stage, step: &Step) -> Result<Ran> {
    let mut ran = stage.run(step.arguments, step.variables)?;
    let project = stage.project().canonicalize()?.display().to_string();
    let home = stage.home().display().to_string();
    let text = ran.stdout.replace(&project, "PROJECT").replace(&home, "HOME");
    // The agent's warnings about files go to stderr.
    let text = text.split("\nMCP config diagnostics").next().unwrap_or(&text);
    let text = text.replace("aqueduct-agent", "PROGRAM").replace("claude mcp", "PROGRAM mcp");
    ran.stdout = text.lines().filter_map(comparable).map(|line| line + "\n").collect();
    Ok(ran)
}

/// A line without what each program words differently: why a server failed, how one is approved, what is
/// wrong with a manifest, and what hosts are offered beside the credentials.
fn comparable(line: &str) -> Option<String> {
    const OWN: [&str; 3] = ["  Issue: ", "  \"consoleProfileSignInOffered\"", "  \"analyticsDisabled\""];
    if OWN.iter().any(|own| line.starts_with(own)) || line.trim_start().starts_with("\"message\": ") {
        return None;
    }
    let line = line.split(" — ").next().unwrap_or(line);
    let line = line.split(" (run `").next().unwrap_or(line);
    Some(line.trim_end().trim_end_matches(',').to_owned())
}
