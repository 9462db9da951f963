//! What fails is in the log with its session, and in a counter, and the service continues.

use std::fs;
use std::path::PathBuf;

use aqueduct_testing::wait_until;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};
use serde_json::{Value, json};

use super::logged::LoggedEvents;
use super::served::Served;
use crate::terminal::Place;

/// A bridge with a session that has done a turn.
struct Scene {
    place: Place,
    served: Served,
    logged: LoggedEvents,
    token: String,
    session: String,
}

impl Scene {
    fn new() -> Scene {
        let place = Place::new();
        // A token that works without the event log.
        let token = "a-token-for-tests-0123456789".to_owned();
        let (served, logged) = LoggedEvents::with(&place, &["--no-pair"], |command| {
            command.env("AQUEDUCT_TOKEN", &token);
        });
        let session = served.session(&token, &place, "@say One.");
        served.wait_for_message(&session, &token, "result");
        Scene { place, served, logged, token, session }
    }

    fn data(&self) -> PathBuf {
        self.place.home().join(".local/share/aqueduct")
    }

    /// What the card of the only keeper has under this name.
    fn process(&self, name: &str) -> Pid {
        let folder = fs::read_dir(self.data().join("keepers")).unwrap().next().unwrap().unwrap();
        let card: Value =
            serde_json::from_slice(&fs::read(folder.path().join("keeper.json")).unwrap()).unwrap();
        Pid::from_raw(i32::try_from(card[name].as_i64().unwrap()).unwrap()).unwrap()
    }

    fn bridge(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.served.pid()).unwrap()).unwrap()
    }

    /// Sends an input; returns the status of the answer.
    fn input(&self, text: &str) -> u16 {
        let path = format!("POST /api/v1/sessions/{}/inputs", self.session);
        self.served.http(&path, Some(&self.token), Some(&json!({ "text": text }))).status
    }

    /// How many results the session has.
    fn results(&self) -> usize {
        let path = format!("GET /api/v1/sessions/{}/messages", self.session);
        let history = self.served.http(&path, Some(&self.token), None).json();
        history["messages"].as_array().unwrap().iter().filter(|message| message["type"] == "result").count()
    }

    /// Another turn works.
    fn goes_on(&self) {
        let before = self.results();
        assert_eq!(self.input("@say Again."), 200);
        wait_until("another result", || self.results() > before);
    }

    fn counted(&self, kind: &str) -> u64 {
        let metrics = self.served.http("GET /metrics", Some(&self.token), None).body;
        let name = format!("aqueduct_failures_total{{kind=\"{kind}\"}} ");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
        line.unwrap_or_else(|| panic!("{name} is missing in:\n{metrics}")).parse().unwrap()
    }

    /// The line of a failure that names the session.
    fn reported(&self, kind: &str) -> Value {
        let line = self.logged.wait_for(&format!("failure.{kind}"));
        assert_eq!(line["session_id"], self.session.as_str(), "{line}");
        assert!(!line["message"].as_str().unwrap().is_empty() && line["error"].is_string(), "{line}");
        assert!(self.counted(kind) > 0);
        line
    }
}

#[test]
fn an_agent_that_is_killed_is_reported() {
    let scene = Scene::new();
    kill_process(scene.process("agent"), Signal::KILL).unwrap();
    let line = scene.reported("agent_crash");
    assert_eq!(
        (line["level"].as_str(), line["error"].as_str()),
        (Some("warn"), Some("the agent was ended by SIGKILL"))
    );
    scene.goes_on();
    assert_eq!(scene.counted("agent_crash"), 1);
}

#[test]
fn a_keeper_that_is_killed_is_reported() {
    let scene = Scene::new();
    kill_process(scene.process("keeper"), Signal::KILL).unwrap();
    scene.reported("keeper_lost");
    scene.goes_on();
    assert_eq!((scene.counted("keeper_lost"), scene.counted("agent_crash")), (1, 0));
}

#[test]
fn an_agent_that_can_not_be_started_is_reported_without_its_folder() {
    let scene = Scene::new();
    let stop = format!("POST /api/v1/sessions/{}/stop", scene.session);
    assert_eq!(scene.served.http(&stop, Some(&scene.token), None).status, 200);
    scene.logged.wait_for("agent.ended");
    fs::remove_dir_all(scene.place.project()).unwrap();
    assert_eq!(scene.input("@say Two."), 200);
    let line = scene.reported("agent_start");
    let (error, project) = (line["error"].as_str().unwrap(), scene.place.project());
    assert!(error.contains("PROJECT") && !error.contains(project.to_str().unwrap()), "{line}");
    fs::create_dir(scene.place.project()).unwrap();
    scene.goes_on();
}

/// As if the disk were full: files of the bridge can't grow.
#[test]
fn a_full_disk_is_reported() {
    let scene = Scene::new();
    let limit = |bytes| {
        prlimit(Some(scene.bridge()), Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
    };
    limit(Some(0));
    assert_eq!(scene.input("@say Two."), 507);
    // The limit of a process is an error of the disk for SQLite; a disk without room is `disk_full`.
    scene.reported("storage_io");
    scene.reported("request_failed");
    limit(None);
    wait_until("the session continues", || scene.input("@say Two.") == 200);
    scene.goes_on();
}

#[test]
fn an_event_log_that_is_removed_is_reported() {
    let scene = Scene::new();
    fs::remove_file(scene.data().join("log.sqlite3")).unwrap();
    assert_eq!(scene.input("@say Two."), 507);
    wait_until("the session is named", || {
        let lines = scene.logged.of("failure.storage_lost");
        lines.iter().any(|line| line["session_id"] == scene.session.as_str())
    });
    assert!(scene.counted("storage_lost") > 0);
    assert_eq!(scene.served.http("GET /healthz", None, None).status, 200);
    // No bridge will end its agent.
    kill_process(scene.process("keeper"), Signal::KILL).unwrap();
}

#[test]
fn a_bridge_without_descriptors_reports_it() {
    let scene = Scene::new();
    let before = getrlimit(Resource::Nofile);
    let folder = format!("/proc/{}/fd", scene.served.pid());
    let is_open = |number: &u64| fs::symlink_metadata(format!("{folder}/{number}")).is_ok();
    let take_away = || {
        let free = (0..).find(|number| !is_open(number));
        prlimit(Some(scene.bridge()), Resource::Nofile, Rlimit { current: free, ..before }).unwrap();
    };
    // Connections of before may close meanwhile, and leave room.
    let mut clients = Vec::new();
    wait_until("a connection is not accepted", || {
        take_away();
        clients.push(std::net::TcpStream::connect(&scene.served.address).unwrap());
        !scene.logged.of("failure.accept").is_empty()
    });
    drop(clients);
    prlimit(Some(scene.bridge()), Resource::Nofile, before).unwrap();
    scene.goes_on();
    assert!(scene.counted("accept") > 0);
}

#[test]
fn refused_requests_are_reported_with_their_peer() {
    let scene = Scene::new();
    assert_eq!(scene.served.http("GET /api/v1/sessions", Some("aqt_wrong"), None).status, 401);
    let line = scene.logged.wait_for("failure.wrong_token");
    assert_eq!((line["peer"].as_str(), line["session_id"].is_null()), (Some("127.0.0.1"), true), "{line}");
    assert!(!scene.logged.text().contains("aqt_wrong"));
    assert_eq!((scene.counted("wrong_token"), scene.counted("request_refused")), (1, 1));
    scene.goes_on();
}
