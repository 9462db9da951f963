//! The generated TypeScript, compiled by TypeScript itself, and compared with the fixtures: what
//! really goes over the wire has to match its types.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::outcome::Outcome;
use crate::npm;
use crate::program;
use crate::workspace::Workspace;

const TYPESCRIPT: &str = "5.9.3";

/// The modules that are generated from the tables, and the types of what is sent.
const MODULES: &[(&str, &[&str])] = &[
    ("crates/aqueduct-wire/generated/stream-json.ts", &["FromAgent", "ToAgent"]),
    ("packages/npm/src/generated/messages.ts", &["ClientMessage", "BridgeMessage"]),
];

/// What the paths of fixtures begin with, one frame or message a line, and the type that they have.
const FIXTURES: &[(&str, &str)] = &[
    ("crates/aqueduct-wire/tests/fixtures/from_agent/", "FromAgent"),
    ("crates/aqueduct-wire/tests/fixtures/to_agent/", "ToAgent"),
    ("crates/aqueduct-bridge/tests/fixtures/client", "ClientMessage"),
    ("crates/aqueduct-bridge/tests/fixtures/bridge", "BridgeMessage"),
];

/// A frame and its position.
struct Frame {
    place: String,
    kind: &'static str,
    json: String,
}

pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    if let Some((missing, _)) = MODULES.iter().find(|(module, _)| !workspace.path(module).is_file()) {
        return Ok(Outcome::failed(format!("{missing} is missing: run cargo xtask gen")));
    }
    let compiler = workspace.scratch(&format!("typescript-{TYPESCRIPT}"));
    npm::install(&compiler, "typescript", TYPESCRIPT)?;
    let frames = frames(workspace)?;
    let page = workspace.scratch("types/fixtures.ts");
    let modules: Vec<_> = MODULES.iter().map(|(module, types)| (workspace.path(module), *types)).collect();
    write(&page, &source(&modules, &frames))?;

    let compiler = compiler.join("node_modules/.bin/tsc");
    let mut tsc = workspace.command(compiler.to_str().context("the repository's path is not UTF-8")?);
    tsc.args([
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "es2022",
        "--moduleResolution",
        "bundler",
    ]);
    tsc.args(["--allowImportingTsExtensions", "--pretty", "false"]);
    let ended = program::run(tsc.args(modules.iter().map(|(module, _)| module)).arg(&page))?;
    if ended.success {
        return Ok(Outcome { passed: modules.len() + frames.len(), ..Outcome::default() });
    }
    Ok(failure(preamble(&modules).len(), &frames, &ended.output))
}

fn frames(workspace: &Workspace) -> Result<Vec<Frame>> {
    let mut frames = Vec::new();
    for path in workspace.files()? {
        let Some((_, kind)) = FIXTURES.iter().find(|(directory, _)| path.starts_with(directory)) else {
            continue;
        };
        let text =
            fs::read_to_string(workspace.path(&path)).with_context(|| format!("cannot read {path}"))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        frames.extend(lines.map(|(index, line)| Frame {
            place: format!("{path}:{}", index + 1),
            kind,
            json: line.to_owned(),
        }));
    }
    Ok(frames)
}

/// The lines before the first frame: an import for each module, a function for each type.
fn preamble(modules: &[(PathBuf, &[&str])]) -> Vec<String> {
    let imports = modules.iter().map(|(module, types)| {
        let module = serde_json::Value::from(module.to_string_lossy());
        format!("import type {{ {} }} from {module};", types.join(", "))
    });
    let types = modules.iter().flat_map(|(_, types)| types.iter());
    let functions = types.map(|name| format!("declare function is{name}<T extends {name}>(frame: T): void;"));
    imports.chain(functions).collect()
}

/// One call a line. The type parameter keeps TypeScript from refusing members it does not know:
/// frames may always have more members than their type.
fn source(modules: &[(PathBuf, &[&str])], frames: &[Frame]) -> String {
    let mut lines = preamble(modules);
    lines.extend(frames.iter().map(|frame| format!("is{}({});", frame.kind, frame.json)));
    lines.join("\n") + "\n"
}

/// Reports errors with the fixture they are about. `before` is the number of lines before the first frame.
fn failure(before: usize, frames: &[Frame], output: &str) -> Outcome {
    let at_fault = |line: &str| {
        let number: usize = line.split_once("fixtures.ts(")?.1.split(',').next()?.parse().ok()?;
        frames.get(number.checked_sub(before + 1)?)
    };
    let mut bad: Vec<&str> = Vec::new();
    let mut text = String::new();
    for line in output.lines() {
        if let Some(frame) = at_fault(line) {
            bad.push(&frame.place);
            text.push_str(&format!("{}: ", frame.place));
        }
        text.push_str(line);
        text.push('\n');
    }
    bad.dedup();
    let failed = bad.len().max(1);
    Outcome { passed: frames.len().saturating_sub(bad.len()), failed, text, ..Outcome::default() }
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(place: &str) -> Frame {
        Frame { place: place.into(), kind: "FromAgent", json: r#"{"type":"result"}"#.into() }
    }

    #[test]
    fn an_error_is_reported_with_its_fixture() {
        let frames = [frame("a.jsonl:1"), frame("b.jsonl:7")];
        let modules: [(PathBuf, &[&str]); 1] = [("m.ts".into(), &["FromAgent", "ToAgent"])];
        let source = source(&modules, &frames);
        let first = source.lines().position(|line| line.starts_with("isFromAgent")).unwrap_or(0);
        let output = format!("x/fixtures.ts({},13): error TS2345: no\n", first + 2);
        let outcome = failure(preamble(&modules).len(), &frames, &output);
        assert_eq!((outcome.passed, outcome.failed), (1, 1));
        assert!(outcome.text.starts_with("b.jsonl:7: "), "{}", outcome.text);
    }

    #[test]
    fn an_error_of_the_module_is_one_failure() {
        let outcome = failure(3, &[frame("a.jsonl:1")], "stream-json.ts(3,4): error TS1005: ';' expected.\n");
        assert_eq!((outcome.passed, outcome.failed), (1, 1));
    }
}
