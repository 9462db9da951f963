//! What a host does with an agent of a near dialect, through its profile: `dialect AGENT PROFILE [CASE…]`.
//!
//! `cargo xtask conformance profiles` runs it. It wants a model that follows the lines of the prompt (`@say`, `@tool` …)
//! behind `OPENAI_BASE_URL`, and prints a JSON object a case.

mod cases;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aqueduct_client::Profile;
use serde_json::json;

use crate::cases::{CASES, Place};

/// How long one case may take. Agents start slowly on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let agent = arguments.next().map(PathBuf::from);
    let profile = arguments.next().and_then(|name| Profile::named(&name.to_string_lossy()));
    let (Some(agent), Some(profile)) = (agent, profile) else {
        eprintln!("usage: dialect AGENT PROFILE [CASE…]");
        return ExitCode::from(2);
    };
    let wanted: Vec<String> = arguments.map(|name| name.to_string_lossy().into_owned()).collect();
    let mut failed = false;
    for (name, play) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let began = Instant::now();
        let played = match Place::new(agent.clone(), profile) {
            // A panic in a case is that case's, and not the program's.
            Ok(place) => match tokio::time::timeout(PATIENCE, tokio::spawn(play(place))).await {
                Ok(Ok(played)) => played,
                Ok(Err(error)) => Err(format!("it panicked: {error}")),
                Err(_) => Err(format!("it was not done within {} s", PATIENCE.as_secs())),
            },
            Err(error) => Err(format!("no place to play: {error}")),
        };
        failed |= played.is_err();
        let (verdict, note) = match played {
            Ok(()) => ("passed", String::new()),
            Err(why) => ("failed", why),
        };
        println!(
            "{}",
            json!({"case": name, "verdict": verdict, "note": note, "ms": began.elapsed().as_millis()})
        );
    }
    ExitCode::from(u8::from(failed))
}
