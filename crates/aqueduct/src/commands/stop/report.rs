//! What was found and ended, for people and for programs.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::ending::StopOutcome;
use super::target::{StopTarget, TargetKind};
use crate::config::UserEnvironment;
use crate::terminal::plain;

/// A line for each process.
pub(super) fn table(
    outcomes: &[(StopTarget, StopOutcome)],
    timeout: Duration,
    environment: &UserEnvironment,
) -> String {
    let mut text = String::new();
    for (target, outcome) in outcomes {
        let (state, note) = match outcome {
            StopOutcome::Running => ("running", String::new()),
            StopOutcome::Ended => ("ended", String::new()),
            StopOutcome::Killed => ("killed", format!(" (it did not end within {} s)", timeout.as_secs())),
            StopOutcome::Failed(_) => ("failed", String::new()),
        };
        let (kind, pid) = (label(target.kind), target.pid);
        let place = plain(&place(target, environment));
        let _ = writeln!(text, "{state:<7}  {kind:<7}  {pid:>7}  {place}{note}");
    }
    text
}

/// The count of each kind, such as `1 bridge and 2 agents`.
pub(super) fn summary<'t>(targets: impl Iterator<Item = &'t StopTarget> + Clone) -> String {
    let counted =
        TargetKind::ALL.map(|kind| (kind, targets.clone().filter(|target| target.kind == kind).count()));
    let parts: Vec<String> = counted
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| match (kind, count) {
            (kind, 1) => format!("1 {}", noun(kind)),
            (TargetKind::Leftover, count) => format!("{count} leftover processes"),
            (kind, count) => format!("{count} {}s", noun(kind)),
        })
        .collect();
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// The processes that still run, with the reasons.
pub(super) fn failures(
    outcomes: &[(StopTarget, StopOutcome)],
    environment: &UserEnvironment,
) -> Option<String> {
    let failed: Vec<String> = outcomes
        .iter()
        .filter_map(|(target, outcome)| match outcome {
            StopOutcome::Failed(why) => {
                let (noun, pid) = (noun(target.kind), target.pid);
                Some(format!("{noun} {pid} ({}): {why}", place(target, environment)))
            }
            _ => None,
        })
        .collect();
    (!failed.is_empty()).then(|| format!("could not end {}", failed.join("; ")))
}

/// The same for programs.
pub(super) fn json(outcomes: &[(StopTarget, StopOutcome)], is_dry_run: bool) -> Value {
    let processes: Vec<Value> = outcomes.iter().map(|(target, outcome)| process(target, outcome)).collect();
    json!({ "dryRun": is_dry_run, "processes": processes })
}

fn process(target: &StopTarget, outcome: &StopOutcome) -> Value {
    let outcome_name = match outcome {
        StopOutcome::Running => "running",
        StopOutcome::Ended => "ended",
        StopOutcome::Killed => "killed",
        StopOutcome::Failed(_) => "failed",
    };
    let kind = match target.kind {
        TargetKind::Bridge => "bridge",
        TargetKind::Agent => "agent",
        TargetKind::Leftover => "leftover",
    };
    let mut object = json!({ "kind": kind, "pid": target.pid, "name": target.name, "outcome": outcome_name });
    if let Some(data) = &target.data {
        object["dataDir"] = data.path.to_string_lossy().into();
        object["dataDirRemoved"] = data.is_removed.into();
    }
    if let Some(project) = &target.project {
        object["projectPath"] = project.to_string_lossy().into();
    }
    if let StopOutcome::Failed(why) = outcome {
        object["error"] = why.as_str().into();
    }
    object
}

fn label(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Leftover => "process",
        kind => noun(kind),
    }
}

fn noun(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Bridge => "bridge",
        TargetKind::Agent => "agent",
        TargetKind::Leftover => "leftover process",
    }
}

/// What distinguishes a process from others of its kind: the data folder of a bridge, the project of an
/// agent, a name.
fn place(target: &StopTarget, environment: &UserEnvironment) -> String {
    let data = || {
        let data = target.data.as_ref()?;
        let note = if data.is_removed { " (removed)" } else { "" };
        Some(format!("{}{note}", environment.shown(&data.path)))
    };
    let project = || target.project.as_ref().map(|path| environment.shown(path));
    let place = match target.kind {
        TargetKind::Bridge => data().map(|data| format!("data folder {data}")),
        TargetKind::Agent => project()
            .map(|project| format!("project {project}"))
            .or_else(|| data().map(|data| format!("data folder {data}"))),
        TargetKind::Leftover => Some(match project() {
            Some(folder) => format!("{} in {folder}", target.name),
            None => target.name.clone(),
        }),
    };
    place.unwrap_or_else(|| "starting".to_owned())
}
