//! Agents end, and everyone with them.

use aqueduct_bridge::keeper::AgentEnd;

use super::*;

#[tokio::test]
async fn stdin_is_closed_first() {
    let session = Session::started("while read line; do :; done; echo bye; exit 3").await;
    let mut bridge = session.attach(0).await;
    bridge.end(60_000, 60_000).await;
    let (lines, exit) = bridge.exit().await;
    assert_eq!((lines, exit.ended), (vec!["bye".to_owned()], AgentEnd::Code(3)));
}

#[tokio::test]
async fn then_it_is_asked() {
    let session =
        Session::started("trap 'echo asked; exit 4' TERM; echo ready; while :; do sleep 0.01; done").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    bridge.end(20, 60_000).await;
    let (lines, exit) = bridge.exit().await;
    assert_eq!((lines, exit.ended), (vec!["asked".to_owned()], AgentEnd::Code(4)));
}

#[tokio::test]
async fn then_it_is_killed() {
    let session = Session::started("trap '' TERM; echo ready; while :; do sleep 0.01; done").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    bridge.end(10, 50).await;
    let (_, exit) = bridge.exit().await;
    assert_eq!(exit.ended, AgentEnd::Signal(9));
}

#[tokio::test]
async fn asking_again_makes_it_faster() {
    let session = Session::started("trap '' TERM; echo ready; while :; do sleep 0.01; done").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    bridge.end(100_000, 100_000).await;
    bridge.end(0, 0).await;
    assert_eq!(bridge.exit().await.1.ended, AgentEnd::Signal(9));
}

/// Daemons have a session of their own, a parent of their own choice, and ignore what they can.
#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
async fn daemons_go_with_their_agent() {
    let daemon = "(setsid sh -c 'trap \"\" TERM HUP; echo $$ > daemon; while :; do sleep 0.01; done' &) &";
    for (rest, ending) in
        [("sleep 1000", true), ("read line; exit 6", true), ("cat daemon >/dev/null; exit 6", false)]
    {
        let session = Session::of(&format!("{daemon} while ! [ -s daemon ]; do :; done; {rest}"));
        session.start().await.unwrap();
        let mut bridge = session.attach(0).await;
        let number = written(&session.job.cwd.join("daemon")).await.trim().parse().unwrap();
        if ending {
            bridge.end(50, 50).await;
        }
        let (_, exit) = bridge.exit().await;
        assert_eq!(exit.left, 0);
        assert!(!lives(number), "the daemon of `{rest}` is still there");
    }
}

#[tokio::test]
async fn a_keeper_stays_until_all_is_remembered() {
    let session = Session::started("echo one; echo two").await;
    let keeper = session.card().keeper;
    let mut bridge = session.attach(0).await;
    let (lines, _) = bridge.exit().await;
    assert_eq!(lines, ["one", "two"]);
    bridge.end(0, 0).await;
    bridge.handle.sync().await.unwrap();
    assert!(matches!(bridge.event().await, KeeperEvent::Synced { next: 8 }));
    drop(bridge);
    // Nothing was acknowledged: the next bridge gets it all again, the end too.
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.exit().await.0, ["one", "two"]);
    assert!(lives(keeper));
    bridge.handle.ack(8).unwrap();
    assert!(matches!(bridge.event().await, KeeperEvent::Closed(_)));
    let remains = session.dead().await;
    assert_eq!(remains.card().unwrap().keeper, keeper);
    assert_eq!(remains.exit().unwrap().unwrap().ended, AgentEnd::Code(0));
    assert!(!session.folder.join("keeper.sock").exists());
    remains.delete().unwrap();
    assert!(!session.folder.exists());
}

#[tokio::test]
async fn an_agent_may_end_without_a_bridge() {
    let session = Session::started("echo one; echo why >&2; exit 9").await;
    written(&session.folder.join("spool/00000000000000000000")).await;
    soon(async {
        while !session.folder.join("exit").exists() {
            tick().await;
        }
    })
    .await;
    let (lines, exit) = session.attach(0).await.exit().await;
    assert_eq!(lines, ["one"]);
    assert_eq!((exit.ended, exit.stderr), (AgentEnd::Code(9), b"why\n".to_vec()));
}

#[tokio::test]
async fn a_keeper_does_not_wait_for_ever() {
    let mut session = Session::of("echo one; exit 9");
    session.job.limits.linger = Duration::from_millis(1);
    session.start().await.unwrap();
    let remains = session.dead().await;
    assert_eq!(remains.exit().unwrap().unwrap().ended, AgentEnd::Code(9));
    let lines: Vec<_> = remains.lines(0).unwrap().map(|line| text(&line.unwrap())).collect();
    assert_eq!(lines, ["one"]);
}

#[tokio::test]
async fn a_keeper_that_is_asked_to_end_ends_its_agent_and_goes() {
    let session = Session::started("while read line; do :; done; echo bye").await;
    let (keeper, agent) = (session.card().keeper, session.card().agent.unwrap());
    kill(keeper, Signal::TERM);
    let remains = session.dead().await;
    assert!(!lives(agent));
    assert_eq!(remains.exit().unwrap().unwrap().ended, AgentEnd::Code(0));
    assert_eq!(remains.lines(0).unwrap().count(), 1);
}

#[tokio::test]
async fn a_keeper_whose_folder_was_deleted_goes() {
    let session =
        Session::started("trap 'echo something; exit' USR1; echo ready; while :; do sleep 0.01; done").await;
    let (keeper, agent) = (session.card().keeper, session.card().agent.unwrap());
    assert_eq!(session.attach(0).await.text().await, "ready");
    std::fs::remove_dir_all(&session.folder).unwrap();
    kill(agent, Signal::USR1);
    gone(agent).await;
    gone(keeper).await;
}
