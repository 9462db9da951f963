//! Requests that schemathesis derives from the document: values at the borders of every schema, random ones, invalid ones,
//! and sequences along the document's links.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::json;

use super::install::Tools;
use super::loopback_bridge::{LoopbackBridge, TOKEN};
use crate::conformance::hosts::install::write;
use crate::{program, terminal};

/// The phases. The document has no examples, so there are none to try.
const PHASES: &str = "coverage,fuzzing,stateful";

/// Cases of the phases fuzzing and stateful, for each operation. The phase coverage has as many as the schemas need.
const CASES: &str = "15";

/// The seed, unless one is given: a run is the same every time.
const SEED: u64 = 1;

/// A check that is not made, or takes one more status.
struct Exception {
    check: &'static str,
    /// The operations; empty for all.
    operations: &'static [&'static str],
    /// What replaces the check.
    setting: &'static str,
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: "ignored_auth",
        operations: &[],
        setting: "enabled = false",
        reason: "after ten wrong tokens the bridge answers 429, as documented, and the check knows 401 and 403 only; \
                 tests/it/server/scopes/routes.rs of the bridge tries every credential on every route",
    },
    Exception {
        check: "positive_data_acceptance",
        operations: &["subscribe_push"],
        setting: r#"expected-statuses = ["2xx", 400, 401, 403, 404, 409, 429]"#,
        reason: "a key must be a point of P-256 and an address that of a push service, which no schema can state",
    },
    Exception {
        check: "positive_data_acceptance",
        operations: &["approve_always"],
        setting: r#"expected-statuses = ["2xx", 400, 401, 403, 404, 409, 429]"#,
        reason: "the parentheses of a rule must be balanced, which no schema can state",
    },
    Exception {
        check: "response_schema_conformance",
        operations: &["events", "session_events"],
        setting: "enabled = false",
        reason: "the check applies the schema to the frame of an event, and it is that of its `data`; the generated clients \
                 read every event into its type",
    },
];

/// The parts of the report that are used.
#[derive(Deserialize)]
struct Report {
    complete: bool,
    operations: Operations,
    test_cases: TestCases,
    failures: Vec<Failure>,
    errors: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Operations {
    total: u64,
    tested: u64,
}

#[derive(Deserialize)]
struct TestCases {
    generated: u64,
}

#[derive(Deserialize)]
struct Failure {
    title: String,
    count: u64,
    operations: Vec<String>,
}

/// Runs schemathesis against a bridge. Returns whether nothing was found.
pub(super) fn play(tools: &Tools, folder: &Path, bridge: &LoopbackBridge, seed: Option<u64>) -> Result<bool> {
    let place = folder.join("schemathesis");
    fs::create_dir_all(&place).context("cannot make a directory")?;
    let (settings, report) = (place.join("schemathesis.toml"), place.join("report.json"));
    write(&settings, &config(bridge))?;
    let url = bridge.url();
    let ended = program::run(
        Command::new(tools.python.join("bin/schemathesis"))
            .current_dir(&place)
            .arg("--config-file")
            .arg(&settings)
            .args(["run", &format!("{url}/api/v1/openapi.json"), "--url", &url])
            .args(["--phases", PHASES, "--max-examples", CASES, "--no-shrink", "--no-color"])
            .args(["--seed", &seed.unwrap_or(SEED).to_string()])
            .args(["--report", "json", "--report-json-path"])
            .arg(&report),
    )?;
    write(&place.join("output.txt"), &ended.output)?;
    write(&place.join("bridge.log"), &bridge.log())?;
    let text = fs::read(&report)
        .with_context(|| format!("schemathesis has written no report:\n{}", ended.output.trim_end()))?;
    let report: Report =
        serde_json::from_slice(&text).context("the report of schemathesis is another one")?;
    print(&report, &place);
    ensure!(
        report.operations.tested == report.operations.total,
        "{} of {} operations were tested",
        report.operations.tested,
        report.operations.total
    );
    Ok(ended.success && report.complete && report.failures.is_empty() && report.errors.is_empty())
}

/// The settings, in TOML. A string in JSON is one in TOML.
fn config(bridge: &LoopbackBridge) -> String {
    let mut config = format!(
        "request-timeout = 30\ncontinue-on-failure = true\nmax-stream-events = 1\n\n\
         [headers]\nAuthorization = {}\n\n\
         [dictionaries.projects]\nvalues = [{}]\n\n\
         [dictionaries.prompts]\nvalues = [{}, {}]\n\n\
         [parameters]\n\"header.Origin\" = {}\n\
         \"query.projectPath\" = {{ dictionary = \"projects\", probability = 0.5 }}\n\
         \"body.projectPath\" = {{ dictionary = \"projects\", probability = 0.8 }}\n\
         \"body.text\" = {{ dictionary = \"prompts\", probability = 0.5 }}\n\n\
         [phases.stateful]\nmax-steps = 8\n",
        json!(format!("Bearer {TOKEN}")),
        json!(bridge.project()),
        json!("@say one"),
        json!("@tool Bash {\"command\":\"true\"}"),
        json!(bridge.url()),
    );
    for exception in EXCEPTIONS {
        // Writing to a String can't fail.
        let _ = match exception.operations {
            [] => writeln!(config, "\n[checks.{}]\n{}", exception.check, exception.setting),
            operations => writeln!(
                config,
                "\n[[operations]]\ninclude-operation-id = {}\n[operations.checks.{}]\n{}",
                json!(operations),
                exception.check,
                exception.setting
            ),
        };
    }
    config
}

fn print(report: &Report, place: &Path) {
    let rows: Vec<Vec<String>> = report
        .failures
        .iter()
        .map(|failure| vec![failure.title.clone(), failure.count.to_string(), failure.operations.join(", ")])
        .collect();
    if !rows.is_empty() {
        println!("{}\n", terminal::table(&["failure", "cases", "operations"], &rows));
    }
    let exceptions: Vec<Vec<String>> = EXCEPTIONS
        .iter()
        .map(|exception| {
            let operations = match exception.operations {
                [] => "all".to_owned(),
                operations => operations.join(", "),
            };
            vec![exception.check.to_owned(), operations, exception.reason.to_owned()]
        })
        .collect();
    println!("{}\n", terminal::table(&["check left out", "operations", "reason"], &exceptions));
    println!(
        "  schemathesis: {} cases in {PHASES}, {} operations: {} failures, {} errors; output and log: {}",
        report.test_cases.generated,
        report.operations.tested,
        report.failures.len(),
        report.errors.len(),
        place.display()
    );
}
