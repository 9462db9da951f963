//! The model's text, as it is generated: `cargo run --example streaming -- AGENT [PROMPT]`.

use std::io::Write;

use aqueduct_client::wire::FromAgent;
use aqueduct_client::wire::block::ContentBlock;
use aqueduct_client::{Event, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Tell me a story.".to_owned());

    let (session, mut events) = Session::builder().program(agent).partial_messages(true).start().await?;
    session.send(prompt).await?;

    while let Some(event) = events.next().await {
        if let Some(text) = event.text() {
            print!("{text}");
            std::io::stdout().flush()?;
        }
        if let Some(FromAgent::Assistant(frame)) = event.frame() {
            for block in &frame.message.content {
                if let ContentBlock::ToolUse(call) = block {
                    println!("\n> {} {}", call.name, call.input.as_str());
                }
            }
        }
        if let Event::RunEnded(outcome) = event {
            println!("\n[{outcome}]");
            break;
        }
    }
    session.close().await;
    Ok(())
}
