//! The client with the real agent: its examples, its page, and an agent that is killed.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use aqueduct_client::{Error, Event, ExitStatus, OPTIONS, Outcome, Session};
use assert_cmd::cargo::cargo_bin;

use crate::{Run, run};

const PAGE: &str = include_str!("../../../../docs/sdk.md");

/// Runs an example where the page has `cargo run`: the one that was built with these tests.
const CARGO: &str = r#"
cargo() {
    while [ "$1" != -- ]; do
        if [ "$1" = --example ]; then name=$2; fi
        shift
    done
    shift
    "$EXAMPLES/sdk-${name//_/-}" "$@"
}
"#;

/// A place to run in: a project and a home, both empty, and a folder with the programs.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a directory"));
        for folder in ["project", "bin"] {
            std::fs::create_dir(place.path(folder)).expect("a folder");
        }
        let aqueduct = cargo_bin("aqueduct");
        std::os::unix::fs::symlink(&aqueduct, place.path("bin/aqueduct")).expect("a link");
        place.program("aqueduct-agent", "exec aqueduct agent \"$@\"");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// Adds a program.
    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("an executable");
    }

    /// Runs a command of the page, with no environment but what is set here.
    fn run(&self, command: &str) -> Run {
        let programs = cargo_bin("aqueduct");
        let examples = programs.parent().expect("a folder").join("examples");
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{CARGO}\n{command}")]).current_dir(self.project()).stdin(Stdio::null());
        shell.env_clear().env("HOME", self.0.path()).env("EXAMPLES", examples).env("LC_ALL", "C.UTF-8");
        run(shell.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display())))
    }

    /// Runs an example as the page shows it, and checks that it prints what the page shows.
    fn shows(&self, example: &str) {
        let command = format!("--example {example} ");
        let blocks = PAGE.split("```console\n$ ").skip(1).filter_map(|rest| rest.split_once("\n```"));
        let (block, _) = blocks.into_iter().find(|(block, _)| block.contains(&command)).expect("it is shown");
        // The command continues until its quotes are closed.
        let ends = block.match_indices('\n').find(|(at, _)| block[..*at].matches('\'').count() % 2 == 0);
        let (command, shown) = block.split_at(ends.expect("a command").0);
        let run = self.run(command);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{example}: {}", run.out);
        assert!(
            fits(shown.trim_start_matches('\n'), &run.out),
            "{example} prints\n{}\nand not{shown}",
            run.out
        );
    }
}

/// Whether a text matches a pattern. `…` matches anything; on a line of its own, for any lines.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| text.trim_end().strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn hello() {
    let place = Place::new();
    place.shows("hello");
    // A run that fails is an exit code, and a line with the reason.
    let failed = place.run("cargo run --example hello -- aqueduct-agent '@fail 400 9 no'");
    assert_eq!((failed.code, failed.out.as_str()), (1, ""), "{}", failed.err);
    assert!(
        failed.err.starts_with("Error: NotDone(the model's API failed: API Error: 400"),
        "{}",
        failed.err
    );
    assert_eq!(failed.err.lines().count(), 1, "{}", failed.err);
}

#[test]
fn deadline() {
    Place::new().shows("deadline");
}

#[test]
fn structured() {
    Place::new().shows("structured");
}

#[test]
fn streaming() {
    Place::new().shows("streaming");
}

#[test]
fn permissions() {
    let place = Place::new();
    place.shows("permissions");
    assert!(place.project().join("notes").exists());
}

#[test]
fn questions() {
    Place::new().shows("questions");
}

#[test]
fn hooks() {
    Place::new().shows("hooks");
}

#[test]
fn mcp() {
    Place::new().shows("mcp");
}

#[test]
fn rules() {
    let place = Place::new();
    place.shows("rules");
    assert!(place.project().join("made").exists());
}

#[test]
fn images() {
    let place = Place::new();
    std::fs::write(place.project().join("letter.txt"), "dear all").expect("a file");
    place.shows("images");
    let missing = place.run("cargo run --example images -- aqueduct-agent '@say never' missing.txt");
    assert!(missing.out.contains("can't attach missing.txt: No such file"), "{}", missing.out);
}

#[test]
fn subagents() {
    Place::new().shows("subagents");
}

#[test]
fn many_sessions() {
    Place::new().shows("many_sessions");
}

/// A review with everything in it, and the verdict after it.
const REVIEW: &str = r#"@saytool Tests first.|Bash {"command":"make test"}
@tool Bash {"command":"touch made"}
@tool Bash {"command":"rm -r made"}
@tool Read {"file_path":".env"}
@tool mcp__review__report {"file":"a.rs","line":3,"problem":"Too high."}
@tool AskUserQuestion {"questions":[{"question":"Is it urgent?","header":"Urgency","multiSelect":false,"options":[{"label":"No","description":"it can wait"},{"label":"Yes","description":"it can not"}]}]}
@say One problem.
@tool StructuredOutput {"approved":false,"reason":"An index is wrong."}"#;

/// What policy, hook and answer made of the calls of a review.
const DECIDED: [&str; 4] =
    ["Reviewers only read and test.", "Bash(rm:*)", "That file is secret.", r#"Is it urgent?\"=\"No\""#];

/// What the transcripts of a place have, one text for each session.
fn transcripts(place: &Place) -> Vec<String> {
    let mut folders = vec![place.path(".claude/projects")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(std::fs::read_to_string(path).expect("a transcript")),
            }
        }
    }
    found
}

#[test]
fn review_bot() {
    let place = Place::new();
    place.shows("review_bot");

    // A model that costs something.
    let (_served, address) = crate::scripted_api::start(&[]);
    let model = format!(
        "export ANTHROPIC_BASE_URL=http://{address} ANTHROPIC_API_KEY=x; cargo --example review_bot --"
    );
    std::fs::write(place.project().join("Makefile"), "test:\n\t@touch tested\n").expect("a file");
    let names: Vec<String> = (10..30).map(|name| format!("change{name}")).collect();
    let changes: Vec<String> = names.iter().map(|name| format!("'{name}\n{REVIEW}'")).collect();
    let ran = place.run(&format!("{model} aqueduct-agent 3600 5 {} | sort", changes.join(" ")));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let (cost, lines) = ran.out.split_once('\n').expect("a cost");
    assert!(cost.ends_with(" US$") && cost != "0.0000 US$", "{cost}");
    let expected = names.iter().flat_map(|name| {
        ["> AskUserQuestion", "> Bash", "> Bash", "> Bash", "> Read", "> mcp__review__report"]
            .into_iter()
            .chain(["Tests first.One problem.", "a.rs:3: Too high.", "approved: false, An index is wrong."])
            .map(move |line| format!("{name}: {line}\n"))
    });
    assert_eq!(lines, expected.collect::<String>());
    assert!(place.project().join("tested").exists() && !place.project().join("made").exists());
    let decided = |text: &&String| DECIDED.iter().all(|part| text.contains(part));
    assert_eq!(transcripts(&place).iter().filter(decided).count(), names.len());

    let over = place.run(&format!("{model} aqueduct-agent 3600 0.000001 {}", changes[0]));
    assert!(over.out.contains("a limit was reached: Reached maximum budget"), "{}", over.out);
    let late = place.run(&format!("{model} aqueduct-agent 1 5 'slow\n@slow 1000 1'"));
    assert!(late.out.contains("slow: not done within 1 s\n"), "{}{}", late.out, late.err);
}

#[test]
fn the_page_counts_the_lines_of_the_review_bots() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows = PAGE.lines().filter(|line| line.starts_with("| ") && line.contains("[review_bot."));
    let mut counts = Vec::new();
    for row in rows {
        let (path, rest) =
            row.split_once("(../").and_then(|(_, rest)| rest.split_once(") | ")).expect("a link");
        let lines = std::fs::read_to_string(root.join(path)).expect("a program").lines().count();
        assert_eq!(rest, format!("{lines} |"), "{row}");
        counts.push(lines);
    }
    assert_eq!(counts.len(), 3);
    assert!(counts[0] <= 110, "{counts:?}");
}

#[test]
fn replay() {
    let place = Place::new();
    // Recorded with one host, played for another.
    place.program("tap", "exec aqueduct record -o run.jsonl -- aqueduct agent \"$@\"");
    let prompt = "@tool Bash {\"command\":\"touch notes\"}\n@say Done.";
    let recorded = place.run(&format!("cargo run --example permissions -- tap '{prompt}'"));
    assert_eq!(recorded.out, "once: touch notes\ndone\n", "{}", recorded.err);
    place.shows("replay");
}

/// The blocks of the page that are whole programs, each with the name that the line before it links to.
fn programs() -> Vec<(String, &'static str)> {
    let blocks = PAGE.match_indices("```rust\n").map(|(at, fence)| {
        let before = PAGE[..at].trim_end().lines().last().expect("a line");
        let name =
            before.split("examples/").nth(1).and_then(|rest| rest.split_once(".rs)")).map(|(name, _)| name);
        let code = PAGE[at + fence.len()..].split_once("\n```").expect("an end").0;
        (name.unwrap_or_default().to_owned(), code)
    });
    blocks.filter(|(name, _)| !name.is_empty()).collect()
}

#[test]
fn the_page_shows_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../aqueduct-client/examples");
    let programs = programs();
    for entry in std::fs::read_dir(&folder).expect("the examples") {
        let path = entry.expect("an example").path();
        // A program of several files is not an example to show.
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let code = std::fs::read_to_string(&path).expect("an example");
        // The page itself describes the program.
        let body =
            code.lines().skip_while(|line| line.starts_with("//!") || line.is_empty()).collect::<Vec<_>>();
        let shown = programs.iter().find(|(other, _)| other == name).map(|(_, code)| *code);
        assert_eq!(shown, Some(body.join("\n").as_str()), "docs/sdk.md shows another {name}.rs");
    }
    assert_eq!(programs.len(), 14);
    // Every block of Rust is one of them, and each runs in a test of its own.
    assert_eq!(PAGE.matches("```rust").count(), programs.len());
    for (name, _) in &programs {
        assert!(include_str!("sdk.rs").contains(&format!("shows(\"{name}\")")), "{name} does not run");
    }
}

#[test]
fn the_page_has_the_table_of_options() {
    let mut table = String::from("| method | flag | since | what it does |\n|---|---|---|---|\n");
    for row in OPTIONS {
        table += &format!("| `{}` | `{}` | {} | {} |\n", row.name, row.flag, row.since, row.doc.trim());
    }
    let (begin, end) = ("<!-- options: begin -->\n", "<!-- options: end -->");
    let between = PAGE.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).expect("the marks").0;
    assert_eq!(
        between, table,
        "docs/sdk.md has another table than `aqueduct_client::OPTIONS`; this is right:\n{table}"
    );
}

/// A session with the agent.
fn builder(place: &Place) -> aqueduct_client::Builder {
    Session::builder()
        .program(cargo_bin("aqueduct"))
        .leading_arguments(["agent"])
        .directory(place.project())
        .env_clear()
        .env("HOME", place.0.path())
        .env("PATH", "/usr/bin:/bin")
        .partial_messages(true)
}

#[tokio::test]
async fn an_agent_killed_at_a_hundred_points() {
    let place = Place::new();
    let mut random = fastrand::Rng::with_seed(2);
    let prompt =
        "@saytool Let me see.|Bash {\"command\":\"echo one; echo two\"}\n@delta 1\n@say And that is that.";
    // How many events a whole run has.
    let (session, mut events) = builder(&place).start().await.unwrap();
    session.send(prompt).await.unwrap();
    let mut whole = 1;
    while !matches!(events.next().await.unwrap(), Event::RunEnded(_)) {
        whole += 1;
    }
    session.close().await;
    for _ in 0..100 {
        let point = random.usize(0..whole);
        let (session, mut events) = builder(&place).start().await.unwrap();
        let kill = async {
            for _ in 0..point {
                events.next().await.unwrap();
            }
            let pid = rustix::process::Pid::from_raw(session.pid().unwrap() as i32).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
            while let Some(event) = events.next().await {
                if let Event::Ended(exit) = event {
                    return exit;
                }
            }
            panic!("no end");
        };
        let (outcome, exit) = tokio::join!(session.turn(prompt), kill);
        assert_eq!(exit.status, ExitStatus::Signal(9));
        match outcome {
            // It had sent everything before it died.
            Ok(Outcome::Done(report)) => assert_eq!(report.text(), "And that is that."),
            Ok(Outcome::Crashed(crashed)) | Err(Error::Ended(crashed)) => assert_eq!(crashed, exit),
            other => panic!("at point {point}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn versions_and_capabilities() {
    let place = Place::new();
    let (session, events) = builder(&place).start().await.unwrap();
    drop(events);
    // Asked through the leading argument: the version is the agent's, not that of the program around it.
    assert_eq!(session.version().await.map(|version| version.to_string()).as_deref(), Some("2.1.325"));
    session.turn("@say hi").await.unwrap();
    assert!(session.id().is_some());
    assert!(session.context_usage().await.is_ok());
    session.close().await;
}

/// Waits until a process is gone.
async fn gone(pid: u32) {
    let path = Path::new("/proc").join(pid.to_string());
    while path.exists() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_dropped_turn_ends_its_run() {
    let place = Place::new();
    let (session, mut events) = builder(&place).start().await.unwrap();
    let text = async { while events.next().await.unwrap().text().is_none() {} };
    tokio::select! {
        outcome = session.turn("@slow 100000 0.05") => panic!("{outcome:?}"),
        () = text => {}
    }
    assert_eq!(session.turn("@say next").await.unwrap().done().unwrap().text(), "next");
    assert!(session.close().await.is_success());
}

#[tokio::test]
async fn a_dropped_query_ends_its_agent() {
    let place = Place::new();
    // The agent would take this long to end by itself.
    let long = std::time::Duration::from_secs(3600);
    let ladder = aqueduct_client::Ladder { after_input: long, after_term: long };
    let mut stream = builder(&place).ladder(ladder).query("@slow 100000 0.05").stream();
    let mut pid = None;
    while stream.next().await.unwrap().unwrap().text().is_none() {
        pid = stream.session().and_then(Session::pid);
    }
    drop(stream);
    gone(pid.unwrap()).await;
}

#[tokio::test]
async fn an_interrupt_from_another_task() {
    let place = Place::new();
    let (session, mut events) = builder(&place).start().await.unwrap();
    let turn = tokio::spawn({
        let session = session.clone();
        async move { session.turn("@slow 1000 0.05").await }
    });
    while events.next().await.unwrap().text().is_none() {}
    let reading = tokio::spawn(async move { while events.next().await.is_some() {} });
    session.interrupt().await.unwrap();
    assert!(matches!(turn.await.unwrap().unwrap(), Outcome::Interrupted(Some(_))));
    // The session lives on.
    assert!(matches!(session.turn("@say still here").await.unwrap(), Outcome::Done(_)));
    assert!(session.close().await.is_success());
    reading.await.unwrap();
}
