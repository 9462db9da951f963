use aqueduct_bridge::log::{Append, EventPage, LogError, LogEvent, NewEvent, PageLimits, PagePosition};
use proptest::prelude::*;

use super::{ALL, NOON, Scene, one};

fn bytes(page: &EventPage) -> u64 {
    page.events.iter().map(|event| event.payload.len() as u64).sum()
}

fn assert_fits(page: &EventPage, limits: PageLimits) {
    assert!(page.events.len() <= limits.count as usize);
    assert!(bytes(page) <= limits.bytes || page.events.len() == 1);
    assert!(page.events.windows(2).all(|pair| pair[0].seq + 1 == pair[1].seq));
}

fn any_limits() -> impl Strategy<Value = PageLimits> {
    (1..9_u32, 1..200_u64).prop_map(|(count, bytes)| PageLimits { count, bytes })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// However the pages are cut, and whichever way they are read, they are the same events.
    #[test]
    fn any_pages_make_the_whole(
        sizes in prop::collection::vec(0..120_usize, 0..40),
        limits in prop::collection::vec(any_limits(), 1..6),
        start in 0..45_u64,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            // Another session's events are in between.
            let scene = Scene::with_sessions(&["a", "b"]).await;
            for size in &sizes {
                let event = NewEvent::new("note", format!("\"{}\"", "x".repeat(*size)));
                scene.log.append("a", Append::new(NOON).event(event)).await.unwrap();
                scene.log.append("b", one("other")).await.unwrap();
            }
            let all = scene.events("a").await;
            assert_eq!(all.len(), sizes.len());
            let mut cuts = limits.iter().cycle();

            let mut forwards: Vec<LogEvent> = Vec::new();
            let mut after = start;
            loop {
                let limits = *cuts.next().unwrap();
                let page = scene.log.page("a", PagePosition::After(after), limits).await.unwrap();
                assert_fits(&page, limits);
                assert_eq!(page.last_seq, sizes.len() as u64);
                after = page.events.last().map_or(after, |event| event.seq);
                forwards.extend(page.events);
                assert_eq!(page.more, after < page.last_seq);
                if !page.more {
                    break;
                }
            }
            assert_eq!(forwards, all.iter().filter(|event| event.seq > start).cloned().collect::<Vec<_>>());

            let mut backwards: Vec<LogEvent> = Vec::new();
            let mut place = PagePosition::Newest;
            loop {
                let limits = *cuts.next().unwrap();
                let page = scene.log.page("a", place, limits).await.unwrap();
                assert_fits(&page, limits);
                if let Some(first) = page.events.first() {
                    place = PagePosition::Before(first.seq);
                    assert_eq!(page.more, first.seq > 1);
                }
                let more = page.more;
                backwards.splice(0..0, page.events);
                if !more {
                    break;
                }
            }
            assert_eq!(backwards, all);
        });
    }
}

#[tokio::test]
async fn a_stream_continues_with_what_came_later() {
    let scene = Scene::with_sessions(&["a"]).await;
    for text in ["1", "2", "3"] {
        scene.log.append("a", one(text)).await.unwrap();
    }
    let mut stream = scene.log.events_after("a", 1, PageLimits { count: 1, bytes: 1 });
    for seq in [2, 3] {
        assert_eq!(stream.next_page().await.unwrap().unwrap().events[0].seq, seq);
    }
    assert_eq!(stream.next_page().await.unwrap(), None);
    scene.log.append("a", one("4")).await.unwrap();
    assert_eq!(stream.next_page().await.unwrap().unwrap().events[0].seq, 4);
}

#[tokio::test]
async fn a_client_ahead_of_the_log_can_detect_it() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.append("a", one("1")).await.unwrap();
    for ahead in [2, u64::MAX] {
        let page = scene.log.page("a", PagePosition::After(ahead), ALL).await.unwrap();
        assert_eq!((page.events.len(), page.last_seq, page.more), (0, 1, false));
    }
    let all = scene.log.page("a", PagePosition::Before(u64::MAX), ALL).await.unwrap();
    assert_eq!(all.events.len(), 1);
    let error = scene.log.page("b", PagePosition::Newest, ALL).await.unwrap_err();
    assert_eq!(error, LogError::NoSession { id: "b".into() });
}

/// A read while others write sees every session consistently: the pending requests match the events.
#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_a_consistent_snapshot() {
    let scene = Scene::with_sessions(&["a"]).await;
    let log = scene.log.clone();
    let writer = tokio::spawn(async move {
        for round in 1..=200 {
            log.append("a", one(&round.to_string())).await.unwrap();
        }
    });
    let mut seen = 0;
    while seen < 200 {
        let attachment = scene.log.attach("a", PagePosition::Newest, ALL).await.unwrap();
        assert_eq!(attachment.session.last_seq, attachment.page.events.len() as u64);
        assert!(attachment.session.last_seq >= seen);
        seen = attachment.session.last_seq;
    }
    writer.await.unwrap();
}
