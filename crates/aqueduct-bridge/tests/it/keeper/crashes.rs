//! Every process may be killed at any time.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::Stdio;

use aqueduct_bridge::keeper::InputDelivery;
use aqueduct_bridge::keeper::protocol::{ProtocolMessage, ToKeeper};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::*;

/// How many lines the agent writes by itself, while it answers inputs.
const LINES: usize = 20_000;
/// How many inputs it gets.
const INPUTS: usize = 60;

/// A bridge that is killed at random times and starts again with what its file has stored: every line comes
/// once and in order, and every input is run once.
#[tokio::test]
async fn a_bridge_may_be_killed_at_any_time() {
    let talk = format!("(i=0; while [ $i -lt {LINES} ]; do echo \"out $i\"; i=$((i+1)); done) &");
    let mut session = Session::of(&format!("{talk} while read line; do echo \"in $line\"; done; wait"));
    session.job.limits.segment = 10_000;
    session.start().await.unwrap();
    let memory = session.job.cwd.join("memory");
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut kills = 0;
    soon(async {
        loop {
            let mut bridge = Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "keeper::crashes::as_a_bridge_that_is_killed"])
                .env("KEEPER_TEST_FOLDER", &session.folder)
                .env("KEEPER_TEST_MEMORY", &memory)
                .stdout(Stdio::null())
                .kill_on_drop(true)
                .spawn()
                .unwrap();
            // Early kills, so that a fast machine does not finish before the fourth; each one a little later, so that
            // a slow machine finishes at all.
            let time = Duration::from_micros(random.u64(2_000..12_000 + kills * 1_000));
            if let Ok(status) = tokio::time::timeout(time, bridge.wait()).await {
                assert!(status.unwrap().success(), "the bridge failed; seed {seed}");
                break;
            }
            bridge.kill().await.unwrap();
            kills += 1;
        }
    })
    .await;
    let remembered = std::fs::read_to_string(&memory).unwrap();
    let printed = |prefix: &str| -> Vec<String> {
        remembered
            .lines()
            .filter_map(|line| line.split_once(prefix))
            .map(|(_, rest)| rest.to_owned())
            .collect()
    };
    let count = |most: usize| (0..most).map(|number| number.to_string()).collect::<Vec<_>>();
    assert_eq!(printed(" out "), count(LINES), "seed {seed}");
    assert_eq!(printed(" in "), count(INPUTS), "seed {seed}");
    assert!(kills > 3, "only {kills} kills");
}

/// Not a test: the process that the test above kills. What it remembers is a file of lines: `NEXT TEXT` for a
/// line of the agent, `took NUMBER` for an input.
#[test]
#[ignore = "started by another test"]
fn as_a_bridge_that_is_killed() {
    let folder = std::env::var("KEEPER_TEST_FOLDER").expect("another test starts this one");
    let path = std::env::var("KEEPER_TEST_MEMORY").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut remembered = std::fs::read_to_string(&path).unwrap_or_default();
        let mut memory = OpenOptions::new().append(true).create(true).open(&path).unwrap();
        // The bridge before may have been killed in the middle of a record: that one is not remembered.
        remembered.truncate(remembered.rfind('\n').map_or(0, |end| end + 1));
        memory.set_len(remembered.len() as u64).unwrap();
        let mut remember = |record: String| memory.write_all(record.as_bytes()).unwrap();
        let taken = remembered.lines().filter(|line| line.starts_with("took ")).count();
        let next = remembered.lines().rev().find_map(|line| line.split_once(' ')?.0.parse().ok()).unwrap_or(0);
        let mut lines = remembered.lines().count() - taken;
        let AttachedKeeper { handle, mut events, .. } = attach(folder.as_ref(), next).await.unwrap();
        let mut taken = taken;
        let send = |number: usize| {
            let handle = handle.clone();
            async move { handle.input(id(&format!("input-{number}")), number.to_string().into()).await.unwrap() }
        };
        if taken < INPUTS {
            send(taken).await;
        }
        while lines < LINES + INPUTS || taken < INPUTS {
            match events.next().await.unwrap() {
                KeeperEvent::Line(line) => {
                    remember(format!("{} {}\n", line.next, text(&line)));
                    handle.ack(line.next).unwrap();
                    lines += 1;
                }
                KeeperEvent::Took(took) => {
                    // The answer to a bridge before may come first; only the one that was asked for counts.
                    if took == id(&format!("input-{taken}")) {
                        remember(format!("took {taken}\n"));
                        taken += 1;
                        if taken < INPUTS {
                            send(taken).await;
                        }
                    }
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

/// Connections that break in the middle of a message, anywhere.
#[tokio::test]
async fn a_connection_may_break_at_any_byte() {
    let session = Session::started("while read line; do echo \"got $line\"; done").await;
    let mut printed = Vec::new();
    for message in [
        ToKeeper::Attach { from: 0 },
        ToKeeper::Input { id: id("a"), line: b"one".to_vec() },
        ToKeeper::Input { id: id("b"), line: b"two".to_vec() },
        ToKeeper::Sync,
    ] {
        message.encode(&mut printed);
    }
    for length in 0..=printed.len() {
        let mut stream = tokio::net::UnixStream::connect(session.folder.join("keeper.sock")).await.unwrap();
        stream.write_all(&printed[..length]).await.unwrap();
    }
    let mut bridge = session.attach(0).await;
    bridge.input("a", "one").await;
    bridge.input("b", "two").await;
    let mut lines = Vec::new();
    for name in ["a", "b"] {
        // If an input was under way when this bridge came, its answer comes too.
        loop {
            let (more, event) = bridge.others().await;
            lines.extend(more);
            if event.taken() == name {
                break;
            }
        }
    }
    bridge.end(5000, 5000).await;
    lines.extend(bridge.exit().await.0);
    lines.sort();
    assert_eq!(lines, ["got one", "got two"]);
}

/// A keeper that is killed ends its agent too, immediately and whatever the agent ignores; its output
/// is still there, and so is what is known of inputs.
#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't end a process with its parent")]
async fn a_keeper_may_be_killed() {
    let script = "trap '' TERM HUP INT PIPE; read line; echo \"got $line\"; printf half; \
                  (setsid sh -c 'trap \"\" TERM HUP; echo $$ > daemon; while :; do sleep 0.01; done' &) & \
                  while :; do sleep 0.01; done";
    let session = Session::started(script).await;
    let agent = session.card().agent.unwrap();
    let mut bridge = session.attach(0).await;
    bridge.input("whole", "one").await;
    assert_eq!(bridge.others().await.1.taken(), "whole");
    assert_eq!(bridge.text().await, "got one");
    let daemon = written(&session.job.cwd.join("daemon")).await.trim().parse().unwrap();
    // More than the pipe holds, so it is half-way when the keeper dies.
    bridge.input("half", &"x".repeat(1 << 20)).await;
    session.begun("half").await;
    session.kill_keeper();
    assert!(matches!(bridge.event().await, KeeperEvent::Closed(_)));
    gone(agent).await;
    let remains = session.dead().await;
    assert_eq!(remains.exit().unwrap(), None);
    let sent = remains.sent([&id("whole"), &id("half"), &id("never")]).unwrap();
    assert_eq!(sent, [InputDelivery::Written, InputDelivery::Unconfirmed, InputDelivery::Not]);
    let lines: Vec<_> = remains.lines(0).unwrap().map(|line| text(&line.unwrap())).collect();
    assert_eq!(lines, ["got one"]);
    assert!(remains.sweep() >= 1);
    gone(daemon).await;
    drop(remains);

    // The next keeper of the session continues where that one was, and knows the same.
    session.start().await.unwrap();
    let mut bridge = session.attach(8).await;
    bridge.input("half", "x").await;
    assert!(matches!(bridge.event().await, KeeperEvent::Unconfirmed(_)));
    bridge.input("third", "three").await;
    assert_eq!(bridge.others().await.1.taken(), "third");
    let line = bridge.line().await;
    assert_eq!((line.offset, text(&line).as_str()), (8, "got three"));
}

/// An agent that was killed is one that has ended.
#[tokio::test]
async fn an_agent_may_be_killed() {
    let session = Session::started("echo one; echo last words >&2; echo ready; sleep 1000").await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "one");
    assert_eq!(bridge.text().await, "ready");
    kill(session.card().agent.unwrap(), Signal::KILL);
    let (_, exit) = bridge.exit().await;
    assert_eq!(exit.ended, aqueduct_bridge::keeper::AgentEnd::Signal(9));
    assert_eq!(exit.stderr, b"last words\n");
    bridge.input("a", "one").await;
    assert!(matches!(bridge.event().await, KeeperEvent::Refused { .. }));
}

/// A lock does not outlive its process, and a number in a file proves nothing.
#[tokio::test]
async fn the_dead_are_distinguished_from_the_living() {
    let session = Session::started("read line").await;
    session.kill_keeper();
    session.dead().await;
    // The number of the dead keeper now belongs to a process that runs.
    let path = session.folder.join("keeper.json");
    let mut card = session.card();
    card.keeper = std::process::id();
    serde_json::to_writer(File::create(path).unwrap(), &card).unwrap();
    assert!(matches!(find(&session.folder).unwrap(), KeeperState::Dead(_)));
    assert!(session.folder.join("keeper.sock").exists());
    assert!(attach(&session.folder, 0).await.is_err());
}
