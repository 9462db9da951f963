//! Measures the event log by hand: `cargo run --release -p aqueduct-bridge --example log_bench [EVENTS]`.
//!
//! Appends alone and from fifty sessions, an attachment to a session of 100,000 events, searches over EVENTS
//! (a million by default), and what all of it costs in memory.

#![allow(clippy::unwrap_used, reason = "a measurement that fails has nothing to say")]

use std::time::{Duration, Instant};

use aqueduct_bridge::log::{
    Append, EventQuery, Log, NewEvent, NewSession, PageLimits, PagePosition, SessionChange, Time,
};

const WORDS: &[&str] = &[
    "permission",
    "engine",
    "the",
    "a",
    "of",
    "to",
    "file",
    "src/main.rs",
    "fn",
    "let",
    "error",
    "result",
    "await",
    "session",
    "bridge",
    "keeper",
    "log",
    "append",
    "commit",
    "reader",
    "writer",
    "cargo",
    "test",
    "build",
    "fix",
    "roof",
    "tile",
    "parse",
    "wire",
    "frame",
    "and",
    "is",
    "in",
    "that",
    "it",
    "for",
    "with",
    "be",
    "on",
    "at",
];

/// A message of about `words` words; each has some that hardly any other has.
fn message(random: &mut fastrand::Rng, words: usize) -> NewEvent {
    let mut text = format!("id{} ", random.u32(..2_000_000));
    for _ in 0..words {
        if random.u8(..20) == 0 {
            text.push_str(&format!("name{} ", random.u32(..50_000)));
        } else {
            text.push_str(WORDS[random.usize(..WORDS.len())]);
            text.push(' ');
        }
    }
    let payload = format!(
        r#"{{"type":"assistant","message":{{"id":"msg_1","role":"assistant","content":[{{"type":"text","text":"{text}"}}]}},"session_id":"s","uuid":"u"}}"#
    );
    NewEvent::new("assistant", payload).with_uuid("0190d1a0-0000-7000-8000-000000000000").searchable()
}

fn quantile(times: &mut [Duration], part: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * part) as usize]
}

/// The process's share of memory, in KB.
fn pss() -> u64 {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = rollup.lines().find(|line| line.starts_with("Pss:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
}

async fn make(log: &Log, id: &str) {
    let new = NewSession::new(id, format!("/proj/{}", id.len()), "builtin", "running");
    log.create_session(new, Append::new(Time::now())).await.unwrap();
}

/// Appends one event after the other, as a session does, and gives the time of each.
async fn append(log: Log, id: String, count: u64, words: usize) -> Vec<Duration> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut times = Vec::with_capacity(count as usize);
    let mut cursor = log.session(&*id).await.unwrap().cursor;
    for _ in 0..count {
        let event = message(&mut random, words);
        let step = SessionChange::Cursor { from: cursor, to: cursor + 100 };
        cursor += 100;
        let begin = Instant::now();
        log.append(&*id, Append::new(Time::now()).event(event).change(step)).await.unwrap();
        times.push(begin.elapsed());
    }
    times
}

fn report(what: &str, count: u64, whole: Duration, times: &mut [Duration]) {
    let (p50, p99, max) = (quantile(times, 0.5), quantile(times, 0.99), quantile(times, 1.0));
    println!(
        "{what}: {:.0} appends/s, p50 {p50:?}, p99 {p99:?}, max {max:?}",
        count as f64 / whole.as_secs_f64()
    );
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let events: u64 = std::env::args().nth(1).map_or(1_000_000, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let before = pss();
    let begin = Instant::now();
    let log = Log::open(&folder.path().join("data")).unwrap();
    println!("open, new: {:?}; PSS {} → {} KB", begin.elapsed(), before, pss());

    make(&log, "one").await;
    let begin = Instant::now();
    let mut times = append(log.clone(), "one".to_owned(), 20_000, 60).await;
    report("one session", 20_000, begin.elapsed(), &mut times);

    let begin = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..50 {
        let id = format!("many{number:04}");
        make(&log, &id).await;
        tasks.spawn(append(log.clone(), id, 1000, 60));
    }
    let mut times: Vec<Duration> = tasks.join_all().await.into_iter().flatten().collect();
    report("fifty sessions", 50_000, begin.elapsed(), &mut times);

    let begin = Instant::now();
    log.settle().await.unwrap();
    println!("index caught up after {:?}; PSS {} KB", begin.elapsed(), pss());

    fill(&log, "large", 100_000, 60).await;
    for (what, limits) in [
        ("screen", PageLimits { count: 50, bytes: 256 << 10 }),
        ("page", PageLimits { count: 500, bytes: 1 << 20 }),
    ] {
        let mut times = Vec::new();
        for _ in 0..50 {
            let begin = Instant::now();
            let attachment = log.attach("large", PagePosition::Newest, limits).await.unwrap();
            assert_eq!(attachment.session.last_seq, 100_000);
            times.push(begin.elapsed());
        }
        let (p50, max) = (quantile(&mut times, 0.5), quantile(&mut times, 1.0));
        println!("attach to 100,000 events, newest {what}: p50 {p50:?}, max {max:?}");
    }
    let begin = Instant::now();
    let mut stream = log.events_after("large", 0, PageLimits { count: 500, bytes: 1 << 20 });
    let mut bytes = 0;
    while let Some(page) = stream.next_page().await.unwrap() {
        bytes += page.events.iter().map(|event| event.payload.len()).sum::<usize>();
    }
    println!("all 100,000 events in pages: {:?}, {} MB; PSS {} KB", begin.elapsed(), bytes >> 20, pss());

    let begin = Instant::now();
    let have = 170_000;
    for number in 0..events.saturating_sub(have) / 10_000 {
        fill(&log, &format!("fill{number:03}{}", "x".repeat(number as usize % 7)), 10_000, 60).await;
    }
    log.settle().await.unwrap();
    println!("filled and indexed up to {events} events: {:?}; PSS {} KB", begin.elapsed(), pss());
    search(&log).await;
    log.close().await;
    drop(log);
    let size = std::fs::metadata(folder.path().join("log.sqlite3")).unwrap().len();
    let begin = Instant::now();
    let log = Log::open(&folder.path().join("data")).unwrap();
    println!("open, {} MB: {:?}; PSS {} KB", size >> 20, begin.elapsed(), pss());
    log.append("one", Append::new(Time::now())).await.unwrap();
    log.attach("large", PagePosition::Newest, PageLimits { count: 50, bytes: 256 << 10 }).await.unwrap();
    println!("after one append and one attachment: PSS {} KB", pss());
}

/// A session with many events, appended in batches.
async fn fill(log: &Log, id: &str, count: usize, words: usize) {
    let mut random = fastrand::Rng::with_seed(count as u64 + id.len() as u64);
    make(log, id).await;
    for _ in 0..count / 500 {
        let mut append = Append::new(Time::now());
        append.events = (0..500).map(|_| message(&mut random, words)).collect();
        log.append(id, append).await.unwrap();
    }
}

async fn search(log: &Log) {
    let everywhere = |text: &str| EventQuery {
        text: text.to_owned(),
        project: None,
        root: None,
        session_id: None,
        offset: 0,
        limit: 30,
    };
    let rare = EventQuery { project: Some("/proj/3".into()), ..everywhere("permission engine") };
    let here = EventQuery { session_id: Some("one".into()), ..everywhere("permission engine") };
    for (what, query) in [
        ("one rare word", everywhere("name4711 ")),
        ("two common words", everywhere("permission engine")),
        ("a phrase", everywhere("\"permission engine the\"")),
        ("beginning of all names, nam*", everywhere("nam*")),
        ("beginning of a common word, per*", everywhere("per*")),
        ("beginning, name47*", everywhere("name47*")),
        ("common and beginning, permission name4*", everywhere("permission name4*")),
        ("no such word", everywhere("\"zebra\"")),
        ("two common words in one project", rare),
        ("two common words in one session", here),
    ] {
        let mut times = Vec::new();
        let mut hits = 0;
        for _ in 0..5 {
            let begin = Instant::now();
            hits = log.search(query.clone()).await.unwrap().hits.len();
            times.push(begin.elapsed());
        }
        let first = times[0];
        println!(
            "search, {what}: {hits} hits, first {first:?}, p50 {:?}; PSS {} KB",
            quantile(&mut times, 0.5),
            pss()
        );
    }
}
