//! How long deltas are on their way: alone, among many sessions, and to many clients.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tokio::task::JoinSet;

use super::client::Client;
use super::delays::Delays;
use super::figures::Samples;
use super::scale::{CROWD_PAUSE, PAUSE, Scale};
use super::scripted_agent::Script;
use super::subject::Subject;

/// One session that streams to one client.
pub(super) async fn one(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut client = Client::connect(subject).await?;
    // The first session makes the bridge touch code that it has not needed before.
    let first = begin(&mut client, subject, samples).await?;
    let before = subject.memory_with_keepers();
    let session = begin(&mut client, subject, samples).await?;
    if let (Some(before), Some(after)) = (before, subject.memory_with_keepers()) {
        samples.add("keeper", after - before);
    }
    client.input(&session, Script::Stream { deltas: scale.deltas, pause: PAUSE }).await?;
    let delays = listen(&mut client, 1).await?;
    ensure!(delays.count() == scale.deltas, "{} of {} deltas came", delays.count(), scale.deltas);
    note(samples, "delta_p50", "delta_p99", &delays);
    client.remove(&session).await?;
    client.remove(&first).await
}

/// Many sessions with an agent each, some of which stream to a client that is subscribed to all.
pub(super) async fn many(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut client = Client::connect(subject).await?;
    let before = subject.anonymous_memory();
    let mut sessions = Vec::new();
    for _ in 0..scale.sessions {
        sessions.push(begin(&mut client, subject, samples).await?);
    }
    if let (Some(before), Some(after)) = (before, subject.anonymous_memory()) {
        samples.add("session", (after - before) / scale.sessions as f64);
    }
    if let Some(memory) = subject.keeper_memory() {
        samples.add("keeper_many", memory);
    }
    for session in sessions.iter().take(scale.streaming) {
        client.input(session, Script::Stream { deltas: scale.crowd_deltas, pause: CROWD_PAUSE }).await?;
    }
    let delays = listen(&mut client, scale.streaming).await?;
    let all = scale.streaming * scale.crowd_deltas;
    ensure!(delays.count() == all, "{} of {all} deltas came", delays.count());
    note(samples, "many_p50", "many_p99", &delays);
    for session in &sessions {
        client.remove(session).await?;
    }
    Ok(())
}

/// Many clients that are subscribed to one session.
pub(super) async fn crowd(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let mut speaker = Client::connect(subject).await?;
    let session = begin(&mut speaker, subject, &mut Samples::default()).await?;
    let before = subject.anonymous_memory();
    let mut clients = Vec::new();
    for _ in 0..scale.clients {
        let mut client = Client::connect(subject).await?;
        client.attend(&session).await?;
        clients.push(client);
    }
    if let (Some(before), Some(after)) = (before, subject.anonymous_memory()) {
        samples.add("client", (after - before) / scale.clients as f64);
    }
    speaker.input(&session, Script::Stream { deltas: scale.crowd_deltas, pause: CROWD_PAUSE }).await?;
    let mut listening = JoinSet::new();
    for mut client in clients {
        listening.spawn(async move { listen(&mut client, 1).await });
    }
    let mut delays = Delays::default();
    while let Some(received) = listening.join_next().await {
        let received = received.context("a client broke off")??;
        ensure!(received.count() == scale.crowd_deltas, "a client received {} deltas", received.count());
        delays.join(received);
    }
    note(samples, "crowd_p50", "crowd_p99", &delays);
    speaker.remove(&session).await
}

/// Starts a session and its agent, with a first short turn.
pub(super) async fn begin(client: &mut Client, subject: &Subject, samples: &mut Samples) -> Result<String> {
    let started = Instant::now();
    let session = client.start(subject).await?;
    client.input(&session, Script::Messages { count: 1 }).await?;
    client.wait("result", None).await?;
    samples.add("session_start", started.elapsed().as_secs_f64());
    Ok(session)
}

/// Takes deltas until so many turns have ended.
pub(super) async fn listen(client: &mut Client, turns: usize) -> Result<Delays> {
    let mut delays = Delays::default();
    let mut ended = 0;
    while ended < turns {
        let received = client.next().await?;
        match (received.kind.as_str(), received.text) {
            ("stream_delta", Some(text)) => delays.arrived(&text),
            ("result", _) => ended += 1,
            _ => {}
        }
    }
    Ok(delays)
}

pub(super) fn note(samples: &mut Samples, half: &'static str, nearly_all: &'static str, delays: &Delays) {
    samples.add(half, delays.within(0.5).as_secs_f64());
    samples.add(nearly_all, delays.within(0.99).as_secs_f64());
}
