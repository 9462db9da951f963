//! A week of use in minutes: sessions and clients that come and go by the thousand, and what stays behind.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;
use tokio::task::JoinSet;

use super::client::Client;
use super::scripted_agent::Script;
use super::subject::{Ours, Place, Subject};
use crate::args::Args;
use crate::memory;
use crate::report::{Report, Table};

const NAME: &str = "soak";

/// How long an unwatched agent is kept.
const KEPT: &str = "1s";

/// Longer than that.
const AWAY: Duration = Duration::from_millis(1500);

/// How many sessions live at once.
const AT_ONCE: usize = 8;

/// How long what has ended may take to be gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// What memory may grow by in the second half: allocators settle slowly, and not to the byte.
const MEMORY_GROWTH: u64 = 3_000_000;

/// What open files may grow by: readers of the log are kept, a few at most.
const FILES_GROWTH: usize = 6;

/// For how long nothing may change before all that has ended counts as gone.
const QUIET: Duration = Duration::from_secs(1);

/// What a turn of a session streams.
const TURN: Script = Script::Stream { deltas: 10, pause: Duration::from_millis(2) };

/// The memory of an idle bridge.
#[derive(Clone, Copy)]
struct Holding {
    memory: u64,
    files: usize,
    keepers: usize,
    stored: u64,
}

/// Runs the soak.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let program = args.bridge.as_deref().context("the soak needs --bridge; cargo xtask bench gives it")?;
    let sessions = if args.quick { 80 } else { 4_000 };
    let place = Place::new(program, KEPT)?;
    let bridge = place.start()?;
    let runtime = super::runtime()?;
    let started = Instant::now();
    let fresh = hold(&bridge, &place)?;
    eprintln!("{NAME}: {sessions} sessions, {AT_ONCE} at once");
    let (early, late) = runtime.block_on(async {
        live(&bridge.subject, 0..sessions / 2).await?;
        let early = settle(&bridge, &place).await?;
        live(&bridge.subject, sessions / 2..sessions).await?;
        let late = settle(&bridge, &place).await?;
        Ok::<_, anyhow::Error>((early, late))
    })?;
    let took = started.elapsed();
    bridge.stop()?;
    let table = table(&fresh, &early, &late);
    let text = format!(
        "{sessions} sessions in {:.0} s, {AT_ONCE} at once; unwatched agents were stopped after {KEPT}.\n\n{table}",
        took.as_secs_f64()
    );
    let reported = |holding: &Holding| {
        json!({
            "memory_bytes": holding.memory, "open_files": holding.files, "keepers": holding.keepers,
            "stored_bytes": holding.stored,
        })
    };
    let rows = json!({
        "sessions": sessions, "seconds": took.as_secs_f64(),
        "start": reported(&fresh), "half": reported(&early), "end": reported(&late),
    });
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: rows })
}

fn table(fresh: &Holding, early: &Holding, late: &Holding) -> Table {
    let mut table = Table::new(&["", "at the start", "halfway", "at the end", "steady"]);
    let verdict = |is_met: bool| if is_met { "yes" } else { "**no**" }.to_owned();
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let all = [fresh, early, late];
    let mut row = |name: &str, show: &dyn Fn(&Holding) -> String, verdict: String| {
        let mut row = vec![name.to_owned()];
        row.extend(all.iter().map(|holding| show(holding)));
        row.push(verdict);
        table.push(row);
    };
    row(
        "memory of the bridge",
        &|holding| megabytes(holding.memory),
        verdict(late.memory <= early.memory + MEMORY_GROWTH),
    );
    row(
        "its open files",
        &|holding| holding.files.to_string(),
        verdict(late.files <= early.files + FILES_GROWTH),
    );
    row("keepers left", &|holding| holding.keepers.to_string(), verdict(late.keepers == 0));
    row("data folder", &|holding| megabytes(holding.stored), String::new());
    table
}

/// Lets sessions live, some at a time.
async fn live(subject: &Subject, mut numbers: std::ops::Range<usize>) -> Result<()> {
    let mut lives = JoinSet::new();
    loop {
        while lives.len() < AT_ONCE {
            let Some(number) = numbers.next() else { break };
            let subject = subject.clone();
            lives.spawn(
                async move { life(&subject, number).await.with_context(|| format!("session {number}")) },
            );
        }
        match lives.join_next().await {
            Some(ended) => ended.context("a session's client broke off")??,
            None => return Ok(()),
        }
    }
}

/// One session from its start to its end. There are four ways to live.
async fn life(subject: &Subject, number: usize) -> Result<()> {
    let mut client = Client::connect(subject).await?;
    let session = client.start(subject).await?;
    client.attend(&session).await?;
    client.input(&session, TURN).await?;
    match number % 4 {
        // It ends right after its turn.
        0 => drop(client.wait("result", Some(&session)).await?),
        // It is stopped, and the next input resumes it.
        1 => {
            client.wait("result", Some(&session)).await?;
            client.ask(json!({ "type": "stop_session", "sessionId": session })).await?;
            client.input(&session, TURN).await?;
            client.wait("result", Some(&session)).await?;
        }
        // Its client goes; the agent is stopped meanwhile, and resumed when the client is back.
        2 => {
            client.wait("result", Some(&session)).await?;
            drop(client);
            tokio::time::sleep(AWAY).await;
            client = Client::connect(subject).await?;
            client.attend(&session).await?;
            client.input(&session, TURN).await?;
            client.wait("result", Some(&session)).await?;
        }
        // Its client is cut off in the middle of an answer, and comes back for the rest.
        _ => {
            client.wait("stream_delta", Some(&session)).await?;
            drop(client);
            client = Client::connect(subject).await?;
            client.say(json!({ "type": "subscribe", "sessionId": session, "sinceSeq": 0 })).await?;
            while !client.next_text().await?.contains(r#""type":"result""#) {}
        }
    }
    client.remove(&session).await
}

/// Waits until no keeper is left and files stay as they are, for as long as that may take.
async fn settle(bridge: &Ours, place: &Place) -> Result<Holding> {
    let asked = Instant::now();
    let (mut last, mut since) = (hold(bridge, place)?, Instant::now());
    loop {
        tokio::time::sleep(LOOK).await;
        let now = hold(bridge, place)?;
        if now.keepers > 0 || now.files != last.files {
            since = Instant::now();
        }
        last = now;
        if since.elapsed() > QUIET || asked.elapsed() > PATIENCE {
            return Ok(now);
        }
    }
}

fn hold(bridge: &Ours, place: &Place) -> Result<Holding> {
    let process = bridge.process();
    Ok(Holding {
        memory: memory::own(process)?,
        files: memory::open_files(process)?,
        keepers: bridge.subject.keepers().len(),
        stored: place.stored(),
    })
}
