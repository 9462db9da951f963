//! The bridge killed at any time: nothing is lost and nothing happens twice. `cargo xtask conformance crash` does it to
//! keepers and agents too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// How long anything may take before a test fails instead of hanging.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// The token of programs here.
const TOKEN: &str = "aqt_for_the_crash_test_0123456789abcdef";

/// A machine on which a bridge is killed.
pub(super) struct Machine {
    place: TempDir,
    bridge: Option<Child>,
}

impl Machine {
    pub(super) fn new() -> Machine {
        let place = tempfile::tempdir().unwrap();
        for folder in ["proj", "home"] {
            std::fs::create_dir(place.path().join(folder)).unwrap();
        }
        Machine { place, bridge: None }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.path().canonicalize().unwrap().join(name)
    }

    /// Starts the bridge and waits until it answers.
    pub(super) async fn start(&mut self) {
        self.start_with(None).await;
    }

    /// Starts the bridge, which dies at this point, and waits until it answers.
    pub(super) async fn start_with(&mut self, fault: Option<&str>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
        command
            .args(["serve", "--agent", "builtin", "--no-pair"])
            .arg("--listen")
            .arg(format!("unix:{}", self.path("socket").display()))
            .arg("--data-dir")
            .arg(self.path("data"))
            .arg("--root")
            .arg(self.path(""))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("AQUEDUCT_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .kill_on_drop(true);
        if let Some(fault) = fault {
            std::fs::write(self.path("once"), "").unwrap();
            command.env("AQUEDUCT_FAULT", fault).env("AQUEDUCT_FAULT_ONCE", self.path("once"));
        }
        let _ = std::fs::remove_file(self.path("socket"));
        self.bridge = Some(command.spawn().unwrap());
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while UnixStream::connect(self.path("socket")).await.is_err() {
            assert!(tokio::time::Instant::now() < deadline, "the bridge does not answer");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// The bridge's process.
    pub(super) fn process(&self) -> u32 {
        self.bridge.as_ref().and_then(Child::id).unwrap()
    }

    /// Starts a session of this id.
    pub(super) async fn start_session(&self, session: &str) {
        let mut client = Client::new("");
        client.connect(self).await.unwrap();
        let project = self.path("proj");
        let start =
            json!({"type": "start", "sessionId": session, "projectPath": project, "requestId": "start"});
        client.say(start).await.unwrap();
        let started = client.until(|message| message["requestId"] == "start").await;
        assert_eq!(started["type"], "ok", "{started}");
    }

    /// Kills the bridge, without a warning.
    pub(super) async fn kill(&mut self) {
        let mut bridge = self.bridge.take().unwrap();
        bridge.kill().await.unwrap();
    }

    /// Waits until the bridge is gone.
    pub(super) async fn wait(&mut self) {
        let mut bridge = self.bridge.take().unwrap();
        tokio::time::timeout(PATIENCE, bridge.wait()).await.expect("the bridge ends").unwrap();
    }

    /// The processes of keepers, by their cards.
    pub(super) fn keepers(&self) -> Vec<(i32, i32)> {
        let folders = std::fs::read_dir(self.path("data/keepers")).into_iter().flatten().flatten();
        let card = |folder: std::fs::DirEntry| {
            let card = std::fs::read(folder.path().join("keeper.json")).ok()?;
            let card: Value = serde_json::from_slice(&card).ok()?;
            Some((card["keeper"].as_i64()? as i32, card["agent"].as_i64()? as i32))
        };
        folders.filter_map(card).collect()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        for (keeper, _) in self.keepers() {
            if let Some(pid) = rustix::process::Pid::from_raw(keeper) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// A client that reconnects, and everything it ever received.
pub(super) struct Client {
    pub(super) socket: Option<WebSocketStream<UnixStream>>,
    session: String,
    /// Stored messages by their number, as they came.
    stored: BTreeMap<u64, Value>,
    /// What is to be decided.
    pub(super) pending: BTreeSet<String>,
    /// Whether the session is received from the requested position: before that, messages of any session are.
    is_subscribed: bool,
    /// Errors that may come.
    pub(super) errors: Vec<&'static str>,
}

impl Client {
    pub(super) fn new(session: &str) -> Client {
        Client {
            socket: None,
            session: session.to_owned(),
            stored: BTreeMap::new(),
            pending: BTreeSet::new(),
            is_subscribed: false,
            errors: vec!["already_resolved", "permission_not_found", "storage_failed"],
        }
    }

    /// Connects and subscribes with the last number that it has.
    pub(super) async fn connect(&mut self, machine: &Machine) -> Option<()> {
        let stream = UnixStream::connect(machine.path("socket")).await.ok()?;
        let mut request = "ws://localhost/ws".into_client_request().unwrap();
        request.headers_mut().insert("Authorization", format!("Bearer {TOKEN}").parse().unwrap());
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await.ok()?;
        self.socket = Some(socket);
        self.is_subscribed = false;
        if self.session.is_empty() {
            return Some(());
        }
        let last = self.stored.keys().next_back().copied().unwrap_or_default();
        self.say(json!({"type": "subscribe", "sessionId": self.session, "sinceSeq": last})).await
    }

    pub(super) async fn say(&mut self, message: Value) -> Option<()> {
        let sent = self.socket.as_mut()?.send(Message::text(message.to_string())).await;
        if sent.is_err() {
            self.socket = None;
        }
        self.socket.as_ref().map(drop)
    }

    /// The next message, taken note of; none if the bridge is gone.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            let received = self.socket.as_mut()?.next().await;
            match received {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    self.note(&message);
                    return Some(message);
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => {
                    self.socket = None;
                    return None;
                }
            }
        }
    }

    /// Sends an input to the agent.
    pub(super) async fn input(&mut self, name: &str, text: &str) {
        let input =
            json!({"type": "input", "sessionId": self.session, "text": text, "clientMessageId": name});
        self.say(input).await.unwrap();
    }

    /// The next message that is looked for.
    pub(super) async fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message =
                tokio::time::timeout(PATIENCE, self.next()).await.expect("a message in time").unwrap();
            if is_it(&message) {
                return message;
            }
        }
    }

    fn note(&mut self, message: &Value) {
        if message["type"] == "history_delta" {
            for message in message["messages"].as_array().unwrap() {
                self.note(message);
            }
        }
        if message["type"] == "subscribed" {
            self.is_subscribed = true;
            let pending = message["snapshot"]["pending"].as_array().unwrap();
            self.pending = pending.iter().map(|request| request["id"].as_str().unwrap().to_owned()).collect();
        }
        if message["type"] == "error" {
            assert!(self.errors.contains(&message["code"].as_str().unwrap()), "{message}");
        }
        let Some(seq) = message["seq"]
            .as_u64()
            .filter(|_| self.is_subscribed && message["sessionId"] == self.session.as_str())
        else {
            return;
        };
        if message["type"] == "ok" {
            return;
        }
        let expected = self.stored.keys().next_back().copied().unwrap_or_default() + 1;
        assert_eq!(seq, expected, "a gap, or something twice: {message}");
        match message["type"].as_str().unwrap() {
            "permission_request" => drop(self.pending.insert(message["id"].as_str().unwrap().to_owned())),
            "permission_resolved" => drop(self.pending.remove(message["id"].as_str().unwrap())),
            _ => {}
        }
        self.stored.insert(seq, message.clone());
    }

    /// Whether this is a question about a tool.
    pub(super) fn is_permission(&self, id: &str) -> bool {
        self.of("permission_request")
            .iter()
            .any(|request| request["id"] == id && request["kind"] == "permission")
    }

    fn results(&self) -> usize {
        self.stored.values().filter(|message| message["type"] == "result").count()
    }

    pub(super) fn of(&self, kind: &str) -> Vec<&Value> {
        self.stored.values().filter(|message| message["type"] == kind).collect()
    }
}

/// What one turn does: it leaves a line in a file, after it was allowed, and sends its number.
fn script(number: usize) -> String {
    format!(
        "@tool Bash {{\"command\":\"echo {number} >> lines\"}}\n@say Turn {number} of many, reported in some pieces."
    )
}

/// Runs turns while `kill` is called at random times, until it has been called that often; then the rest undisturbed.
async fn run(machine: &mut Machine, kills: usize, turns: usize, random: &mut fastrand::Rng) -> Vec<Client> {
    let session = uuid::Uuid::new_v4().to_string();
    machine.start().await;
    let mut clients: Vec<Client> = (0..3).map(|_| Client::new(&session)).collect();
    machine.start_session(&session).await;
    let (mut asked, mut acked, mut killed) = (0, BTreeSet::new(), 0);
    let deadline = tokio::time::Instant::now() + PATIENCE + Duration::from_millis(1500) * kills as u32;
    loop {
        assert!(
            tokio::time::Instant::now() < deadline,
            "it does not come to an end: {killed} kills, {} of {asked} acknowledged, {} results, {:?} pending, last {:#?}",
            acked.len(),
            clients[0].results(),
            clients[1].pending,
            clients[0].stored.values().next_back()
        );
        for client in &mut clients {
            if client.socket.is_none() {
                client.connect(machine).await;
            }
        }
        // As many inputs as there have been kills are on their way, and always some that wait.
        let wanted = turns.min(3 + killed * turns / kills.max(1));
        while asked < wanted {
            asked += 1;
        }
        for number in (1..=asked).filter(|number| !acked.contains(number)) {
            let input = json!({"type": "input", "sessionId": session, "text": script(number), "clientMessageId": format!("turn-{number}")});
            clients[0].say(input).await;
        }
        let life = match killed < kills {
            true => Duration::from_micros(random.u64(0..150_000)),
            false => Duration::from_secs(5),
        };
        let end = tokio::time::sleep(life);
        tokio::pin!(end);
        let mut decided = BTreeSet::new();
        loop {
            for id in clients[1].pending.clone() {
                if decided.insert(id.clone()) {
                    clients[1].say(json!({"type": "approve", "sessionId": session, "id": id})).await;
                }
            }
            let [first, second, third] = &mut clients[..] else { unreachable!() };
            let message = tokio::select! {
                () = &mut end => break,
                message = first.next() => message,
                message = second.next() => message,
                message = third.next() => message,
            };
            let Some(message) = message else { break };
            if message["type"] == "input_ack" {
                let name = message["clientMessageId"].as_str().unwrap();
                acked.insert(name.strip_prefix("turn-").unwrap().parse::<usize>().unwrap());
            }
            let is_done = killed == kills
                && acked.len() == turns
                && clients.iter().all(|client| client.results() >= turns);
            if is_done {
                return clients;
            }
        }
        if killed < kills {
            machine.kill().await;
            killed += 1;
            for client in &mut clients {
                // What was on its way before the kill is read to its end.
                while client.next().await.is_some() {}
            }
            machine.start().await;
        }
    }
}

fn lines(machine: &Machine) -> Vec<usize> {
    let text = std::fs::read_to_string(machine.path("proj").join("lines")).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// What must be true after all that.
fn check(machine: &Machine, clients: &[Client], turns: usize) {
    let reported: Vec<&BTreeMap<u64, Value>> = clients.iter().map(|client| &client.stored).collect();
    assert!(reported.windows(2).all(|pair| pair[0] == pair[1]), "all clients received the same");
    let inputs: Vec<&str> =
        clients[0].of("user_input").iter().map(|input| input["clientMessageId"].as_str().unwrap()).collect();
    let all: Vec<String> = (1..=turns).map(|number| format!("turn-{number}")).collect();
    assert_eq!(inputs, all, "every input was given to the agent once, in order");
    let failed: Vec<&Value> =
        clients[0].of("tool_result").into_iter().filter(|result| result["isError"] == true).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(lines(machine), (1..=turns).collect::<Vec<_>>(), "every turn did its work once");
    let results = clients[0].of("result");
    let texts: Vec<String> =
        results.iter().map(|result| result["result"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<String> =
        (1..=turns).map(|number| format!("Turn {number} of many, reported in some pieces.")).collect();
    assert_eq!(texts, expected);
    let asked = clients[0].of("permission_request").len();
    assert_eq!((asked, clients[0].of("permission_resolved").len()), (turns, turns));
}

async fn kill_bridges(kills: usize, turns: usize, seed: u64) {
    let mut machine = Machine::new();
    let clients = run(&mut machine, kills, turns, &mut fastrand::Rng::with_seed(seed)).await;
    check(&machine, &clients, turns);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_bridge_loses_nothing() {
    kill_bridges(12, 8, 7).await;
}
