//! The suite `usage`: the usage in transcripts and results is what the model's API counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::session::Session;
use super::stage::Stage;
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

/// A conversation whose usage is counted.
struct Conversation {
    name: &'static str,
    hold: fn(&mut Session) -> Result<Value>,
    /// Calls of the model beside the conversation: they are in results, and in no transcript.
    has_side_calls: bool,
    /// Answers that were cut off: their usage is unknown.
    cut_off: usize,
}

const CONVERSATIONS: &[Conversation] = &[
    Conversation {
        name: "one block",
        hold: |session| turn(session, "@say one"),
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "several blocks",
        hold: |session| {
            turn(session, "@think hm hm | two")?;
            turn(session, "@saytool three | Bash {\"command\":\"echo 1\"}\n@think hm | four")
        },
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "parallel tools",
        hold: |session| {
            let calls = json!([["Bash", { "command": "echo a" }], ["Bash", { "command": "echo b" }]]);
            turn(session, &format!("@tools {calls}\n@say done"))
        },
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "subagent",
        hold: |session| {
            let task = json!({ "description": "look", "subagent_type": "general-purpose", "run_in_background": false,
                "prompt": "@tool Bash {\"command\":\"echo inner\"}\n@say the report" });
            turn(session, &format!("@tool Agent {task}\n@say done"))
        },
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "retry",
        hold: |session| turn(session, "@fail 529 1 again"),
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "failure",
        hold: |session| {
            turn(session, "@say one")?;
            turn(session, "@fail 400 9 never")
        },
        has_side_calls: false,
        cut_off: 0,
    },
    Conversation {
        name: "interruption",
        hold: |session| {
            turn(session, "@say one")?;
            session.user("@slow 200 0.05");
            session.streaming()?;
            session.request("interrupt", &json!({}));
            session.result()?;
            turn(session, "@say two")
        },
        has_side_calls: false,
        cut_off: 1,
    },
    Conversation {
        name: "compaction",
        hold: |session| {
            turn(session, "@say one")?;
            turn(session, "@say two")?;
            turn(session, "/compact")?;
            turn(session, "@say three")
        },
        has_side_calls: true,
        cut_off: 0,
    },
];

const FLAGS: &[&str] = &["--include-partial-messages", "--dangerously-skip-permissions"];

fn turn(session: &mut Session, prompt: &str) -> Result<Value> {
    session.user(prompt);
    session.result()
}

pub(super) fn prepare(_args: &Args) -> Result<()> {
    reference::install(reference::NEWEST).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let started = Instant::now();
    let recordings = workspace.scratch("conformance/usage");
    let programs = [("reference", reference::install(reference::NEWEST)?), ("agent", args.agent()?)];
    let paint = terminal::stdout();
    let mut failed = 0;
    for conversation in CONVERSATIONS {
        for (name, program) in &programs {
            let folder = recordings.join(name);
            fs::create_dir_all(&folder)?;
            let path = folder.join(conversation.name.replace(' ', "-"));
            match check(conversation, Stage::set(aqueduct, program, path)?) {
                Ok(tokens) => println!(
                    "  {} {:<16} {name:<10} {tokens} output tokens",
                    paint.green("ok    "),
                    conversation.name
                ),
                Err(error) => {
                    failed += 1;
                    println!("  {} {:<16} {name:<10} {error:#}", paint.red("FAILED"), conversation.name);
                }
            }
        }
    }
    println!("  {failed} failed, in {}", terminal::seconds(started.elapsed()));
    Ok(failed == 0)
}

/// Holds a conversation, and compares what was counted; returns the output tokens.
fn check(conversation: &Conversation, mut stage: Stage) -> Result<u64> {
    let mut session = stage.start(FLAGS)?;
    let result = (conversation.hold)(&mut session)?;
    session.end()?;
    let counted = stage.counted();
    let mut written = BTreeMap::new();
    for path in transcripts(&stage.home().join(".claude/projects")) {
        for line in
            fs::read_to_string(path)?.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let message = &line["message"];
            if line["type"] != "assistant" || message["model"] == "<synthetic>" {
                continue;
            }
            let id = message["id"].as_str().unwrap_or_default().to_owned();
            let usage = Counts::of(&message["usage"], &WRITTEN);
            let before = written.insert(id.clone(), usage);
            ensure!(before.is_none_or(|before| before == usage), "the lines of {id} differ");
            ensure!(
                !counted.contains_key(&id) || message["stop_reason"].is_string(),
                "{id} has ended, and a line lacks the reason"
            );
        }
    }
    let cut_off = written.keys().filter(|id| !counted.contains_key(*id)).count();
    ensure!(cut_off == conversation.cut_off, "{cut_off} answers have no end");
    written.retain(|id, _| counted.contains_key(id));
    let by_api: Counts = counted.values().map(|usage| Counts::of(usage, &WRITTEN)).sum();
    let models = result["modelUsage"].as_object().into_iter().flat_map(|models| models.values());
    let reported: Counts = models.map(|model| Counts::of(model, &REPORTED)).sum();
    ensure!(reported == by_api, "the result has {reported:?}, the API counted {by_api:?}");
    let in_transcripts: Counts = written.values().copied().sum();
    if conversation.has_side_calls {
        for (id, usage) in &written {
            ensure!(
                counted.get(id).map(|counted| Counts::of(counted, &WRITTEN)) == Some(*usage),
                "{id} is wrong"
            );
        }
    } else {
        ensure!(in_transcripts == by_api, "transcripts have {in_transcripts:?}, the API counted {by_api:?}");
    }
    Ok(by_api.0[1])
}

/// Input, output, written to the cache and read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts([u64; 4]);

const WRITTEN: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const REPORTED: [&str; 4] =
    ["inputTokens", "outputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"];

impl Counts {
    fn of(usage: &Value, names: &[&str; 4]) -> Self {
        Counts(names.map(|name| usage[name].as_u64().unwrap_or_default()))
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Self {
        all.fold(Counts::default(), |Counts(sum), Counts(next)| {
            Counts(std::array::from_fn(|at| sum[at] + next[at]))
        })
    }
}

/// All transcripts below a folder, those of subagents too.
fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => found.extend(transcripts(&path)),
            false if path.extension().is_some_and(|ending| ending == "jsonl") => found.push(path),
            false => {}
        }
    }
    found
}
