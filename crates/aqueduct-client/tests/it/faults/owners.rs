//! The process that owns a session dies. Whatever it started dies with it.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::alone::{TOO_LONG, alone, descendants, gone, runtime};
use crate::script::Script;

/// Set in the process that owns a session, and is killed.
const OWNER: &str = "AQUEDUCT_TEST_OWNER";

/// In the process that is to be killed: owns a session with the agent, for ever.
fn own_if_owner(agent: &Script) {
    if std::env::var_os(OWNER).is_none() {
        return;
    }
    runtime().block_on(async {
        let (session, events) = agent.builder().start().await.unwrap();
        session.send("hello").await.unwrap();
        std::future::pending::<()>().await;
        drop((session, events));
    });
}

/// Starts the owner, kills it once the agent is up, and sees everything go.
async fn kill_owner(test: &str) {
    let program = std::env::current_exe().unwrap();
    let mut owner = Command::new(program)
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(OWNER, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The watcher, the agent, and what the agent has started: two that stay.
    let family = loop {
        let family = descendants(owner.id());
        if family.len() >= 4 {
            break family;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    owner.kill().unwrap();
    owner.wait().unwrap();
    for process in family {
        tokio::time::timeout(TOO_LONG, gone(process)).await.expect("nothing outlives its owner");
    }
}

#[test]
fn of_an_agent_that_listens() {
    own_if_owner(&Script::raw("sleep 1000 & sleep 1000 & ask; answer; wait"));
    alone(async || kill_owner("faults::owners::of_an_agent_that_listens").await);
}

#[test]
fn of_an_agent_that_does_not() {
    let deaf = "trap '' TERM; sleep 1000 & sleep 1000 & ask; answer; while :; do sleep 0.1; done";
    own_if_owner(&Script::raw(deaf));
    alone(async || kill_owner("faults::owners::of_an_agent_that_does_not").await);
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn of_an_agent_whose_children_left_its_group() {
    own_if_owner(&Script::raw("setsid sleep 1000 & setsid sleep 1000 & ask; answer; wait"));
    alone(async || kill_owner("faults::owners::of_an_agent_whose_children_left_its_group").await);
}
