//! A tool that is a function of ours: `cargo run --features schema --example mcp -- AGENT [PROMPT]`.

use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
use aqueduct_client::{Outcome, Session};
use schemars::JsonSchema;
use serde::Deserialize;

/// What the model has to send to call the tool.
#[derive(Deserialize, JsonSchema)]
struct Trip {
    /// Where it begins.
    from: String,
    /// Where it ends.
    to: String,
}

async fn distance(trip: Trip) -> ToolResult {
    match (trip.from.as_str(), trip.to.as_str()) {
        ("Nîmes", "Pont du Gard") => ToolResult::text("23 km"),
        (from, to) => ToolResult::error(format!("The distance from {from} to {to} is unknown.")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "How far is it from Nîmes to Pont du Gard?".to_owned());

    let tool = Tool::new("distance", "How far it is from one place to another", distance).read_only();
    let session = Session::builder()
        .program(agent)
        .mcp(McpServer::new("map").tool(tool))
        .allowed_tools(["mcp__map__distance"]);
    match session.query(prompt).await? {
        Outcome::Done(report) => println!("{}", report.text()),
        other => eprintln!("{other}"),
    }
    Ok(())
}
