//! What the comparison found: a table of hosts and duties, and the report for programs.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use super::accepted::{self, Accepted};
use super::catalog::{Duty, Host};
use super::diff::{self, Change};
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
    /// Why the duty could not be compared, or which row is stale.
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
    /// What is accepted does not occur any more: the row has to go.
    Stale,
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
            Self::Stale => "stale",
            Self::Failed => "failed",
            Self::NotOffered => "not offered",
        }
    }

    const fn is_well(self) -> bool {
        !matches!(self, Self::Differs | Self::Stale | Self::Failed)
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

    /// A host that could not be driven at all.
    pub(super) fn failed(host: &Host, error: &anyhow::Error) -> Self {
        let judge = |duty: Duty| match host.duties.contains(&duty) {
            true => Judged::failed(duty, format!("{error:#}")),
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

    /// How many hosts and duties there are with each verdict.
    pub(super) fn summary(&self) -> String {
        let all = || self.hosts.iter().flat_map(|compared| &compared.duties);
        let verdicts = [Verdict::Same, Verdict::Accepted, Verdict::Differs, Verdict::Stale, Verdict::Failed];
        let counted = verdicts.map(|verdict| {
            let count = all().filter(|judged| judged.verdict == verdict).count();
            format!("{count} {}", verdict.word())
        });
        format!("{} hosts: {}", self.hosts.len(), counted.join(", "))
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
    compare(duty, &diff::changes(&reference.events, &agent.events), &accepted::rows(host, duty.name()))
}

/// Judges differences by the rows that accept some of them.
fn compare(duty: Duty, changes: &[Change], rows: &[&'static Accepted]) -> Judged {
    let is_accepted = |change: &Change| rows.iter().any(|row| row.matches(change));
    let is_seen = |row: &&Accepted| changes.iter().any(|change| row.matches(change));
    let (seen, unseen): (Vec<&'static Accepted>, Vec<_>) = rows.iter().copied().partition(is_seen);
    let verdict = match changes {
        _ if !changes.iter().all(is_accepted) => Verdict::Differs,
        _ if !unseen.is_empty() => Verdict::Stale,
        [] => Verdict::Same,
        _ => Verdict::Accepted,
    };
    let mut judged = Judged::new(duty, verdict);
    judged.reasons = seen.iter().map(|row| row.reason).collect();
    judged.differences =
        changes.iter().map(|change| format!("{} {}", change.mark(), change.text())).collect();
    judged.error = unseen.first().map(|row| {
        format!("accepted.rs accepts {:?}, and no difference contains it: remove the row", row.contains)
    });
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
    fn a_row_that_matches_nothing_is_stale() {
        const ROWS: &[&Accepted] = &[
            &Accepted { host: "h", duty: "stream", contains: "b", reason: "first" },
            &Accepted { host: "h", duty: "stream", contains: "c", reason: "second" },
        ];
        let change = |text: &str| Change::OnlyAgent(text.to_owned());
        assert_eq!(compare(Duty::Stream, &[change("b"), change("c")], ROWS).verdict, Verdict::Accepted);
        let judged = compare(Duty::Stream, &[change("b")], ROWS);
        assert_eq!(judged.verdict, Verdict::Stale);
        assert!(judged.error.is_some_and(|error| error.contains("\"c\"")));
        assert_eq!(compare(Duty::Stream, &[], ROWS).verdict, Verdict::Stale);
        assert_eq!(compare(Duty::Stream, &[change("d")], ROWS).verdict, Verdict::Differs);
        assert!(!Verdict::Stale.is_well());
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
