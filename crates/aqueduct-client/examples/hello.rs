//! One prompt, one answer: `cargo run --example hello -- AGENT [PROMPT]`.

use aqueduct_client::{Error, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Say hello.".to_owned());

    let report = Session::builder().program(agent).query(prompt).await?.done()?;
    println!("{}", report.text());
    Ok(())
}
