//! How soon the bridge answers while many sessions stream: to a client that is subscribed to all of them, to
//! one that is subscribed to one.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use tokio::time::timeout_at;

use super::client::Client;
use super::figures::Samples;
use super::scale::Scale;
use super::scripted_agent::Script;
use super::streams;
use super::subject::Subject;

/// Between two questions of a client.
const PERIOD: Duration = Duration::from_millis(100);

/// Between the deltas of each session.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) async fn run(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut all = Client::connect(subject).await?;
    let mut sessions = Vec::new();
    for _ in 0..scale.pinged {
        sessions.push(streams::begin(&mut all, subject, &mut Samples::default()).await?);
    }
    let (mut one, mut lists) = (Client::connect(subject).await?, Client::connect(subject).await?);
    for client in [&mut one, &mut lists] {
        client.attend(&sessions[0]).await?;
    }
    // They stream longer than is asked.
    let script = Script::Stream { deltas: 4 * scale.pings, pause: PAUSE };
    for session in &sessions {
        all.input(session, script).await?;
    }
    let (all_took, one_took, lists_took) = tokio::try_join!(
        ask(&mut all, "ping", scale.pings),
        ask(&mut one, "ping", scale.pings),
        ask(&mut lists, "list_sessions", scale.pings),
    )?;
    samples.add("ping_all_p50", within(&all_took, 0.5));
    samples.add("ping_all_p99", within(&all_took, 0.99));
    samples.add("ping_all_max", within(&all_took, 1.0));
    samples.add("ping_one_p99", within(&one_took, 0.99));
    samples.add("list_p99", within(&lists_took, 0.99));
    for session in &sessions {
        all.remove(session).await?;
    }
    Ok(())
}

/// Asks so many times, and reads everything meanwhile. The seconds that each answer took, the shortest first.
async fn ask(client: &mut Client, kind: &str, count: usize) -> Result<Vec<f64>> {
    let mut took = Vec::new();
    for _ in 0..count {
        let asked = Instant::now();
        client.ask(json!({ "type": kind })).await?;
        took.push(asked.elapsed().as_secs_f64());
        while let Ok(received) = timeout_at((asked + PERIOD).into(), client.next()).await {
            received?;
        }
    }
    took.sort_unstable_by(f64::total_cmp);
    Ok(took)
}

/// What this part of the answers did not exceed.
fn within(sorted: &[f64], part: f64) -> f64 {
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
