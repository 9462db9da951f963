//! The summary of all rounds, for people or as JSON.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fates::{Counts, Fault, Finding};
use crate::faults::Applied;
use crate::options::{Agent, Options};

/// What became of one round.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) agent: Agent,
    pub(crate) seed: u64,
    pub(crate) kills_planned: usize,
    pub(crate) applied: Applied,
    pub(crate) starts: usize,
    pub(crate) counts: Counts,
    /// From the last fault until every session was at rest.
    pub(crate) recovery: Duration,
    /// The longest time until an input was acknowledged.
    pub(crate) slowest: Duration,
    pub(crate) refusals: BTreeMap<String, usize>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) folder: String,
}

impl Outcome {
    pub(crate) fn failed(agent: Agent, seed: u64, kills: usize, problem: String) -> Outcome {
        Outcome {
            agent,
            seed,
            kills_planned: kills,
            applied: Applied::default(),
            starts: 0,
            counts: Counts::default(),
            recovery: Duration::ZERO,
            slowest: Duration::ZERO,
            refusals: BTreeMap::new(),
            findings: vec![Finding { fault: Fault::Stuck, text: problem }],
            folder: String::new(),
        }
    }

    fn kills(&self) -> usize {
        self.applied.kills.values().sum()
    }

    /// The command that runs this round again.
    fn again(&self) -> String {
        format!(
            "cargo xtask conformance crash --agent {} --seed {} --kills {}",
            self.agent.name(),
            self.seed,
            self.kills_planned
        )
    }
}

pub(crate) struct Report {
    json: bool,
    seed: u64,
    kills: usize,
    began: Instant,
    outcomes: Vec<Outcome>,
}

impl Report {
    pub(crate) fn new(options: &Options) -> Report {
        Report {
            json: options.json,
            seed: options.seed,
            kills: options.kills,
            began: Instant::now(),
            outcomes: Vec::new(),
        }
    }

    /// Adds a round, and reports the progress.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        if !outcome.findings.is_empty() && !self.json {
            self.clear_line();
            println!("  FAILED round {} with agent {}", outcome.seed, outcome.agent.name());
            for finding in &outcome.findings {
                println!("    {finding}");
            }
            println!("    folder: {}", outcome.folder);
            println!("    repeat: {}", outcome.again());
        }
        self.outcomes.push(outcome);
        self.show_progress();
    }

    /// How many processes were killed so far.
    pub(crate) fn kills(&self) -> usize {
        self.outcomes.iter().map(Outcome::kills).sum()
    }

    /// A round without a kill did not even begin: more of them would do the same.
    pub(crate) fn is_broken(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.kills() == 0 && !outcome.findings.is_empty())
    }

    fn show_progress(&self) {
        if self.json || !std::io::stdout().is_terminal() {
            return;
        }
        let kills = self.kills();
        let failed = self.outcomes.iter().filter(|outcome| !outcome.findings.is_empty()).count();
        print!(
            "\r\x1b[2K  {kills} of {} kills, {} rounds, {failed} failed, {} s",
            self.kills,
            self.outcomes.len(),
            self.began.elapsed().as_secs()
        );
        let _ = std::io::stdout().flush();
    }

    fn clear_line(&self) {
        if std::io::stdout().is_terminal() {
            print!("\r\x1b[2K");
        }
    }

    /// Prints the summary. Returns whether nothing was found.
    pub(crate) fn finish(self) -> bool {
        let is_well = self.outcomes.iter().all(|outcome| outcome.findings.is_empty());
        match self.json {
            true => println!("{}", self.to_json()),
            false => self.print(),
        }
        is_well
    }

    fn kills_by_fault(&self) -> BTreeMap<&'static str, usize> {
        let mut kills = BTreeMap::new();
        for (name, count) in self.outcomes.iter().flat_map(|outcome| &outcome.applied.kills) {
            *kills.entry(*name).or_default() += count;
        }
        kills
    }

    fn refusals(&self) -> BTreeMap<&str, usize> {
        let mut refusals = BTreeMap::new();
        for (why, count) in self.outcomes.iter().flat_map(|outcome| &outcome.refusals) {
            *refusals.entry(why.as_str()).or_default() += count;
        }
        refusals
    }

    fn found(&self, agent: Agent, fault: Fault) -> usize {
        let of_agent = self.outcomes.iter().filter(|outcome| outcome.agent == agent);
        of_agent.flat_map(|outcome| &outcome.findings).filter(|finding| finding.fault == fault).count()
    }

    /// The columns of the summary: one row for each agent.
    fn row(&self, agent: Agent) -> Vec<(&'static str, String)> {
        let of_agent: Vec<&Outcome> = self.outcomes.iter().filter(|outcome| outcome.agent == agent).collect();
        let sum = |count: fn(&Counts) -> usize| {
            of_agent.iter().map(|o| count(&o.counts)).sum::<usize>().to_string()
        };
        let recovery = of_agent.iter().map(|outcome| outcome.recovery).max().unwrap_or_default();
        let mut row = vec![
            ("agent", agent.name().to_owned()),
            ("rounds", of_agent.len().to_string()),
            ("kills", of_agent.iter().map(|outcome| outcome.kills()).sum::<usize>().to_string()),
            ("freezes", of_agent.iter().map(|outcome| outcome.applied.freezes).sum::<usize>().to_string()),
            ("bridge starts", of_agent.iter().map(|outcome| outcome.starts).sum::<usize>().to_string()),
            ("inputs", sum(|counts| counts.inputs)),
            ("acknowledged", sum(|counts| counts.acknowledged)),
            ("done", sum(|counts| counts.done)),
            ("agent ended", sum(|counts| counts.cut)),
            ("unconfirmed", sum(|counts| counts.unconfirmed)),
            ("sent again", sum(|counts| counts.resent)),
            ("cancelled", sum(|counts| counts.cancelled)),
            ("decisions", sum(|counts| counts.decisions)),
        ];
        for (name, fault) in FAULTS {
            row.push((name, self.found(agent, *fault).to_string()));
        }
        let slowest = of_agent.iter().map(|outcome| outcome.slowest).max().unwrap_or_default();
        row.push(("slowest ack", format!("{:.1} s", slowest.as_secs_f64())));
        row.push(("longest recovery", format!("{:.1} s", recovery.as_secs_f64())));
        row
    }

    fn agents(&self) -> Vec<Agent> {
        let all = [Agent::Own, Agent::Plain, Agent::Reference];
        all.into_iter().filter(|agent| self.outcomes.iter().any(|outcome| outcome.agent == *agent)).collect()
    }

    fn print(&self) {
        self.clear_line();
        let rows: Vec<_> = self.agents().into_iter().map(|agent| self.row(agent)).collect();
        for place in 0..rows.first().map_or(0, Vec::len) {
            let cells: Vec<String> = rows.iter().map(|row| format!("{:>10}", row[place].1)).collect();
            println!("  {:<18}{}", rows[0][place].0, cells.join(""));
        }
        println!("\n  kills by fault");
        for (name, count) in self.kills_by_fault() {
            println!("  {name:<24}{count:>6}");
        }
        for (why, count) in self.refusals() {
            println!("  refused {count} times: {why}");
        }
        println!("  seed {}, in {} s", self.seed, self.began.elapsed().as_secs());
    }

    fn to_json(&self) -> Value {
        let agents: Vec<Value> = self
            .agents()
            .into_iter()
            .map(|agent| {
                let members =
                    self.row(agent).into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
                Value::Object(members.collect())
            })
            .collect();
        let failures: Vec<Value> = self
            .outcomes
            .iter()
            .filter(|outcome| !outcome.findings.is_empty())
            .map(|outcome| {
                let findings: Vec<String> = outcome.findings.iter().map(ToString::to_string).collect();
                json!({
                    "agent": outcome.agent.name(), "seed": outcome.seed, "findings": findings,
                    "folder": outcome.folder, "repeat": outcome.again(),
                })
            })
            .collect();
        json!({
            "seed": self.seed, "seconds": self.began.elapsed().as_secs_f64(), "agents": agents,
            "kills": self.kills_by_fault(), "refusals": self.refusals(), "failures": failures,
        })
    }
}

const FAULTS: &[(&str, Fault)] = &[
    ("lost", Fault::Lost),
    ("twice", Fault::Twice),
    ("stuck", Fault::Stuck),
    ("leaked", Fault::Leaked),
    ("history differs", Fault::History),
    ("decisions wrong", Fault::Decision),
];
