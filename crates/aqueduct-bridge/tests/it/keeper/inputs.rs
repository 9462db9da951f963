//! Every input is written once.

use aqueduct_bridge::keeper::{InputDelivery, InputError, InputRefusal};

use super::*;

const ECHO: &str = "while read line; do echo \"got $line\"; done";

#[tokio::test]
async fn an_input_is_written_once_however_often_it_is_sent() {
    let session = Session::started(ECHO).await;
    let mut bridge = session.attach(0).await;
    for (name, line) in [("a", "one"), ("a", "one"), ("b", "two"), ("a", "one"), ("b", "two")] {
        bridge.input(name, line).await;
    }
    let mut lines = Vec::new();
    for name in ["a", "a", "b", "a", "b"] {
        let (more, event) = bridge.others().await;
        lines.extend(more);
        assert_eq!(event.taken(), name);
    }
    bridge.end(5000, 5000).await;
    lines.extend(bridge.exit().await.0);
    assert_eq!(lines, ["got one", "got two"]);
}

#[tokio::test]
async fn another_bridge_is_answered_too() {
    let session = Session::started(ECHO).await;
    let mut bridge = session.attach(0).await;
    bridge.input("a", "one").await;
    assert_eq!(bridge.others().await.1.taken(), "a");
    drop(bridge);
    let mut bridge = session.attach(0).await;
    bridge.input("a", "one").await;
    bridge.input("b", "two").await;
    let mut lines = Vec::new();
    for name in ["a", "b"] {
        let (more, event) = bridge.others().await;
        lines.extend(more);
        assert_eq!(event.taken(), name);
    }
    bridge.end(5000, 5000).await;
    lines.extend(bridge.exit().await.0);
    assert_eq!(lines, ["got one", "got two"]);
}

/// The next keeper of a session knows what the one before it did, and continues with its offsets.
#[tokio::test]
async fn inputs_and_offsets_outlive_the_keeper() {
    let session = Session::started(ECHO).await;
    let mut bridge = session.attach(0).await;
    bridge.input("a", "one").await;
    assert_eq!(bridge.others().await.1.taken(), "a");
    let line = bridge.line().await;
    bridge.handle.ack(line.next).unwrap();
    bridge.end(5000, 5000).await;
    bridge.exit().await;
    session.dead().await;

    session.start().await.unwrap();
    let mut bridge = session.attach(line.next).await;
    bridge.input("a", "one").await;
    assert_eq!(bridge.event().await.taken(), "a");
    bridge.input("b", "two").await;
    let (mut lines, event) = bridge.others().await;
    assert_eq!(event.taken(), "b");
    bridge.end(5000, 5000).await;
    lines.extend(bridge.exit().await.0);
    assert_eq!(lines, ["got two"]);
}

/// An agent that does not read holds up its input, and nothing else.
#[tokio::test]
async fn a_stuck_agent_holds_up_its_input_alone() {
    let session = Session::started("trap 'echo alive' USR1; echo ready; while :; do sleep 0.01; done").await;
    let agent = session.card().agent.unwrap();
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    let large = "x".repeat(1 << 20);
    bridge.input("large", &large).await;
    bridge.input("next", "y").await;
    session.begun("large").await;
    kill(agent, Signal::USR1);
    assert_eq!(bridge.text().await, "alive");
    // Another bridge sees the same, whatever it sends.
    drop(bridge);
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    bridge.input("large", &large).await;
    bridge.input("another", "z").await;
    bridge.handle.sync().await.unwrap();
    loop {
        match bridge.event().await {
            KeeperEvent::Synced { .. } => break,
            KeeperEvent::Line(_) => {}
            other => panic!("{other:?} can't be known"),
        }
    }
    // Half of it is in the pipe: whether the agent would have read it is unknown. The rest was not begun.
    bridge.end(0, 0).await;
    let mut answers = Vec::new();
    while answers.len() < 3 {
        match bridge.event().await {
            KeeperEvent::Exited(_) | KeeperEvent::Line(_) => {}
            KeeperEvent::Unconfirmed(id) => answers.push(format!("{id} is unconfirmed")),
            KeeperEvent::Refused { id, reason: InputRefusal::Closed } => {
                answers.push(format!("{id} is refused"))
            }
            other => panic!("{other:?}"),
        }
    }
    // The first bridge's input, then this one's own two.
    assert_eq!(answers, ["large is unconfirmed", "large is unconfirmed", "another is refused"]);
}

#[tokio::test]
async fn an_input_without_an_agent_is_refused() {
    let session = Session::started("exec <&-; echo closed; sleep 1000").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "closed");
    bridge.input("a", "one").await;
    match bridge.event().await {
        KeeperEvent::Refused { id: refused, reason: InputRefusal::Closed } => assert_eq!(refused, id("a")),
        other => panic!("{other:?}"),
    }
    // It was not written, so it may be given to the next agent.
    session.kill_keeper();
    assert_eq!(session.dead().await.sent([&id("a")]).unwrap(), [InputDelivery::Not]);
}

#[tokio::test]
async fn text_that_is_not_a_line_is_not_an_input() {
    let session = Session::started(ECHO).await;
    let bridge = session.attach(0).await;
    let error = bridge.handle.input(id("a"), b"two\nlines".to_vec()).await.unwrap_err();
    assert_eq!(error, InputError::Lines);
    let error = bridge.handle.input(id("a"), vec![b'x'; (64 << 20) + 1]).await.unwrap_err();
    assert_eq!(error, InputError::TooLong((64 << 20) + 1));
}

#[tokio::test]
async fn a_large_input_arrives_whole_and_leaves_no_memory_behind() {
    let session = Session::started("head -c 20000001 | wc -c; read line; echo \"$line\"").await;
    let mut bridge = session.attach(0).await;
    let idle = session.memory("RssAnon:");
    bridge.input("large", &"x".repeat(20_000_000)).await;
    bridge.input("small", "y").await;
    let mut lines = Vec::new();
    for name in ["large", "small"] {
        let (more, event) = bridge.others().await;
        lines.extend(more);
        assert_eq!(event.taken(), name);
    }
    lines.extend(bridge.exit().await.0);
    assert_eq!(lines, ["20000001", "y"]);
    assert!(session.memory("RssAnon:") < idle + (1 << 20), "{} {idle}", session.memory("RssAnon:"));
}
