//! Many agents at once: `cargo run --example many_sessions -- AGENT [PROMPT…]`.

use aqueduct_client::{HintedError as _, Outcome, Session};
use tokio::task::JoinSet;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());

    let mut running = JoinSet::new();
    for prompt in arguments {
        let session = Session::builder().program(&agent).no_session_persistence(true);
        running.spawn(async move { (prompt.clone(), session.query(prompt).await) });
    }
    while let Some(ended) = running.join_next().await {
        match ended? {
            (prompt, Ok(Outcome::Done(report))) => println!("{prompt}: {}", report.text()),
            (prompt, Ok(other)) => println!("{prompt}: {other}"),
            (prompt, Err(error)) => println!("{prompt}: {}", error.advised()),
        }
    }
    Ok(())
}
