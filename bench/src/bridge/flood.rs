//! A flood past a client that has stopped reading.

use std::time::Instant;

use anyhow::{Context as _, Result};

use super::client::Client;
use super::delays::Delays;
use super::figures::Samples;
use super::scale::{PAUSE, Scale};
use super::scripted_agent::Script;
use super::streams;
use super::subject::Subject;
use crate::memory;

/// How many deltas of the other session are asked for: more than there is time for, so that it streams all along.
const ALL_ALONG: usize = 1_000_000;

/// One session floods. One client of it reads, one has stopped, and a third listens to another session.
pub(super) async fn run(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut reader = Client::connect(subject).await?;
    let flooding = streams::begin(&mut reader, subject, &mut Samples::default()).await?;
    let mut other = Client::connect(subject).await?;
    let quiet = streams::begin(&mut other, subject, &mut Samples::default()).await?;
    reader.attend(&flooding).await?;
    other.attend(&quiet).await?;
    let mut stopped = Client::connect(subject).await?;
    stopped.attend(&flooding).await?;

    let before = subject.process.map(weigh).transpose()?;
    other.input(&quiet, Script::Stream { deltas: ALL_ALONG, pause: PAUSE }).await?;
    let listening = tokio::spawn(overhear(other));
    let started = Instant::now();
    reader.input(&flooding, Script::Flood { bytes: scale.flood_bytes }).await?;
    reader.wait("result", Some(&flooding)).await?;
    samples.add("flood_rate", scale.flood_bytes as f64 / 1e6 / started.elapsed().as_secs_f64());
    if let (Some(process), Some(before)) = (subject.process, before) {
        samples.add("flood", memory::peak(process)?.saturating_sub(before) as f64);
    }
    // The other session ends with its agent, and what was received of it until then counts.
    reader.remove(&quiet).await?;
    let delays = listening.await.context("the other client broke off")??;
    streams::note(samples, "flood_p50", "flood_p99", &delays);
    drop(stopped);
    reader.remove(&flooding).await
}

/// What is resident now; the peak begins again.
fn weigh(process: u32) -> Result<u64> {
    memory::forget_peak(process)?;
    memory::resident(process)
}

/// Listens until the session is gone.
async fn overhear(mut client: Client) -> Result<Delays> {
    let mut delays = Delays::default();
    loop {
        let received = client.next().await?;
        match (received.kind.as_str(), received.text) {
            ("stream_delta", Some(text)) => delays.arrived(&text),
            ("result" | "session_deleted", _) => return Ok(delays),
            _ => {}
        }
    }
}
