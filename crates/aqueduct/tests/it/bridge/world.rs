use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use aqueduct_bridge::auth::Principal;
use aqueduct_bridge::hub::{ClientConnection, Hub};
use aqueduct_bridge::log::{Grant, Log};
use aqueduct_bridge::message::bridge::ActorKind;
use aqueduct_bridge::outbox::Outgoing;
use aqueduct_bridge::settings::{AgentSettings, BridgeSettings, ClientLimits};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take before a test fails instead of hanging.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A machine with a bridge.
pub(super) struct World {
    place: TempDir,
    pub(super) hub: Hub,
}

impl World {
    pub(super) async fn new() -> World {
        World::with(|_| {}).await
    }

    /// A machine whose bridge is set up in another way.
    pub(super) async fn with(change: impl FnOnce(&mut BridgeSettings)) -> World {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("proj")).unwrap();
        std::fs::create_dir(place.path().join("home")).unwrap();
        let mut settings = settings(place.path());
        change(&mut settings);
        let hub = open(settings).await;
        World { place, hub }
    }

    pub(super) fn project(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("proj")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.place.path().join("data")
    }

    /// A client that connects.
    pub(super) async fn client(&self, name: &str) -> Client {
        Client::enter(&self.hub, name).await
    }

    /// The bridge goes down and comes again. Agents continue.
    pub(super) async fn restart(&mut self) {
        self.restart_after(|_| {}).await;
    }

    /// The processes of keepers and their agents, by their cards.
    pub(super) fn keepers(&self) -> Vec<(i32, i32)> {
        let folders =
            std::fs::read_dir(self.hub.settings().data.join("keepers")).into_iter().flatten().flatten();
        let card = |folder: std::fs::DirEntry| {
            let card = std::fs::read(folder.path().join("keeper.json")).ok()?;
            let card: Value = serde_json::from_slice(&card).ok()?;
            Some((card["keeper"].as_i64()? as i32, card["agent"].as_i64()? as i32))
        };
        folders.filter_map(card).collect()
    }

    /// The bridge goes down, something happens to its files, and it comes again, set up in another way. Agents continue.
    pub(super) async fn restart_after(&mut self, change: impl FnOnce(&mut BridgeSettings)) {
        self.hub.close().await;
        self.hub.log().close().await;
        let mut settings = self.hub.settings().clone();
        change(&mut settings);
        self.hub = open(settings).await;
    }

    /// Ends every agent.
    pub(super) async fn end(self) {
        let client = self.client("broom").await;
        let sessions = client.ask(json!({"type": "list_sessions"})).await;
        for session in sessions["sessions"].as_array().unwrap() {
            client.ask(json!({"type": "delete_session", "sessionId": session["sessionId"]})).await;
        }
        self.hub.close().await;
    }
}

async fn open(settings: BridgeSettings) -> Hub {
    let log = Log::open(&settings.data).unwrap();
    Hub::open(settings, log).await.unwrap()
}

fn settings(place: &Path) -> BridgeSettings {
    let place = place.canonicalize().unwrap();
    let program = env!("CARGO_BIN_EXE_aqueduct");
    let mut agent = AgentSettings::new("builtin", program);
    agent.leading = vec!["agent".into()];
    agent.set = vec![("HOME".to_owned(), place.join("home").to_str().unwrap().to_owned())];
    agent.unset = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"]
        .map(str::to_owned)
        .to_vec();
    let keeper: Vec<OsString> = vec![program.into(), "keeper".into()];
    BridgeSettings {
        version: "0.0.0".to_owned(),
        host: None,
        data: place.join("data"),
        keeper,
        agents: vec![agent],
        default_agent: "builtin".to_owned(),
        roots: vec![place.clone()],
        transcripts: Vec::new(),
        git: Default::default(),
        idle: Duration::from_secs(900),
        unattended: Default::default(),
        limits: ClientLimits::default(),
        bypass: false,
        strict_decisions: false,
        push: Default::default(),
        explainer: None,
        trust: None,
        telemetry: None,
    }
}

/// A client of the bridge.
pub(super) struct Client {
    connection: ClientConnection,
    next: AtomicU64,
}

impl Client {
    /// A client that connects.
    pub(super) async fn enter(hub: &Hub, name: &str) -> Client {
        let principal = Principal {
            device_id: name.to_owned(),
            name: Some(name.to_owned()),
            kind: ActorKind::Device,
            grant: Grant::full(),
            is_owner: false,
        };
        let client = Client { connection: hub.connect(principal).await.unwrap(), next: AtomicU64::new(1) };
        client.until(|message| message["type"] == "hello").await;
        client
    }

    /// Sends a message.
    pub(super) async fn say(&self, message: Value) {
        self.connection.receive(&message.to_string()).await;
    }

    /// Sends a message and waits for its reply; earlier messages are skipped.
    pub(super) async fn ask(&self, mut message: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        message["requestId"] = json!(id);
        self.say(message).await;
        self.until(|reply| reply["requestId"] == id.as_str()).await.pop().unwrap()
    }

    /// The next message.
    pub(super) async fn next(&self) -> Value {
        let outgoing =
            tokio::time::timeout(PATIENCE, self.connection.next()).await.expect("a message in time");
        match outgoing {
            Outgoing::Message { text, .. } => serde_json::from_str(&text.parts().concat()).unwrap(),
            Outgoing::Close(code) => panic!("closed: {code:?}"),
        }
    }

    /// Sends what stops a session, and waits for its status, which may come before the reply.
    pub(super) async fn stop(&self, message: Value) {
        self.say(message).await;
        let is_stopped = |message: &Value| message["type"] == "status" && message["status"] == "stopped";
        let received = self.until(is_stopped).await;
        assert!(of(&received, "error").is_empty(), "{received:#?}");
    }

    /// Everything up to the message that is looked for.
    pub(super) async fn until(&self, is_last: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            let next = tokio::time::timeout(PATIENCE / 2, self.next()).await;
            let Ok(message) = next else { panic!("it never came; so far: {messages:#?}") };
            let found = is_last(&message);
            messages.push(message);
            if found {
                return messages;
            }
        }
    }

    /// Everything up to the end of the turn.
    pub(super) async fn turn(&self) -> Vec<Value> {
        self.until(|message| message["type"] == "status" && message["status"] == "idle").await
    }

    /// Starts a session and returns its id.
    pub(super) async fn start(&self, project: &Path, text: Option<&str>) -> String {
        let mut message = json!({"type": "start", "projectPath": project});
        if let Some(text) = text {
            message["text"] = json!(text);
        }
        let reply = self.ask(message).await;
        assert_eq!(reply["type"], "ok", "{reply}");
        reply["sessionId"].as_str().unwrap().to_owned()
    }
}

/// The messages of a type.
pub(super) fn of<'a>(messages: &'a [Value], kind: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["type"] == kind).collect()
}
