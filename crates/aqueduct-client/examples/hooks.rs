//! Code of ours at points of a conversation: `cargo run --example hooks -- AGENT [PROMPT]`.

use aqueduct_client::wire::hook::{HookEvent, HookInput, HookOutput};
use aqueduct_client::{Hook, HookCall, Outcome, Session};

/// Keeps the agent from reading secrets, whatever rules and users allow.
async fn guard(call: HookCall) -> HookOutput<'static> {
    match call.input() {
        HookInput::PreToolUse(input) if input.tool_input.as_str().contains(".env") => {
            println!("blocked: {} {}", input.tool_name, input.tool_input.as_str());
            call.block("That file is secret.")
        }
        _ => HookOutput::new(),
    }
}

/// Reports what has happened.
async fn log_call(call: HookCall) -> HookOutput<'static> {
    println!("{}: {}", call.input().tag(), call.tool().unwrap_or("the turn"));
    HookOutput::new()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "What is in my files?".to_owned());

    let outcome = Session::builder()
        .program(agent)
        .hook(Hook::new(HookEvent::PreToolUse, guard).matching("Read|Edit|Write"))
        .hook(Hook::new(HookEvent::PostToolUse, log_call))
        .hook(Hook::new(HookEvent::Stop, log_call))
        .query(prompt)
        .await?;
    if let Outcome::Done(report) = outcome {
        println!("{}", report.text());
    }
    Ok(())
}
