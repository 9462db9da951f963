//! Bridges come and go, and read as they like.

use aqueduct_bridge::keeper::{AgentState, AttachError, CloseReason, OffsetError};

use super::*;

async fn refusal(session: &Session, from: u64) -> OffsetError {
    match soon(attach(&session.folder, from)).await.map(drop).unwrap_err() {
        AttachError::Misplaced(misplaced) => misplaced,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn who_attaches_takes_over() {
    let session = Session::started("while read line; do echo \"got $line\"; done").await;
    let mut first = session.attach(0).await;
    let mut second = session.attach(0).await;
    assert!(matches!(first.event().await, KeeperEvent::Closed(CloseReason::Replaced)));
    assert!(soon(first.events.next()).await.is_none());
    soon(async {
        while first.handle.input(id("a"), b"one".to_vec()).await.is_ok() {
            tick().await;
        }
    })
    .await;
    assert!(first.handle.ack(1).is_err());
    second.input("b", "two").await;
    assert_eq!(second.others().await.1.taken(), "b");
    assert_eq!(second.text().await, "got two");
}

#[tokio::test]
async fn a_silent_connection_changes_nothing() {
    let session = Session::started("while read line; do echo \"got $line\"; done").await;
    let mut bridge = session.attach(0).await;
    for _ in 0..20 {
        let principal = tokio::net::UnixStream::connect(session.folder.join("keeper.sock")).await.unwrap();
        let mut byte = [0];
        soon(tokio::io::AsyncReadExt::read_exact(&mut { principal }, &mut byte)).await.unwrap();
    }
    refusal(&session, 1000).await;
    bridge.input("a", "one").await;
    assert_eq!(bridge.others().await.1.taken(), "a");
    assert_eq!(bridge.text().await, "got one");
}

#[tokio::test]
async fn an_offset_must_be_where_a_line_begins() {
    let mut session = Session::of("for i in 1 2 3 4 5 6 7 8 9; do echo \"line $i\"; done; read line");
    session.job.limits.segment = 14;
    session.start().await.unwrap();
    let mut bridge = session.attach(0).await;
    for _ in 0..9 {
        bridge.line().await;
    }
    bridge.handle.ack(28).unwrap();
    bridge.handle.sync().await.unwrap();
    assert!(matches!(bridge.event().await, KeeperEvent::Synced { next: 63 }));
    // What comes after an acknowledgement has seen it.
    soon(async {
        while session.spool_size() > 35 {
            tick().await;
        }
    })
    .await;
    assert_eq!(refusal(&session, 27).await, OffsetError::Gone { oldest: 28 });
    assert_eq!(refusal(&session, 64).await, OffsetError::Ahead { next: 63 });
    assert_eq!(refusal(&session, 30).await, OffsetError::Inside);
    assert_eq!(session.attach(35).await.text().await, "line 6");
}

#[tokio::test]
async fn hello_reports_the_state() {
    let session = Session::started("echo one; read line; exit 3").await;
    written(&session.folder.join("spool/00000000000000000000")).await;
    let AttachedKeeper { hello, handle, mut events } = soon(attach(&session.folder, 0)).await.unwrap();
    let card = session.card();
    assert_eq!((hello.keeper, Some(hello.agent)), (card.keeper, card.agent));
    assert_eq!((hello.state, hello.oldest, hello.next), (AgentState::Running, 0, 4));
    handle.input(id("a"), b"x".to_vec()).await.unwrap();
    while !matches!(soon(events.next()).await.unwrap(), KeeperEvent::Exited(_)) {}
}

#[tokio::test]
async fn nothing_answers_without_a_keeper() {
    let session = Session::of("");
    assert!(matches!(attach(&session.folder, 0).await, Err(AttachError::Dead(_))));
    assert!(matches!(find(&session.folder).unwrap(), KeeperState::Gone));
}

/// 300 MB past a bridge that does not read: they wait in the spool up to its limit, the keeper's memory stays,
/// and then all of it is there in order.
#[tokio::test]
async fn a_flood_costs_disk_and_no_memory() {
    const LINES: u64 = 300_000;
    const LIMIT: u64 = 64 << 20;
    // A thousand bytes a line.
    let mut session =
        Session::of(&format!("seq -f '%0.0f {}' 1000000 {}", "x".repeat(991), 1_000_000 + LINES - 1));
    session.job.limits.spool = LIMIT;
    session.start().await.unwrap();
    let mut bridge = session.attach(0).await;
    // No bridge reads until the spool is full.
    soon(async {
        while session.spool_size() < LIMIT {
            tick().await;
        }
    })
    .await;
    let mut most = 0;
    let mut next = 0;
    let mut full = 0;
    for number in 0..LINES {
        let line = loop {
            match bridge.event().await {
                KeeperEvent::Line(line) => break line,
                KeeperEvent::Trouble(trouble) => full += u32::from(trouble.is_some()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(line.offset, next);
        next = line.next;
        let LineContent::Whole(bytes) = line.content else { panic!("a whole line") };
        assert!(bytes.starts_with((1_000_000 + number).to_string().as_bytes()));
        if number % 1_000 == 0 {
            bridge.handle.ack(next).unwrap();
            most = most.max(session.spool_size());
        }
    }
    assert_eq!(next, LINES * 1000);
    assert!(full > 0, "the bridge was never notified that the spool is full");
    // It may become as much longer as a pipe holds.
    assert!(most <= LIMIT + (64 << 10), "the spool had {most} bytes");
    let anonymous = session.memory("RssAnon:");
    assert!(anonymous < 2 << 20, "the keeper has {anonymous} bytes");
    let exit = bridge.exit().await.1;
    assert_eq!(exit.ended, aqueduct_bridge::keeper::AgentEnd::Code(0));
    bridge.handle.ack(next).unwrap();
    bridge.end(0, 0).await;
    session.dead().await;
    assert!(session.spool_size() <= 2 << 20);
}
