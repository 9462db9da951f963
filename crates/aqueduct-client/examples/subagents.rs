//! An agent that the model may call: `cargo run --example subagents -- AGENT [PROMPT]`.

use aqueduct_client::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Have my last change reviewed.".to_owned());

    let reviewer = AgentDefinition::new("Reviews changes", "You review changes and change nothing.")
        .with_tools(["Read", "Grep", "Glob"])
        .with_model("inherit");
    let builder = Session::builder().program(agent).define_agent("reviewer", reviewer).hook(
        Hook::subagent_stop(|call| async move {
            println!("the reviewer: {}", call.last_assistant_message.as_deref().unwrap_or_default());
            call.proceed()
        }),
    );
    match builder.query(prompt).await? {
        Outcome::Done(report) => println!("{}", report.text()),
        other => eprintln!("{other}"),
    }
    Ok(())
}
