//! An answer as a Rust value: `cargo run --features schema --example structured -- AGENT [PROMPT]`.

use aqueduct_client::{Error, Session};
use schemars::JsonSchema;
use serde::Deserialize;

/// What the answer has to be. The model reads the comments.
#[derive(Deserialize, JsonSchema)]
struct Verdict {
    /// Whether the change can be merged.
    approved: bool,
    /// One sentence for each problem.
    problems: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Review the last commit.".to_owned());

    let verdict = Session::builder().program(agent).answer::<Verdict>(prompt).await?;
    println!("approved: {}", verdict.approved);
    for problem in verdict.problems {
        println!("- {problem}");
    }
    Ok(())
}
