//! A turn with a time limit, and one behind it: `cargo run --example deadline -- AGENT [PROMPT…]`.

use std::time::Duration;

use aqueduct_client::{Error, Outcome, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());

    let session = Session::builder().program(agent).start_without_events().await?;
    for prompt in arguments {
        match session.turn_within(prompt, Duration::from_secs(2)).await? {
            Outcome::Interrupted(_) => println!("This takes more than two seconds."),
            outcome => println!("{}", outcome.done()?.text()),
        }
    }
    session.close().await;
    Ok(())
}
