//! Code of ours at points of a conversation: `cargo run --example hooks -- AGENT [PROMPT]`.

use aqueduct_client::hook::{PreToolUseAnswer, PreToolUseCall};
use aqueduct_client::prelude::*;

/// Keeps the agent from reading secrets, whatever rules and users allow, and makes commands quiet.
async fn guard(call: PreToolUseCall) -> PreToolUseAnswer {
    match call.tool_name.as_str() {
        "Read" if call.tool_input.as_str().contains(".env") => {
            println!("blocked: {} {}", call.tool_name, call.tool_input);
            call.block("That file is secret.")
        }
        "Bash" => call.proceed().with_input(json!({"command": "echo quiet"})).with_context("Output is off."),
        _ => call.proceed(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "What is in my files?".to_owned());

    let outcome = Session::builder()
        .program(agent)
        .hook(Hook::pre_tool_use(guard).matching("Read|Bash"))
        .hook(Hook::post_tool_use(|call| async move {
            println!("{} ran with {}", call.tool_name, call.tool_input);
            call.proceed()
        }))
        .hook(Hook::stop(|call| async move {
            match call.stop_hook_active {
                Some(true) => call.proceed(),
                _ => call.block("Say goodbye first."),
            }
        }))
        .query(prompt)
        .await?;
    if let Outcome::Done(report) = outcome {
        println!("{}", report.text());
    }
    Ok(())
}
