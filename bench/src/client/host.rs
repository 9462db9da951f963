//! A host on aqueduct-client, as a process of its own.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use aqueduct_client::{Event, Session};
use serde_json::json;

/// Starts so many sessions, lets each stream so many deltas, and prints what that took.
pub(crate) fn run(mut words: impl Iterator<Item = String>) -> Result<()> {
    let (Some(agent), Some(sessions), Some(deltas)) = (words.next(), words.next(), words.next()) else {
        bail!("--host AGENT SESSIONS DELTAS");
    };
    let sessions: usize = sessions.parse().context("SESSIONS is a number")?;
    let deltas: usize = deltas.parse().context("DELTAS is a number")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (frames, seconds, cpu_seconds) = runtime.block_on(stream(agent, sessions, deltas))?;
    println!(
        "{}",
        json!({"frames": frames, "seconds": seconds, "cpu_seconds": cpu_seconds, "peak_bytes": peak_bytes()?})
    );
    Ok(())
}

async fn stream(agent: String, sessions: usize, deltas: usize) -> Result<(u64, f64, f64)> {
    let mut started = Vec::new();
    for _ in 0..sessions {
        let builder = Session::builder().program(&agent).model("scripted").partial_messages(true);
        started.push(builder.start().await?);
    }
    let (began, cpu) = (Instant::now(), cpu_time()?);
    let running: Vec<_> = started
        .into_iter()
        .map(|(session, mut events)| {
            tokio::spawn(async move {
                session.send(format!("@flood {} 8", deltas * 8)).await?;
                let mut frames = 0;
                while let Some(event) = events.next().await {
                    match event {
                        Event::Frame(_) => frames += 1,
                        Event::RunEnded(_) => break,
                        _ => {}
                    }
                }
                Ok::<_, anyhow::Error>((frames, session))
            })
        })
        .collect();
    let mut frames = 0;
    let mut ended = Vec::new();
    for run in running {
        let (count, session) = run.await??;
        frames += count;
        ended.push(session);
    }
    let (seconds, cpu_seconds) = (began.elapsed().as_secs_f64(), (cpu_time()? - cpu).as_secs_f64());
    for session in ended {
        session.close().await;
    }
    Ok((frames, seconds, cpu_seconds))
}

/// The time that this process has had of the processor.
fn cpu_time() -> Result<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Ok(Duration::new(u64::try_from(time.tv_sec)?, u32::try_from(time.tv_nsec)?))
}

fn peak_bytes() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("cannot read this process's state")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no peak is reported")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes * 1024.0)
}
