//! The suite `profiles`: agents of near dialects, driven through their profiles.
//!
//! A program on aqueduct-client (its example `dialect`) takes each agent through a conversation; `aqueduct run` does
//! the same without a terminal. The agents come from npm and call the scripted model's Chat Completions API.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cases::{self, Reported};
use super::scripted_api::ScriptedApi;
use super::{Args, reference};
use crate::npm;
use crate::workspace::Workspace;

/// An agent: its profile, the package and version on npm, and its program.
struct Agent {
    profile: &'static str,
    package: &'static str,
    version: &'static str,
    program: &'static str,
    /// The tool that writes files, with what it needs.
    write: &'static str,
}

const AGENTS: &[Agent] = &[Agent {
    profile: "qwen",
    package: "@qwen-code/qwen-code",
    version: "0.15.10",
    program: "node_modules/.bin/qwen",
    write: r#"@tool write_file {"file_path":"FOLDER/made.txt","content":"abc"}"#,
}];

pub(super) fn prepare(args: &Args) -> Result<()> {
    for agent in AGENTS {
        agent.install()?;
    }
    let workspace = Workspace::find()?;
    args.print_progress("building the program dialect");
    let built = workspace.build_example("aqueduct-client", "dialect")?;
    let kept = driver(&workspace);
    if let Some(folder) = kept.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(&built, &kept).with_context(|| format!("cannot copy {}", built.display())).map(drop)
}

/// Where the example waits for the closed network, in which nothing is built.
fn driver(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/dialect")
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let driver = driver(workspace);
    let started = Instant::now();
    let reported = cases::side_by_side(AGENTS, |agent| {
        let mut reported = drive(&driver, agent, &args.scenario)?;
        let mut lines = String::new();
        for (name, expected, arguments) in RUNS {
            if args.scenario.is_empty() || args.scenario.iter().any(|wanted| name.contains(wanted.as_str())) {
                lines.push_str(&run(aqueduct, agent, name, expected, arguments)?.to_string());
                lines.push('\n');
            }
        }
        if !lines.is_empty() {
            reported.extend(cases::read(lines.as_bytes())?);
        }
        Ok(reported)
    })?;
    let names: Vec<String> =
        AGENTS.iter().map(|agent| format!("{} {}", agent.package, agent.version)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(cases::report(&names, &reported, started))
}

impl Agent {
    fn install(&self) -> Result<PathBuf> {
        let folder = reference::lab()?.join(format!("{}-{}", self.profile, self.version));
        npm::install(&folder, self.package, self.version)?;
        Ok(folder.join(self.program))
    }
}

/// Runs the example with one agent, against a model of its own.
fn drive(driver: &Path, agent: &Agent, cases: &[String]) -> Result<Vec<Reported>> {
    let api = ScriptedApi::start()?;
    let output = Command::new(driver)
        .arg(agent.install()?)
        .arg(agent.profile)
        .args(cases)
        .env("OPENAI_BASE_URL", format!("{}/v1", api.url()))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {}", driver.display()))?;
    cases::read(&output.stdout).context("the program names its cases in tests/conformance/dialect/main.rs")
}

/// Runs of `aqueduct run` without a terminal: the case, what must be printed, and the arguments. `WRITE`
/// represents a prompt that writes a file.
const RUNS: &[(&str, &str, &[&str])] = &[
    ("run_answers", "hello from here", &["@say hello from here"]),
    ("run_denies_without_a_terminal", "has no terminal", &["WRITE"]),
    ("run_allows_by_mode", "after:", &["--permission-mode", "acceptEdits", "WRITE"]),
    ("run_refuses_a_missing_flag", "Qwen Code has no --max-budget-usd", &["--max-budget-usd", "1", "@say x"]),
];

fn run(aqueduct: &Path, agent: &Agent, name: &str, expected: &str, arguments: &[&str]) -> Result<Value> {
    let api = ScriptedApi::start()?;
    let began = Instant::now();
    let home = tempfile::tempdir()?;
    let folder = home.path().join("project");
    fs::create_dir(&folder)?;
    let write = agent.write.replace("FOLDER", &folder.display().to_string());
    let output = Command::new(aqueduct)
        .args(["run", "--profile", agent.profile, "--agent"])
        .arg(agent.install()?)
        .arg("--agent-arg=--auth-type=openai")
        .args(arguments.iter().map(|&argument| if argument == "WRITE" { write.as_str() } else { argument }))
        .current_dir(&folder)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("HOME", home.path())
        .env("OPENAI_BASE_URL", format!("{}/v1", api.url()))
        .env("OPENAI_API_KEY", "none")
        .env("OPENAI_MODEL", "scripted")
        .stdin(Stdio::null())
        .output()
        .context("cannot run aqueduct run")?;
    let answer =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let made = folder.join("made.txt").exists();
    let is_right = answer.contains(expected) && made == (name == "run_allows_by_mode");
    let (verdict, note) = match is_right {
        true => ("passed", String::new()),
        false => ("failed", format!("made.txt exists: {made}; it printed: {answer}")),
    };
    Ok(serde_json::json!({"case": name, "verdict": verdict, "note": note, "ms": began.elapsed().as_millis()}))
}
