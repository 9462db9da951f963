//! The case `review_bot`: a program that reviews twenty changes at once, on our SDK and on the official ones.
//!
//! The three programs have the same features and the same command line, and have to print the same. It is not visible in their
//! output whether policy, hook and answer were followed, so the transcripts are read too.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use super::cases::Reported;
use super::reference;
use super::scripted_api::ScriptedApi;
use super::stage::QUIET;

pub(super) const CASE: &str = "review_bot";

/// How many changes are reviewed at once.
const CHANGES: usize = 20;

/// What the model does in a review, and in the verdict that follows it.
const SCRIPT: &str = r#"@saytool Tests first.|Bash {"command":"make test"}
@tool Bash {"command":"touch made"}
@tool Read {"file_path":".env"}
@tool mcp__review__report {"file":"a.rs","line":3,"problem":"The index is one too high."}
@tool AskUserQuestion {"questions":[{"question":"Is it urgent?","header":"Urgency","multiSelect":false,"options":[{"label":"No","description":"it can wait"},{"label":"Yes","description":"it can not"}]}]}
@say One problem.
@tool StructuredOutput {"approved":false,"reason":"An index is wrong."}"#;

/// What is printed about each change, sorted.
const PRINTED: &[&str] = &[
    "> AskUserQuestion",
    "> Bash",
    "> Bash",
    "> Read",
    "> mcp__review__report",
    "Tests first.One problem.",
    "a.rs:3: The index is one too high.",
    "approved: false, An index is wrong.",
];

/// What is in the transcript of each: what policy, hook and answer made of the calls.
const REMEMBERED: &[&str] =
    &["Reviewers only read and test.", "That file is secret.", r#"Is it urgent?\"=\"No\""#];

/// Whether the case is to be played.
pub(super) fn is_wanted(scenarios: &[String]) -> bool {
    scenarios.is_empty() || scenarios.iter().any(|wanted| wanted == CASE)
}

/// Runs a program with each agent, one after the other: a verdict about each. The agents are named as in the report.
pub(super) fn play(agents: &[(&str, &Path)], program: impl Fn() -> Command) -> Vec<Reported> {
    let newest = format!("reference {}", reference::NEWEST);
    let reviewed: Vec<Result<String>> = agents.iter().map(|(_, agent)| review(agent, &program)).collect();
    let found = agents.iter().zip(&reviewed).find(|((name, _), _)| *name == newest);
    let expected = found.and_then(|(_, cost)| cost.as_ref().ok().cloned());
    let verdicts = agents.iter().zip(reviewed).map(|((name, _), cost)| {
        let played = cost.and_then(|cost| match &expected {
            // Other versions of the reference have other models.
            Some(expected) if !name.starts_with("reference") && *expected != cost => {
                bail!("the reviews cost {cost}, and with the {newest} {expected}")
            }
            _ => Ok(()),
        });
        Reported::of(CASE, &played)
    });
    verdicts.collect()
}

/// Runs a program with one agent: all changes, one that costs too much, and one that takes too long. Returns the cost
/// that it prints.
fn review(agent: &Path, program: &impl Fn() -> Command) -> Result<String> {
    let place = BotPlace::new()?;
    let changes: Vec<String> = (0..CHANGES).map(|change| format!("change{change:02}\n{SCRIPT}")).collect();
    let mut printed = place.run(agent, &mut program(), ["600", "5"], &changes)?;
    printed.sort();
    // A figure sorts before the names.
    let cost = printed.remove(0);
    ensure!(cost.ends_with(" US$") && cost != "0.0000 US$", "it prints no cost: {cost}");
    let expected: Vec<String> = (0..CHANGES)
        .flat_map(|change| PRINTED.iter().map(move |line| format!("change{change:02}: {line}")))
        .collect();
    if let Some((line, other)) = printed.iter().zip(&expected).find(|(line, other)| line != other) {
        bail!("it prints {line:?} and not {other:?}");
    }
    ensure!(printed.len() == expected.len(), "it prints {} lines and not {}", printed.len(), expected.len());
    ensure!(place.project.path().join("tested").exists(), "the tests did not run");
    ensure!(!place.project.path().join("made").exists(), "what is not allowed ran");
    let remembered = place.sessions_with(REMEMBERED)?;
    ensure!(remembered == CHANGES, "policy, hook and answer were followed in {remembered} sessions");

    let over = place.run(agent, &mut program(), ["600", "0.000001"], &changes[..1])?;
    ensure!(over.iter().any(|line| line.contains("budget")), "the budget was passed: {over:?}");
    let late = place.run(agent, &mut program(), ["1", "5"], &["slow\n@slow 1000 1".to_owned()])?;
    ensure!(late.iter().any(|line| line == "slow: not done within 1 s"), "the time was passed: {late:?}");
    Ok(cost)
}

/// A home, a project with tests and a secret, and a model.
struct BotPlace {
    home: TempDir,
    project: TempDir,
    api: ScriptedApi,
}

impl BotPlace {
    fn new() -> Result<Self> {
        let directory = || tempfile::Builder::new().prefix("aqueduct-").tempdir();
        let (home, project) = (directory()?, directory()?);
        fs::write(project.path().join("Makefile"), "test:\n\t@touch tested\n")?;
        fs::write(project.path().join(".env"), "SECRET=1\n")?;
        Ok(Self { home, project, api: ScriptedApi::start()? })
    }

    fn run(
        &self,
        agent: &Path,
        program: &mut Command,
        limits: [&str; 2],
        changes: &[String],
    ) -> Result<Vec<String>> {
        let output = program
            .arg(agent)
            .args(limits)
            .args(changes)
            .current_dir(self.project.path())
            .env("HOME", self.home.path())
            .env("ANTHROPIC_BASE_URL", self.api.url())
            .envs(QUIET.iter().copied())
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot run {}", program.get_program().display()))?;
        ensure!(output.status.success(), "the bot ended with {}", output.status);
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// How many sessions have all these texts in their transcripts.
    fn sessions_with(&self, texts: &[&str]) -> Result<usize> {
        let mut folders = vec![self.home.path().join(".claude/projects")];
        let mut found = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                    let transcript = fs::read_to_string(path)?;
                    found += usize::from(texts.iter().all(|text| transcript.contains(text)));
                }
            }
        }
        Ok(found)
    }
}
