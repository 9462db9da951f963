//! What a host does with an agent, from hello to crash, through aqueduct-client: the same for every agent.
//!
//! `cargo xtask conformance client` runs it against the reference CLI of three versions and against
//! aqueduct-agent. It wants a model that follows the lines of the prompt (`@say`, `@tool` …) behind
//! `ANTHROPIC_BASE_URL`, and prints a JSON object a case.

mod answers;
mod callbacks;
mod controls;
mod faults;
mod permissions;
mod place;
mod sessions;
mod talk;
mod verdict;
mod withdrawals;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aqueduct_client::Answering;
use serde_json::json;

use crate::place::Place;
use crate::verdict::Verdict;

/// How long one case may take. Agents start slowly on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A case: its name, and what is done.
type Case = (&'static str, fn(Place) -> Answering<Verdict>);

/// Makes rows of a table of async functions.
macro_rules! cases {
    ($($module:ident: $($name:ident),*;)*) => {
        const CASES: &[Case] = &[$($((stringify!($name), |place| Box::pin($module::$name(place)))),*),*];
    };
}

cases! {
    talk: hello, streaming, query_stream, costs, thinking, image_and_file, tools_at_once, queue, two_at_once;
    permissions: allow, allow_changed, allow_always, deny, deny_and_interrupt, no_user_to_ask, question,
        question_with_several_answers, question_declined, plan;
    controls: interrupt_while_streaming, interrupt_while_a_tool_runs, interrupt_when_idle, set_model,
        set_permission_mode, requests_from_many_tasks, cancel_from_queue, context_usage, mcp_status,
        newer_than_the_agent, commands_and_models;
    callbacks: hook_denies, hook_changes_input, hook_blocks_stop, hook_sees_results, hook_on_prompt, mcp_tool,
        mcp_tool_fails, mcp_needs_permission, subagent;
    answers: structured_output, answer, answer_in_a_wrapper, schema_with_a_dialect;
    sessions: resume, resume_from_history_alone, fork, continue_latest, given_id, unknown_session,
        kill_and_resume;
    withdrawals: dropped_turn, dropped_while_a_tool_runs, dropped_at_once, dropped_in_the_queue, deadline,
        dropped_query, dropped_stream;
    faults: killed, api_error, api_retry, turn_limit, bad_answer, handler_panics, responder_dropped,
        unknown_flag, bad_schema, not_signed_in, input_ends, ignored_events, events_unread_in_a_turn,
        closed_in_the_middle;
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(agent) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: battery AGENT [CASE…]");
        return ExitCode::from(2);
    };
    let wanted: Vec<String> = arguments.map(|name| name.to_string_lossy().into_owned()).collect();
    let mut failed = false;
    for (name, play) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let began = Instant::now();
        let verdict = match Place::new(&agent) {
            // A panic in a case is that case's, and not the battery's.
            Ok(place) => match tokio::time::timeout(PATIENCE, tokio::spawn(play(place))).await {
                Ok(Ok(verdict)) => verdict,
                Ok(Err(error)) => Verdict::Failed(format!("it panicked: {error}")),
                Err(_) => Verdict::Failed(format!("it was not done within {} s", PATIENCE.as_secs())),
            },
            Err(error) => Verdict::Failed(format!("no place to play: {error}")),
        };
        failed |= matches!(verdict, Verdict::Failed(_));
        let (word, note) = verdict.parts();
        println!(
            "{}",
            json!({"case": name, "verdict": word, "note": note, "ms": began.elapsed().as_millis()})
        );
    }
    ExitCode::from(u8::from(failed))
}
