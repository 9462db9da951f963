//! The output of `aqueduct wire check --json` for a recording.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use super::scenarios::Scenario;

#[derive(Clone, Default)]
pub(super) struct Verdict {
    frames: usize,
    kinds: BTreeSet<String>,
    /// Bad lines, frames that were not written back as they were, and unknown or broken kinds, each
    /// with the recording it is in.
    faults: Vec<String>,
    /// Members, shapes and names that the tables do not list, with an example: drift, not a fault.
    drift: BTreeMap<String, String>,
}

/// The parts of the report that are read here.
#[derive(Deserialize)]
struct Report {
    frames: usize,
    kinds: Vec<Kind>,
    bad_lines: Vec<Finding>,
    round_trip_faults: Vec<Finding>,
    unknown_kinds: Vec<Finding>,
    misfits: Vec<Finding>,
    unknown_fields: Vec<Finding>,
    unexpected_shapes: Vec<Finding>,
    unknown_names: Vec<Finding>,
}

#[derive(Deserialize)]
struct Kind {
    from: String,
    kind: String,
}

/// Every list has the line; the rest is present if it applies.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Finding {
    line: usize,
    kind: String,
    path: String,
    name: String,
    example: String,
    error: String,
    wanted: String,
}

pub(super) fn judge(aqueduct: &Path, recording: &Path, scenario: &Scenario) -> Result<Verdict> {
    let output = Command::new(aqueduct)
        .args(["wire", "check", "--json"])
        .arg(recording)
        .stdin(Stdio::null())
        .output()
        .context("cannot run aqueduct wire check")?;
    let report: Report = serde_json::from_slice(&output.stdout).with_context(|| {
        format!("aqueduct wire check printed no report: {}", String::from_utf8_lossy(&output.stderr).trim())
    })?;
    let text =
        fs::read_to_string(recording).with_context(|| format!("cannot read {}", recording.display()))?;
    let name = recording.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(report.verdict(&name, |line| scenario.is_nonsense && is_from_host(&text, line)))
}

/// Whether a line of a recording is the host's: deliberate errors of a scenario are not findings.
fn is_from_host(recording: &str, line: usize) -> bool {
    let entry = line.checked_sub(1).and_then(|index| recording.lines().nth(index));
    entry
        .and_then(|entry| serde_json::from_str::<Value>(entry).ok())
        .is_some_and(|entry| entry["dir"] == "in")
}

impl Report {
    fn verdict(self, recording: &str, is_excused: impl Fn(usize) -> bool) -> Verdict {
        let agents = self.kinds.into_iter().filter(|kind| kind.from == "agent").map(|kind| kind.kind);
        let faults = [
            ("bad line", self.bad_lines),
            ("not written back as it was", self.round_trip_faults),
            ("unknown", self.unknown_kinds),
            ("broken", self.misfits),
        ];
        let fault = |what: &str, finding: Finding| {
            format!("{recording}:{} {what}: {}", finding.line, finding.place())
        };
        let faults = faults.into_iter().flat_map(|(what, findings)| {
            findings
                .into_iter()
                .filter(|finding| !is_excused(finding.line))
                .map(move |finding| (what, finding))
        });
        let drift = [self.unknown_fields, self.unexpected_shapes, self.unknown_names].into_iter().flatten();
        Verdict {
            frames: self.frames,
            kinds: agents.collect(),
            faults: faults.map(|(what, finding)| fault(what, finding)).collect(),
            drift: drift
                .filter(|finding| !is_excused(finding.line))
                .map(|finding| (finding.place(), finding.example))
                .collect(),
        }
    }
}

impl Finding {
    fn place(&self) -> String {
        let parts = [&self.kind, &self.path, &self.name, &self.wanted, &self.error];
        parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

impl Verdict {
    pub(super) fn add(&mut self, other: Self) {
        self.frames += other.frames;
        self.kinds.extend(other.kinds);
        self.faults.extend(other.faults);
        self.drift.extend(other.drift);
    }

    pub(super) fn is_well(&self) -> bool {
        self.faults.is_empty() && self.frames > 0
    }

    pub(super) fn in_short(&self) -> String {
        match self.faults.len() {
            0 => format!("{} frames", self.frames),
            faults => format!("{} frames, {faults} faults", self.frames),
        }
    }

    pub(super) fn row(&self) -> [String; 4] {
        [self.frames, self.kinds.len(), self.faults.len(), self.drift.len()].map(|count| count.to_string())
    }

    /// Faults first, then what is new without being wrong.
    pub(super) fn details(&self) -> impl Iterator<Item = String> {
        let faults = self.faults.iter().map(|fault| format!("fault: {fault}"));
        let drift = self
            .drift
            .iter()
            .map(|(place, example)| format!("drift: {place} {example}").trim_end().to_owned());
        faults.chain(drift)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Report {
        let report = json!({
            "frames": 3,
            "kinds": [{ "from": "agent", "kind": "system/init" }, { "from": "host", "kind": "user" }],
            "bad_lines": [{ "line": 1, "error": "not JSON" }],
            "round_trip_faults": [],
            "unknown_kinds": [{ "line": 2, "kind": "system/weather", "name": "weather" }],
            "misfits": [],
            "unknown_fields": [{ "line": 2, "kind": "result", "path": "mood", "example": "\"good\"" }],
            "unexpected_shapes": [],
            "unknown_names": [],
            "members added later": true,
        });
        serde_json::from_value(report).expect("is a report")
    }

    #[test]
    fn faults_fail_and_drift_does_not() {
        let verdict = report().verdict("simple.jsonl", |_| false);
        assert!(!verdict.is_well());
        assert_eq!(
            verdict.details().collect::<Vec<_>>(),
            [
                "fault: simple.jsonl:1 bad line: not JSON",
                "fault: simple.jsonl:2 unknown: system/weather weather",
                "drift: result mood \"good\"",
            ]
        );
        assert_eq!(verdict.row(), ["3", "1", "2", "1"]);
    }

    #[test]
    fn deliberate_errors_are_not_findings() {
        let verdict = report().verdict("simple.jsonl", |_| true);
        assert!(verdict.is_well());
        assert_eq!(verdict.details().count(), 0);
    }

    #[test]
    fn the_side_is_read_from_the_recording() {
        let recording = "{\"t\":0,\"dir\":\"in\",\"text\":\"x\"}\n{\"t\":1,\"dir\":\"out\",\"msg\":{}}\n";
        assert!(is_from_host(recording, 1));
        assert!(!is_from_host(recording, 2));
    }
}
