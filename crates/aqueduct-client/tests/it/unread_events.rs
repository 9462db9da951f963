//! Events that are held and not read while a turn is awaited.

use std::time::Duration;

use aqueduct_client::{EVENTS_BOUND, EVENTS_BYTES_BOUND, Event, Events, Session};
use serde_json::json;

use crate::peer::Peer;

/// How many frames the agent sends in a run: more than wait for a reader.
const FRAMES: usize = 3 * EVENTS_BOUND;

async fn serve(peer: &mut Peer, frames: usize) {
    let prompt = peer.prompted().await;
    for number in 0..frames {
        peer.say(json!({"type": "keep_alive", "number": number})).await;
    }
    peer.result_for("done", &[&prompt]).await;
}

/// What is read until the agent has ended: frames with a number, and events that are missing.
async fn read(mut events: Events) -> (Vec<usize>, u64) {
    let (mut numbers, mut missed) = (Vec::new(), 0);
    while let Some(event) = events.next().await {
        match event {
            Event::Missed { events } => missed += events,
            Event::Frame(frame) => {
                let value: serde_json::Value = serde_json::from_str(&frame.line).unwrap();
                numbers.extend(value["number"].as_u64().and_then(|number| usize::try_from(number).ok()));
            }
            _ => {}
        }
    }
    (numbers, missed)
}

#[tokio::test]
async fn a_turn_ends_all_the_same() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    for _ in 0..2 {
        let (outcome, ()) = tokio::join!(session.turn("hello"), serve(&mut peer, FRAMES));
        assert_eq!(outcome.unwrap().done().unwrap().text(), "done");
        assert!(events.waiting() <= EVENTS_BOUND + 1, "{} events wait", events.waiting());
    }
    drop(peer);
    session.ended().await;
    // What is left is the newest, and nothing in it is missing without notice.
    let (numbers, missed) = read(events).await;
    assert!(missed > 0);
    let all: Vec<usize> = (0..FRAMES).collect();
    assert!(all.ends_with(&numbers), "{numbers:?}");
    // The answer to initialize, two results and what came of them are the other events.
    let counted = usize::try_from(missed).unwrap() + numbers.len();
    assert!((2 * FRAMES..2 * FRAMES + 8).contains(&counted), "{counted} of {}", 2 * FRAMES);
}

#[tokio::test]
async fn large_events_are_bounded_too() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    let agent = async {
        let prompt = peer.prompted().await;
        for _ in 0..64 {
            peer.say(json!({"type": "keep_alive", "text": "x".repeat(EVENTS_BYTES_BOUND / 16)})).await;
        }
        peer.result_for("done", &[&prompt]).await;
    };
    let (outcome, ()) = tokio::join!(session.turn("hello"), agent);
    outcome.unwrap().done().unwrap();
    assert!(events.waiting() < 16, "{} events wait", events.waiting());
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_is_waited_for_a_second() {
    let (mut peer, session, mut events) = Peer::start(Session::builder()).await;
    // The answer to `initialize`.
    assert!(matches!(events.next().await, Some(Event::Frame(_))));
    let began = tokio::time::Instant::now();
    let (outcome, ()) = tokio::join!(session.turn("hello"), serve(&mut peer, FRAMES));
    outcome.unwrap().done().unwrap();
    assert_eq!(began.elapsed().as_secs(), 1);
    assert!(matches!(events.next().await, Some(Event::Missed { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_loses_nothing() {
    let (mut peer, session, mut events) = Peer::start(Session::builder()).await;
    assert!(matches!(events.next().await, Some(Event::Frame(_))));
    let reader = tokio::spawn(async move {
        let mut frames = 0;
        while let Some(event) = events.next().await {
            assert!(!matches!(event, Event::Missed { .. }));
            frames += usize::from(event.frame().is_some());
            if event.outcome().is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(900)).await;
        }
        frames
    });
    let (outcome, ()) = tokio::join!(session.turn("hello"), serve(&mut peer, FRAMES));
    outcome.unwrap().done().unwrap();
    assert_eq!(reader.await.unwrap(), FRAMES + 1, "and the result");
}

#[tokio::test(start_paused = true)]
async fn a_stream_waits_for_its_reader() {
    let (mut peer, builder) = Peer::new(Session::builder());
    let agent = async {
        peer.asked("initialize").await.answer(&mut peer, json!({})).await;
        serve(&mut peer, FRAMES).await;
        assert_eq!(peer.receive().await, None, "the query closes its agent");
        drop(peer);
    };
    let reader = async {
        let mut stream = builder.query("hello").stream();
        let mut frames = 0;
        while let Some(event) = stream.next().await {
            frames += usize::from(event.unwrap().frame().is_some());
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        frames
    };
    let (frames, ()) = tokio::join!(reader, agent);
    assert!(frames > FRAMES, "{frames} of {FRAMES} frames and more");
}
