//! One prompt, one answer: `cargo run --example hello -- AGENT [PROMPT]`.

use aqueduct_client::{Outcome, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Say hello.".to_owned());

    match Session::builder().program(agent).query(prompt).await? {
        Outcome::Done(report) => println!("{}", report.text()),
        other => eprintln!("{other}"),
    }
    Ok(())
}
