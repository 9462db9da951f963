//! Keepers as processes of their own, with agents that are shell scripts.

mod agents;
mod bridges;
mod crashes;
mod ends;
mod inputs;
mod protocol;
mod starts;
mod storage;
mod unattended;

use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_bridge::keeper::{
    AgentExit, AttachedKeeper, InputId, KeeperCard, KeeperEvent, KeeperEvents, KeeperHandle, KeeperJob,
    KeeperLimits, KeeperStartError, KeeperState, LineContent, ShutdownLadder, SpoolLine, attach, find, make,
    start,
};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tempfile::TempDir;

/// How long anything may take before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// The keeper's program.
fn program() -> Vec<OsString> {
    vec![env!("CARGO_BIN_EXE_aqueduct-keeper").into()]
}

/// A session: a folder with a keeper in it. The keeper goes with it.
struct Session {
    job: KeeperJob,
    folder: PathBuf,
    _place: TempDir,
}

impl Session {
    /// A session whose agent is a shell script; nothing runs yet.
    fn of(script: &str) -> Session {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("session");
        let job = KeeperJob {
            folder: folder.clone(),
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            cwd: place.path().to_owned(),
            set: Vec::new(),
            unset: Vec::new(),
            // What a test looks at is still there on a busy machine.
            limits: KeeperLimits { linger: PATIENCE, ..KeeperLimits::default() },
            unattended: Default::default(),
        };
        Session { job, folder, _place: place }
    }

    /// A session whose agent runs.
    async fn started(script: &str) -> Session {
        let session = Session::of(script);
        session.start().await.unwrap();
        session
    }

    async fn start(&self) -> Result<u32, KeeperStartError> {
        make(&self.job.folder)?;
        start(&program(), &self.job).await
    }

    async fn attach(&self, from: u64) -> Bridge {
        let AttachedKeeper { handle, events, .. } = soon(attach(&self.folder, from)).await.unwrap();
        Bridge { handle, events }
    }

    fn card(&self) -> KeeperCard {
        serde_json::from_slice(&std::fs::read(self.folder.join("keeper.json")).unwrap()).unwrap()
    }

    /// A value of the keeper's `status` file, in bytes.
    fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.card().keeper)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().unwrap() << 10
    }

    /// How many bytes the spool takes.
    fn spool_size(&self) -> u64 {
        let files = std::fs::read_dir(self.folder.join("spool")).unwrap();
        files.filter_map(|file| file.unwrap().metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// Waits until the keeper is gone.
    async fn dead(&self) -> aqueduct_bridge::keeper::KeeperRemains {
        soon(async {
            loop {
                if let KeeperState::Dead(remains) = find(&self.folder).unwrap() {
                    return remains;
                }
                tick().await;
            }
        })
        .await
    }

    /// Waits until an input has been begun.
    async fn begun(&self, name: &str) {
        soon(async {
            while !std::fs::read_to_string(self.folder.join("inputs"))
                .unwrap()
                .contains(&format!("+{name}\n"))
            {
                tick().await;
            }
        })
        .await;
    }

    /// Whether there is a folder in which no agent was ever started.
    fn has_no_agent(&self) -> bool {
        let Ok(KeeperState::Dead(remains)) = find(&self.folder) else { return false };
        remains.card().is_none_or(|card| card.agent.is_none())
    }

    fn kill_keeper(&self) {
        kill(self.card().keeper, Signal::KILL);
    }
}

impl Drop for Session {
    /// Kills the keeper, with which its agent dies, and whatever that had started.
    fn drop(&mut self) {
        loop {
            match find(&self.folder) {
                Ok(KeeperState::Alive) => {
                    // It may be gone by now.
                    let _ = kill_process(pid(self.card().keeper), Signal::KILL);
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(KeeperState::Dead(remains)) => {
                    remains.sweep();
                    return;
                }
                Ok(KeeperState::Gone) | Err(_) => return,
            }
        }
    }
}

/// A bridge that has attached.
struct Bridge {
    handle: KeeperHandle,
    events: KeeperEvents,
}

impl Bridge {
    async fn event(&mut self) -> KeeperEvent {
        soon(self.events.next()).await.expect("an event")
    }

    async fn line(&mut self) -> SpoolLine {
        match self.event().await {
            KeeperEvent::Line(line) => line,
            other => panic!("{other:?} is not a line"),
        }
    }

    /// The next line, as text.
    async fn text(&mut self) -> String {
        text(&self.line().await)
    }

    /// The next event that is not a line, and the texts of the lines before it.
    async fn others(&mut self) -> (Vec<String>, KeeperEvent) {
        let mut lines = Vec::new();
        loop {
            match self.event().await {
                KeeperEvent::Line(line) => lines.push(text(&line)),
                other => return (lines, other),
            }
        }
    }

    /// All lines up to the agent's end.
    async fn exit(&mut self) -> (Vec<String>, AgentExit) {
        let mut lines = Vec::new();
        loop {
            let (more, event) = self.others().await;
            lines.extend(more);
            if let KeeperEvent::Exited(exit) = event {
                return (lines, exit);
            }
        }
    }

    async fn input(&self, name: &str, line: &str) {
        soon(self.handle.input(id(name), line.into())).await.unwrap();
    }

    async fn end(&self, close: u64, terminate: u64) {
        let ladder = ShutdownLadder {
            close: Duration::from_millis(close),
            terminate: Duration::from_millis(terminate),
        };
        self.handle.end(ladder).await.unwrap();
    }
}

fn id(name: &str) -> InputId {
    InputId::new(name).unwrap()
}

fn text(line: &SpoolLine) -> String {
    match &line.content {
        LineContent::Whole(bytes) => String::from_utf8(bytes.clone()).unwrap(),
        other => panic!("{other:?} is not a whole line"),
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("it happens in time")
}

/// A short pause, for tests that wait for something without an event.
async fn tick() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32).unwrap()
}

fn kill(number: u32, signal: Signal) {
    kill_process(pid(number), signal).unwrap();
}

/// Whether a process is there and not dead.
fn lives(number: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.starts_with('Z'));
    test_kill_process(pid(number)).is_ok() && state != Some(true)
}

/// Waits until a process is gone.
async fn gone(number: u32) {
    soon(async {
        while lives(number) {
            tick().await;
        }
    })
    .await;
}

/// Waits until a file has something in it, and reads it.
async fn written(path: &Path) -> String {
    soon(async {
        loop {
            match std::fs::read_to_string(path) {
                Ok(text) if text.ends_with('\n') => return text,
                _ => tick().await,
            }
        }
    })
    .await
}

/// What tests ask of events.
trait Taken {
    /// The name of the input that was taken.
    fn taken(&self) -> &str;
}

impl Taken for KeeperEvent {
    fn taken(&self) -> &str {
        match self {
            KeeperEvent::Took(id) => id.as_str(),
            other => panic!("{other:?} takes no input"),
        }
    }
}
