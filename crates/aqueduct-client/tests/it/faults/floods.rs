//! Agents that never stop talking.

use std::time::Duration;

use aqueduct_client::{EVENTS_BYTES_BOUND, Event, ExitStatus, Ladder, Outcome};

use crate::alone::{alone, peak_memory};
use crate::script::Script;

/// What a flood is made of: a delta as agents send them, in lines of about a kilobyte.
const FLOOD: &str = r#"
text=$(printf '%0800d' 0 | tr 0 x)
frame='{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'$text'"}},"session_id":"s","uuid":"u"}'
ask; yes "$frame" | head -c "$BYTES"; echo
"#;

/// How much a flood is.
const BYTES: u64 = 1 << 30;

fn builder() -> aqueduct_client::Builder {
    Script::new(&format!("{FLOOD} result fine")).builder().env("BYTES", BYTES.to_string())
}

#[test]
fn with_a_reader() {
    alone(async || {
        let (session, mut events) = builder().start().await.unwrap();
        let reader = tokio::spawn(async move {
            let mut read = 0;
            while let Some(event) = events.next().await {
                match event {
                    Event::Frame(frame) => read += frame.line.len() as u64 + 1,
                    Event::RunEnded(_) => return read,
                    _ => {}
                }
            }
            0
        });
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        let read = reader.await.unwrap();
        assert!(read >= BYTES - 1024, "{read} bytes");
        session.close().await;
        assert!(peak_memory() < 60, "{} MiB", peak_memory());
    });
}

#[test]
fn without_a_reader() {
    alone(async || {
        let (session, events) = builder().start().await.unwrap();
        drop(events);
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        session.close().await;
        assert!(peak_memory() < 60, "{} MiB", peak_memory());
    });
}

/// How much the processes of a group have written, in bytes.
fn written(pids: &[u32]) -> u64 {
    let written = |pid: &u32| {
        let io = std::fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
        io.lines().find_map(|line| line.strip_prefix("wchar: "))?.parse::<u64>().ok()
    };
    pids.iter().filter_map(written).sum()
}

#[test]
fn with_a_reader_that_stopped() {
    alone(async || {
        let ladder = Ladder { after_input: Duration::from_millis(100), after_term: Duration::from_secs(5) };
        let (session, mut events) = builder().ladder(ladder).start().await.unwrap();
        session.send("hello").await.unwrap();
        // The agent stops: it writes no more, because its output is not read.
        let mut before = (0, 0);
        loop {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let now = (events.waiting(), written(&crate::alone::descendants(std::process::id())));
            if now == before && now.0 > 0 {
                break;
            }
            before = now;
        }
        assert!(before.1 < BYTES / 2, "the agent wrote {} bytes", before.1);
        assert!(peak_memory() < 60, "{} MiB", peak_memory());
        // Everything else continues: it can be asked, and it can be closed.
        let mut read = 0;
        let exit = session.close().await;
        while let Some(event) = events.next().await {
            read += event.frame().map_or(0, |_| 1);
        }
        assert!(matches!(exit.status, ExitStatus::Signal(_)), "{exit}");
        assert!(read * 1024 <= 2 * EVENTS_BYTES_BOUND, "{read} frames waited");
    });
}
