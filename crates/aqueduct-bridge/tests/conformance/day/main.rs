//! What people do with a session in a day, from start to delete, through a running bridge: the same for every agent.
//!
//! `cargo xtask conformance bridge` runs it with the reference CLI of several versions and with aqueduct-agent. It
//! wants a bridge that is started again when it is killed, with a model behind its agents that follows the lines of
//! the prompt (`@say`, `@tool` …), and prints a JSON object a case. It knows the bridge by its page alone
//! (docs/bridge-api.md): messages are plain JSON here, and nothing of the crate is used.

mod client;
mod decisions;
mod lives;
mod place;
mod received;
mod records;
mod settings;
mod talk;
mod turns;
mod verdict;

use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::place::Place;
use crate::verdict::{Trouble, parts};

/// How long one case may take. Agents start slowly on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// What becomes of a case.
type Playing = Pin<Box<dyn Future<Output = Result<(), Trouble>> + Send>>;

/// A case: its name, and what is done.
type Case = (&'static str, fn(Place) -> Playing);

/// Makes rows of a table of async functions.
macro_rules! cases {
    ($($module:ident: $($name:ident),*;)*) => {
        const CASES: &[Case] = &[$($((stringify!($name), |place| Box::pin($module::$name(place)))),*),*];
    };
}

cases! {
    talk: start, streaming, thinking, tools_at_once, images, subagent, api_retry;
    decisions: approve, approve_changed, approve_always, reject, question, plan, no_user_to_ask, budget;
    turns: queue, sent_twice, steer, interrupt, interrupt_hard;
    settings: set_model, set_mode, context, commands_and_models;
    lives: agent_killed_at_work, agent_killed_when_idle, stop_and_resume, idle, bridge_killed_at_work, adopt;
    records: subscribe, history, search, usage, rename, export, files_and_changes, delete;
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (folder, agent) = (arguments.next().map(PathBuf::from), arguments.next());
    let token = std::env::var("AQUEDUCT_TOKEN");
    let (Some(folder), Some(agent), Ok(token)) = (folder, agent, token) else {
        eprintln!("usage: AQUEDUCT_TOKEN=TOKEN day FOLDER AGENT [CASE…]");
        eprintln!("FOLDER has the bridge's socket, its data and its only root, projects");
        return ExitCode::from(2);
    };
    let agent = agent.to_string_lossy().into_owned();
    let wanted: Vec<String> = arguments.map(|name| name.to_string_lossy().into_owned()).collect();
    let mut failed = false;
    for (name, play) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let began = Instant::now();
        let outcome = match Place::new(&folder, &agent, &token, name) {
            Ok(place) => {
                let outcome = match tokio::time::timeout(PATIENCE, play(place.clone())).await {
                    Ok(outcome) => outcome,
                    Err(_) => {
                        Err(Trouble::failed(format!("it was not done within {} s", PATIENCE.as_secs())))
                    }
                };
                // Agents end with their case: they are many, and large.
                outcome.and(place.clear().await)
            }
            Err(error) => Err(Trouble::failed(format!("no place to play: {error}"))),
        };
        let (word, note) = parts(outcome);
        failed |= word == "failed";
        println!(
            "{}",
            json!({"case": name, "verdict": word, "note": note, "ms": began.elapsed().as_millis()})
        );
    }
    ExitCode::from(u8::from(failed))
}
