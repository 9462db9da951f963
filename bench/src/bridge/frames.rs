//! What large frames and endless answers cost the bridge in memory.

use anyhow::Result;

use super::client::Client;
use super::figures::Samples;
use super::scale::Scale;
use super::scripted_agent::Script;
use super::streams;
use super::subject::Subject;
use crate::memory;

/// One large frame, and then many frames under one message id, to a client that reads.
pub(super) async fn run(subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
    let Some(process) = subject.process else { return Ok(()) };
    let mut client = Client::connect(subject).await?;
    let session = streams::begin(&mut client, subject, &mut Samples::default()).await?;
    let scripts = [
        ("large_frame", Script::Frame { bytes: scale.frame_bytes }),
        ("same_id", Script::SameId { bytes: scale.same_id_bytes }),
    ];
    for (id, script) in scripts {
        memory::forget_peak(process)?;
        let before = memory::resident(process)?;
        client.input(&session, script).await?;
        client.wait("result", Some(&session)).await?;
        samples.add(id, memory::peak(process)?.saturating_sub(before) as f64);
    }
    client.remove(&session).await
}
