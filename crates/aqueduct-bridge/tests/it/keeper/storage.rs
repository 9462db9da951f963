//! Disks that are full.

use aqueduct_bridge::keeper::TroubleKind;
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};

use super::*;

impl Session {
    /// Lets the keeper's files grow no further than this, as if the disk were full.
    fn set_room(&self, bytes: Option<u64>) {
        let maximum = getrlimit(Resource::Fsize).maximum;
        let limit = Rlimit { current: bytes.or(maximum), maximum };
        prlimit(Some(pid(self.card().keeper)), Resource::Fsize, limit).unwrap();
    }
}

#[tokio::test]
async fn an_agent_waits_while_the_disk_is_full() {
    let session = Session::started("read line; seq 1 100000; read line; echo end").await;
    let mut bridge = session.attach(0).await;
    bridge.input("go", "").await;
    session.set_room(Some(300_000));
    let mut seen = 0;
    let trouble = loop {
        match bridge.event().await {
            KeeperEvent::Line(line) => {
                seen += 1;
                assert_eq!(text(&line), seen.to_string());
            }
            KeeperEvent::Trouble(Some(trouble)) => break trouble,
            KeeperEvent::Took(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(trouble.kind, TroubleKind::Storage);
    assert!(trouble.message.contains("can't be written: File too large"), "{}", trouble.message);
    // Everything that has been sent is there; nothing is there in part.
    assert!((30_000..60_000).contains(&seen), "{seen}");
    // A bridge that attaches now is notified.
    let mut bridge = session.attach(0).await;
    assert!(matches!(bridge.event().await, KeeperEvent::Trouble(Some(_))));
    // No input is begun that can't be written down.
    bridge.input("late", "").await;
    session.set_room(None);
    let mut seen = 0;
    let mut events = Vec::new();
    while seen < 100_000 {
        match bridge.event().await {
            KeeperEvent::Line(line) => {
                seen += 1;
                assert_eq!(text(&line), seen.to_string());
            }
            KeeperEvent::Trouble(None) => events.push("better"),
            KeeperEvent::Took(_) => events.push("took"),
            other => panic!("{other:?}"),
        }
    }
    let (lines, _) = bridge.exit().await;
    assert_eq!(lines, ["end"]);
    assert!(events.contains(&"better"));
}

#[tokio::test]
async fn an_input_waits_while_it_cannot_be_written_down() {
    let session = Session::started("echo ready; read line; echo \"got $line\"; exit 2").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    session.set_room(Some(0));
    bridge.input("a", "one").await;
    assert!(matches!(bridge.event().await, KeeperEvent::Trouble(Some(_))));
    session.set_room(None);
    let mut took = 0;
    let (mut lines, mut event) = bridge.others().await;
    loop {
        match event {
            KeeperEvent::Took(_) => took += 1,
            KeeperEvent::Trouble(None) => {}
            KeeperEvent::Exited(_) => break,
            other => panic!("{other:?}"),
        }
        let (more, next) = bridge.others().await;
        lines.extend(more);
        event = next;
    }
    assert_eq!((lines, took), (vec!["got one".to_owned()], 1));
}

/// The end of an agent is reported after it is recorded, so that it is never lost.
#[tokio::test]
async fn the_end_waits_for_the_disk_too() {
    let session = Session::started("read line; echo said; echo why >&2; exit 4").await;
    let mut bridge = session.attach(0).await;
    bridge.input("go", "").await;
    assert_eq!(bridge.event().await.taken(), "go");
    session.set_room(Some(0));
    // It may have been faster than the disk was full.
    let (mut lines, event) = bridge.others().await;
    let exit = match event {
        KeeperEvent::Exited(exit) => exit,
        KeeperEvent::Trouble(Some(_)) => {
            assert!(!session.folder.join("exit").exists());
            session.set_room(None);
            let (more, exit) = bridge.exit().await;
            lines.extend(more);
            exit
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(lines, ["said"]);
    assert_eq!((exit.ended, exit.stderr), (aqueduct_bridge::keeper::AgentEnd::Code(4), b"why\n".to_vec()));
}

#[tokio::test]
async fn what_cannot_be_kept_is_not_started() {
    // A file where the spool has to be, as a disk that can't be written would have it.
    let session = Session::of("echo started > ran");
    std::fs::create_dir(&session.folder).unwrap();
    std::fs::write(session.folder.join("spool"), "").unwrap();
    let error = session.start().await.unwrap_err();
    assert!(error.to_string().contains("can't be used"), "{error}");
    assert!(!session.job.cwd.join("ran").exists());
    assert!(session.has_no_agent());
}
