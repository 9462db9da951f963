//! Text and tool calls while they come: `cargo run --example streaming -- AGENT [PROMPT]`.

use std::io::Write;

use aqueduct_client::Session;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Tell me a story.".to_owned());

    let mut stream = Session::builder().program(agent).query(prompt).stream();
    while let Some(event) = stream.next().await {
        let event = event?;
        if let Some(text) = event.text() {
            print!("{text}");
            std::io::stdout().flush()?;
        }
        for call in event.tool_calls() {
            println!("\n> {} {}", call.name, call.input.as_str());
        }
    }
    println!("\n[{}]", stream.finish().await?);
    Ok(())
}
