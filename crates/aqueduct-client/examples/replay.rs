//! A recording instead of an agent: `cargo run --example replay -- AQUEDUCT RECORDING`.
//!
//! `aqueduct record -o RECORDING -- AGENT …` makes one.

use aqueduct_client::wire::FromAgent;
use aqueduct_client::{Event, Permission, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let aqueduct = arguments.next().unwrap_or_else(|| "aqueduct".to_owned());
    let recording = arguments.next().ok_or("which recording?")?;

    let (session, mut events) = Session::builder()
        .program(aqueduct)
        .leading_arguments(["replay", "--instant", &recording])
        .on_permission(|_| async { Permission::allow() })
        .start()
        .await?;
    session.send("Whatever was said then.").await?;

    while let Some(event) = events.next().await {
        match &event {
            Event::Frame(frame) => match &frame.frame {
                FromAgent::System(frame) => println!("system/{}", frame.tag()),
                frame => println!("{}", frame.tag()),
            },
            Event::RunEnded(outcome) => {
                println!("{outcome}");
                break;
            }
            other => println!("{other:?}"),
        }
    }
    session.close().await;
    Ok(())
}
