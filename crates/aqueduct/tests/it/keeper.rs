//! `aqueduct keeper`, with the agent behind it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_bridge::keeper::{
    AttachedKeeper, InputId, KeeperEvent, KeeperEvents, KeeperHandle, KeeperJob, KeeperLimits, KeeperState,
    LineContent, ShutdownLadder, attach, find, make, start,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{aqueduct, run};

/// How long anything may take before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

struct Session {
    place: TempDir,
    agent: u32,
}

impl Session {
    /// The agent with the scripted model, behind a keeper.
    async fn start() -> Session {
        let place = tempfile::tempdir().unwrap();
        let flags =
            "agent -p --model scripted --input-format stream-json --output-format stream-json --verbose";
        let home = place.path().join("home").to_str().unwrap().to_owned();
        let job = KeeperJob {
            folder: place.path().join("session"),
            program: env!("CARGO_BIN_EXE_aqueduct").into(),
            arguments: flags
                .split(' ')
                .chain(["--dangerously-skip-permissions"])
                .map(str::to_owned)
                .collect(),
            cwd: place.path().to_owned(),
            set: vec![("HOME".to_owned(), home), ("LC_ALL".to_owned(), "C.UTF-8".to_owned())],
            unset: vec!["CLAUDE_CONFIG_DIR".to_owned()],
            limits: KeeperLimits::default(),
            unattended: Default::default(),
        };
        let keeper: [OsString; 2] = [env!("CARGO_BIN_EXE_aqueduct").into(), "keeper".into()];
        make(&job.folder).unwrap();
        let agent = start(&keeper, &job).await.unwrap();
        Session { place, agent }
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("session")
    }

    async fn attach(&self, from: u64) -> (KeeperHandle, KeeperEvents) {
        let AttachedKeeper { handle, events, .. } = attach(&self.folder(), from).await.unwrap();
        (handle, events)
    }

    fn keeper(&self) -> i32 {
        let card = std::fs::read(self.folder().join("keeper.json")).unwrap();
        serde_json::from_slice::<Value>(&card).unwrap()["keeper"].as_i64().unwrap() as i32
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Ok(KeeperState::Alive) = find(&self.folder()) {
            let _ = kill_process(Pid::from_raw(self.keeper()).unwrap(), Signal::KILL);
        }
    }
}

async fn prompt(handle: &KeeperHandle, name: &str, text: &str) {
    let frame = json!({ "type": "user", "message": { "role": "user", "content": text } });
    handle.input(InputId::new(name).unwrap(), frame.to_string().into()).await.unwrap();
}

/// The next frame, and where the one after it begins.
async fn frame(events: &mut KeeperEvents) -> (Value, u64) {
    loop {
        match tokio::time::timeout(PATIENCE, events.next()).await.expect("a frame in time") {
            Some(KeeperEvent::Line(line)) => {
                let LineContent::Whole(bytes) = line.content else { panic!("{line:?}") };
                return (serde_json::from_slice(&bytes).unwrap(), line.next);
            }
            Some(KeeperEvent::Took(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn frame_of(events: &mut KeeperEvents, kind: &str) -> (Value, u64) {
    loop {
        let (frame, next) = frame(events).await;
        if frame["type"] == kind {
            return (frame, next);
        }
    }
}

fn lives(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

async fn until(what: impl Fn() -> bool) {
    let waiting = async {
        while !what() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it happens in time");
}

fn file(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

#[tokio::test]
async fn a_turn_continues_while_bridges_come_and_go() {
    let session = Session::start().await;
    let (handle, mut events) = session.attach(0).await;
    let script =
        format!("@tool Bash {}", json!({ "command": "while ! [ -e go ]; do sleep 0.01; done; echo went" }));
    prompt(&handle, "one", &script).await;
    let (_, next) = frame_of(&mut events, "assistant").await;
    handle.ack(next).unwrap();
    // The bridge dies in the middle of the turn, and another one comes when it is over.
    drop((handle, events));
    std::fs::write(session.place.path().join("go"), "").unwrap();
    let (handle, mut events) = session.attach(next).await;
    // It does not know whether the prompt arrived, and sends it again.
    prompt(&handle, "one", &script).await;
    let (result, _) = frame_of(&mut events, "result").await;
    assert_eq!(result["result"], "after: went");
    assert_eq!(result["num_turns"], 2);
    prompt(&handle, "two", "@say only once").await;
    let (result, next) = frame_of(&mut events, "result").await;
    assert_eq!(result["result"], "only once");
    handle.ack(next).unwrap();
    handle.end(ShutdownLadder::default()).await.unwrap();
    loop {
        match tokio::time::timeout(PATIENCE, events.next()).await.expect("the end in time") {
            Some(KeeperEvent::Exited(exit)) => assert_eq!(exit.left, 0),
            Some(KeeperEvent::Closed(_)) => break,
            Some(KeeperEvent::Line(line)) => handle.ack(line.next).unwrap(),
            Some(_) => {}
            None => panic!("the end was not reported"),
        }
    }
    until(|| matches!(find(&session.folder()), Ok(KeeperState::Dead(_)))).await;
}

/// Nothing of our agent is left, not even what its commands started.
#[tokio::test]
async fn nothing_outlives_a_keeper_that_is_killed() {
    let session = Session::start().await;
    let (handle, _events) = session.attach(0).await;
    let command = "setsid sh -c 'trap \"\" TERM HUP; echo $$ > daemon; while :; do sleep 0.01; done' & \
                   echo $$ > command; wait";
    prompt(&handle, "one", &format!("@tool Bash {}", json!({ "command": command }))).await;
    let files = ["daemon", "command"].map(|name| session.place.path().join(name));
    until(|| files.iter().all(|path| !file(path).is_empty())).await;
    let processes = files.map(|path| file(&path));
    assert!(processes.iter().all(|process| lives(process)));
    kill_process(Pid::from_raw(session.keeper()).unwrap(), Signal::KILL).unwrap();
    until(|| !lives(&session.agent.to_string())).await;
    until(|| processes.iter().all(|process| !lives(process))).await;
}

#[test]
fn it_is_not_for_people() {
    let run_it = run(&mut aqueduct(&["keeper"]));
    assert_eq!(run_it.code, 1);
    assert!(run_it.out.contains("started by `aqueduct serve`"), "{}", run_it.out);
    assert!(!run(&mut aqueduct(&["--help"])).out.contains("keeper"));
}
