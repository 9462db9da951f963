//! Coming to a session that has a long past.

use std::time::Instant;

use anyhow::Result;
use serde_json::json;

use super::client::Client;
use super::figures::Samples;
use super::scale::Scale;
use super::scripted_agent::Script;
use super::streams;
use super::subject::{Dialect, Subject};

/// As many stored messages as the web UI asks for at first.
const SCREEN: usize = 200;

/// A turn of very many messages; then clients come and want to see the newest.
pub(super) async fn run(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut client = Client::connect(subject).await?;
    let session = streams::begin(&mut client, subject, &mut Samples::default()).await?;
    let started = Instant::now();
    client.input(&session, Script::Messages { count: scale.messages }).await?;
    client.wait("result", None).await?;
    samples.add("events_rate", scale.messages as f64 / started.elapsed().as_secs_f64());
    for _ in 0..scale.visits {
        let came = Instant::now();
        let mut client = Client::connect(subject).await?;
        let asked = Instant::now();
        let (request, screen) = match subject.dialect {
            Dialect::Ours => {
                (json!({ "type": "subscribe", "sessionId": session, "limit": SCREEN }), "history_delta")
            }
            Dialect::Original => (json!({ "type": "get_history", "sessionId": session }), "history"),
        };
        client.say(request).await?;
        client.wait(screen, None).await?;
        samples.add("attach", asked.elapsed().as_secs_f64());
        samples.add("attach_connect", came.elapsed().as_secs_f64());
    }
    client.remove(&session).await
}
