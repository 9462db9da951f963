//! Which functions run: the agent under callgrind, in a conversation with the scripted model over HTTP.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::conformance::ScriptedApi;

/// The part of a session that a group of functions belongs to.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What the host sends before it closes the agent's input.
    frames: fn() -> Vec<Value>,
}

/// From the start on: what an earlier step names is not named again.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "start",
        about: "from the start of the process to the answered `initialize`",
        frames: start,
    },
    Step { name: "turn", about: "a prompt, its request to the model and its streamed answer", frames: turn },
];

/// How often a step is run.
const RUNS: usize = 3;

/// stream-json both ways, with deltas.
const FLAGS: &[&str] = &[
    "-p",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--include-partial-messages",
];

fn start() -> Vec<Value> {
    vec![json!({ "type": "control_request", "request_id": "init", "request": { "subtype": "initialize" } })]
}

fn turn() -> Vec<Value> {
    let content = json!([{ "type": "text", "text": "@say an answer of a few words" }]);
    let prompt = json!({ "type": "user", "message": { "role": "user", "content": content } });
    start().into_iter().chain([prompt]).collect()
}

impl Step {
    /// The symbols of all functions that run until the agent ends, in any of several runs: what waits for what differs.
    pub(super) fn run(&self, program: &Path) -> Result<HashSet<String>> {
        let mut all = HashSet::new();
        for _ in 0..RUNS {
            all.extend(self.run_once(program)?);
        }
        Ok(all)
    }

    fn run_once(&self, program: &Path) -> Result<HashSet<String>> {
        let api = ScriptedApi::start()?;
        let place = tempfile::tempdir().context("cannot make a directory")?;
        let (counts, input) = (place.path().join("counts"), place.path().join("input"));
        let lines = (self.frames)().iter().map(|frame| format!("{frame}\n")).collect::<String>();
        fs::write(&input, lines).context("cannot write the agent's input")?;
        let mut agent = Command::new("valgrind");
        agent
            .args(["--tool=callgrind", "--demangle=no"])
            .arg(format!("--callgrind-out-file={}", counts.display()))
            .arg(program)
            .args(FLAGS)
            .current_dir(place.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", place.path())
            .env("ANTHROPIC_BASE_URL", api.url())
            .env("ANTHROPIC_API_KEY", "not-a-key")
            .stdin(File::open(&input).context("cannot open the agent's input")?)
            .stdout(Stdio::null());
        let ended = agent.output().context("cannot run the agent under valgrind")?;
        ensure!(
            ended.status.success(),
            "the agent failed under valgrind:\n{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        let counts = fs::read_to_string(&counts).context("callgrind wrote no counts")?;
        Ok(functions(&counts))
    }
}

/// The functions in callgrind's file. A name follows its number once: `fn=(12) name`, later `fn=(12)`.
fn functions(counts: &str) -> HashSet<String> {
    let named = |line: &str| {
        let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
        let (_, name) = rest.split_once(") ")?;
        Some(name.to_owned())
    };
    counts.lines().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_where_they_are_named() {
        let counts = "fl=(1) main.rs\nfn=(1) one\n12 4\ncfn=(2) two\ncalls=1 0\n12 4\nfn=(1)\n13 1\n";
        assert_eq!(functions(counts), ["one".to_owned(), "two".to_owned()].into());
    }
}
