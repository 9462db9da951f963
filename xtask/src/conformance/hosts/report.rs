//! What the comparison found: a table of hosts and duties, and the report for programs.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use super::accepted;
use super::catalog::{Duty, Host};
use super::diff;
use super::run::{Performed, Played};
use crate::terminal;

/// How long a line of a difference is at most where a person reads it.
const LINE: usize = 400;

#[derive(Default, Serialize)]
pub(super) struct Report {
    pub(super) hosts: Vec<Compared>,
}

/// A host with both programs.
#[derive(Serialize)]
pub(super) struct Compared {
    host: &'static str,
    version: &'static str,
    duties: Vec<Judged>,
}

#[derive(Serialize)]
struct Judged {
    duty: &'static str,
    verdict: Verdict,
    /// Lines that only one program caused, with `-` for the reference and `+` for the agent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<String>,
    /// Why differences are accepted.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    reasons: BTreeSet<&'static str>,
    /// Why the duty could not be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Same,
    /// Every difference is listed with a reason.
    Accepted,
    Differs,
    /// A program or the host failed: nothing was compared.
    Failed,
    NotOffered,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Accepted => "accepted",
            Self::Differs => "differs",
            Self::Failed => "failed",
            Self::NotOffered => "not offered",
        }
    }

    const fn is_well(self) -> bool {
        !matches!(self, Self::Differs | Self::Failed)
    }
}

impl Compared {
    pub(super) fn new(host: &Host, reference: &Played, agent: &Played) -> Self {
        let judge = |duty: Duty| match host.duties.contains(&duty) {
            true => judge(host.name, duty, reference, agent),
            false => Judged::new(duty, Verdict::NotOffered),
        };
        Self { host: host.name, version: host.version, duties: Duty::ALL.map(judge).into() }
    }

    fn is_well(&self) -> bool {
        self.duties.iter().all(|judged| judged.verdict.is_well())
    }

    /// One line if all is well, and what is wrong otherwise.
    pub(super) fn in_short(&self, time: Duration) -> String {
        let paint = terminal::stdout();
        let mark = if self.is_well() { paint.green("ok    ") } else { paint.red("FAILED") };
        let mut text = format!("  {mark} {} {} {}", self.host, self.version, terminal::seconds(time));
        for judged in self.duties.iter().filter(|judged| !judged.verdict.is_well()) {
            text += &format!("\n    {} {}", judged.duty, judged.verdict.word());
            text.extend(judged.error.iter().map(|error| format!(": {error}")));
            for line in &judged.differences {
                text += &format!("\n      {}", line.chars().take(LINE).collect::<String>());
            }
        }
        text
    }
}

impl Report {
    pub(super) fn is_well(&self) -> bool {
        self.hosts.iter().all(Compared::is_well)
    }

    pub(super) fn table(&self) -> String {
        let header: Vec<&str> = std::iter::once("host").chain(Duty::ALL.map(Duty::name)).collect();
        let row = |compared: &Compared| {
            let name = format!("{} {}", compared.host, compared.version);
            let cells = compared.duties.iter().map(|judged| judged.verdict.word().to_owned());
            std::iter::once(name).chain(cells).collect()
        };
        terminal::table(&header, &self.hosts.iter().map(row).collect::<Vec<_>>())
    }
}

impl Judged {
    fn new(duty: Duty, verdict: Verdict) -> Self {
        Self { duty: duty.name(), verdict, differences: Vec::new(), reasons: BTreeSet::new(), error: None }
    }

    fn failed(duty: Duty, error: String) -> Self {
        Self { error: Some(error), ..Self::new(duty, Verdict::Failed) }
    }
}

fn judge(host: &str, duty: Duty, reference: &Played, agent: &Played) -> Judged {
    let performed = match (performed(duty, reference), performed(duty, agent)) {
        (Ok(reference), Ok(agent)) => (reference, agent),
        (Err(error), _) => return Judged::failed(duty, format!("with the reference: {error}")),
        (_, Err(error)) => return Judged::failed(duty, format!("with the agent: {error}")),
    };
    let (reference, agent) = performed;
    let changes = diff::changes(&reference.events, &agent.events);
    let mut judged = Judged::new(duty, Verdict::Same);
    for change in &changes {
        match accepted::rule(host, duty.name(), change) {
            Some(rule) => {
                judged.reasons.insert(rule.reason);
            }
            None => judged.verdict = Verdict::Differs,
        }
        judged.differences.push(format!("{} {}", change.mark(), change.text()));
    }
    if judged.verdict == Verdict::Same && !changes.is_empty() {
        judged.verdict = Verdict::Accepted;
    }
    judged
}

/// What a run did for a duty, or why it did not.
fn performed(duty: Duty, played: &Played) -> Result<&Performed, String> {
    let fault = || played.fault.clone().unwrap_or_else(|| "the driver did not play it".to_owned());
    let performed = played.duty(duty.name()).ok_or_else(fault)?;
    match &performed.error {
        Some(error) => Err(error.clone()),
        None if performed.events.is_empty() => Err("there were no events".to_owned()),
        None => Ok(performed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(events: &[&str], error: Option<&str>) -> Played {
        let events = events.iter().map(|event| (*event).to_owned()).collect();
        let duty = Duty::Stream.name().to_owned();
        Played { duties: vec![Performed { duty, events, error: error.map(str::to_owned) }], fault: None }
    }

    #[test]
    fn events_are_the_same_or_differ() {
        let reference = played(&["a", "b"], None);
        assert_eq!(judge("h", Duty::Stream, &reference, &played(&["a", "b"], None)).verdict, Verdict::Same);
        let judged = judge("h", Duty::Stream, &reference, &played(&["a", "c"], None));
        assert_eq!(judged.verdict, Verdict::Differs);
        assert_eq!(judged.differences, ["- b", "+ c"]);
    }

    #[test]
    fn what_failed_with_both_was_not_compared() {
        let failed = played(&["a"], Some("no"));
        assert_eq!(judge("h", Duty::Stream, &failed, &failed).verdict, Verdict::Failed);
        let silent = played(&[], None);
        assert_eq!(judge("h", Duty::Stream, &silent, &silent).verdict, Verdict::Failed);
        let missing = judge("h", Duty::List, &silent, &silent);
        assert_eq!(missing.error.as_deref(), Some("with the reference: the driver did not play it"));
    }
}
