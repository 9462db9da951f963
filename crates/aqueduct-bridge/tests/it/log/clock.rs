//! A clock that is set back: what counts is the order in which things happened, not the time that is noted of them.

use aqueduct_bridge::log::{Append, PageLimits, PagePosition, SessionQuery};

use super::{new_input as input, *};

const HOUR: i64 = 3600;

#[tokio::test]
async fn inputs_and_events_keep_their_order_when_the_clock_goes_back() {
    let scene = Scene::with_sessions(&["a"]).await;
    let times = [later(0), later(2 * HOUR), later(-5 * HOUR), later(HOUR), Time(0)];
    for (number, time) in times.into_iter().enumerate() {
        let name = number.to_string();
        scene.log.enqueue("a", input(&name), Append::new(time)).await.unwrap();
        scene.log.append("a", Append::new(time).event(event(&name))).await.unwrap();
    }
    let scene = scene.reopen().await;
    let found = scene.log.attach("a", PagePosition::Newest, ALL).await.unwrap();
    let queue: Vec<&str> = found.inputs.iter().map(|input| &*input.id).collect();
    assert_eq!(queue, ["0", "1", "2", "3", "4"]);
    assert_eq!(scene.payloads("a").await, ["\"0\"", "\"1\"", "\"2\"", "\"3\"", "\"4\""]);
    let seqs: Vec<u64> = scene.events("a").await.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, [1, 2, 3, 4, 5]);
    // Who had seen the third event lacks the last two, whatever their times.
    let rest = scene.log.page("a", PagePosition::After(3), ALL).await.unwrap();
    assert_eq!(rest.events.len(), 2);
    scene.assert_sound().await;
}

/// A list of sessions in pages shows each of them once, although one is used while the clock is behind.
#[tokio::test]
async fn a_session_that_is_used_while_the_clock_is_behind_is_not_lost() {
    let scene = Scene::with_sessions(&["a", "b", "c"]).await;
    scene.log.append("a", Append::new(later(HOUR)).event(event("ahead"))).await.unwrap();
    scene.log.append("b", Append::new(later(-HOUR)).event(event("behind"))).await.unwrap();
    let (mut seen, mut offset) = (Vec::new(), 0);
    loop {
        let query = SessionQuery { project: None, root: None, text: None, archived: false, offset, limit: 1 };
        let page = scene.log.sessions(query).await.unwrap();
        let Some(session) = page.into_iter().next() else { break };
        seen.push(session.id);
        offset += 1;
    }
    seen.sort();
    assert_eq!(seen, ["a", "b", "c"]);
    let nothing = PageLimits { count: 1, bytes: 1 };
    let found = scene.log.attach("b", PagePosition::After(u64::MAX), nothing).await.unwrap();
    assert!(found.session.updated >= found.session.created, "it is not older than itself");
}
