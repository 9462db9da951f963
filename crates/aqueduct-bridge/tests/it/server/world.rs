//! A bridge without agents that listens on loopback, and clients that send bytes directly.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_bridge::BridgeSettings;
use aqueduct_bridge::auth::Token;
use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::log::{Append, Log, NewEvent, NewSession, Time};
use aqueduct_bridge::server::{Listen, Pace, Server, ServerOptions};
use aqueduct_bridge::settings::ClientLimits;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tracing::subscriber::DefaultGuard;

/// How long anything may take before a test fails instead of hanging.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The token for automation.
pub(super) const TOKEN: &str = "a-token-that-no-other-has";

pub(super) const MESSAGE_BYTES: usize = 64 * 1024;

/// A bridge.
pub(super) struct World {
    pub(super) server: Server,
    pub(super) hub: Hub,
    pub(super) address: SocketAddr,
    pub(super) lines: Arc<Mutex<Vec<String>>>,
    pub(super) folder: TempDir,
    _log_guard: DefaultGuard,
}

impl World {
    pub(super) async fn new() -> Self {
        World::with(|_| {}).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut ServerOptions)) -> Self {
        World::set_up(|_| {}, change).await
    }

    pub(super) async fn set_up(
        change_settings: impl FnOnce(&mut BridgeSettings),
        change: impl FnOnce(&mut ServerOptions),
    ) -> Self {
        let folder = crate::private_folder();
        let hub = open(&folder, change_settings).await;
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log_guard = crate::log_lines::collect(&lines);
        let mut options = ServerOptions {
            listen: vec!["127.0.0.1:0".parse().unwrap()],
            automation: Some(Token::given(TOKEN).unwrap()),
            admin: Some(folder.path().join("admin.sock")),
            ..ServerOptions::default()
        };
        change(&mut options);
        let server = Server::start(hub.clone(), options).unwrap();
        let address = server.places().iter().find_map(|place| match place {
            Listen::Tcp(address) => Some(*address),
            Listen::Unix(_) => None,
        });
        let address = address.unwrap_or_else(|| ([127, 0, 0, 1], 0).into());
        World { server, hub, address, lines, folder, _log_guard: log_guard }
    }

    pub(super) async fn connect(&self) -> Client<TcpStream> {
        Client::new(TcpStream::connect(self.address).await.unwrap())
    }

    /// A request on a connection of its own, byte by byte.
    pub(super) async fn raw(&self, request: impl AsRef<[u8]>) -> Reply {
        let mut client = self.connect().await;
        client.send(request).await;
        client.reply().await
    }

    /// A request with the right `Host` and further lines, each with its end.
    pub(super) async fn ask(&self, method: &str, path: &str, lines: &str, body: &str) -> Reply {
        self.raw(self.request(method, path, lines, body)).await
    }

    pub(super) fn request(&self, method: &str, path: &str, lines: &str, body: &str) -> String {
        let length = match body {
            "" => String::new(),
            body => format!("Content-Length: {}\r\n", body.len()),
        };
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}{length}\r\n{body}", self.address)
    }

    /// A request with the right token.
    pub(super) async fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &bearer(TOKEN), "").await
    }

    /// A request with the right token and a JSON body.
    pub(super) async fn send(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.ask(method, path, &format!("{}{JSON}", bearer(TOKEN)), &body.to_string()).await
    }

    /// A request that has to be confirmed, confirmed.
    pub(super) async fn confirmed(&self, method: &str, path: &str, body: &Value) -> Reply {
        let asked = self.send(method, path, body).await;
        asked.assert_error(409, "confirmation_required");
        let mut body = body.clone();
        body["confirm"] = asked.json()["confirm"].clone();
        self.send(method, path, &body).await
    }

    /// A device that was paired: its id and its token.
    pub(super) async fn device(&self) -> (String, String) {
        let pairing = self.confirmed("POST", "/api/v1/pairings", &json!({"scope": "admin"})).await.json();
        let code = json!({"code": pairing["code"], "name": "Phone"});
        let paired = self.ask("POST", "/api/v1/pair", JSON, &code.to_string()).await;
        assert_eq!(paired.status, 200, "{}", paired.text());
        let paired = paired.json();
        (text(&paired["device"]["deviceId"]), text(&paired["token"]))
    }

    /// A session with stored messages.
    pub(super) async fn session(&self, id: &str, messages: &[Value]) {
        let session = NewSession::new(id, "/proj/api", "builtin", "stopped");
        let append = messages.iter().fold(Append::new(Time::now()), |append, message| {
            append.event(NewEvent::new(text(&message["type"]), message.to_string()))
        });
        self.hub.log().create_session(session, append).await.unwrap();
    }

    pub(super) async fn stop(self) {
        self.server.shutdown().await;
        self.hub.close().await;
    }
}

pub(super) const JSON: &str = "Content-Type: application/json\r\n";

pub(super) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// Times that are short enough for a test, where a test waits for them.
pub(super) fn hasty() -> Pace {
    Pace {
        head: Duration::from_millis(200),
        stall: Duration::from_millis(300),
        closing: Duration::from_millis(500),
        ..Pace::default()
    }
}

async fn open(folder: &TempDir, change: impl FnOnce(&mut BridgeSettings)) -> Hub {
    let data = folder.path().to_owned();
    let log = Log::open(&data).unwrap();
    let mut settings = BridgeSettings {
        version: "0.0.0".to_owned(),
        host: None,
        keeper: vec!["true".into()],
        agents: Vec::new(),
        default_agent: "none".to_owned(),
        roots: vec![data.clone()],
        data,
        transcripts: Vec::new(),
        git: Default::default(),
        idle: Duration::from_secs(900),
        unattended: Default::default(),
        limits: ClientLimits { message_bytes: MESSAGE_BYTES, ..ClientLimits::default() },
        bypass: false,
        strict_decisions: false,
        push: Default::default(),
        explainer: None,
        trust: None,
        telemetry: None,
    };
    change(&mut settings);
    Hub::open(settings, log).await.unwrap()
}

/// One end of a connection.
pub(super) struct Client<S> {
    pub(super) stream: S,
    /// What was read and not taken.
    pub(super) read: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    pub(super) fn new(stream: S) -> Self {
        Client { stream, read: Vec::new() }
    }

    pub(super) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Reads more; false at the end.
    pub(super) async fn more(&mut self) -> bool {
        let count = timeout(PATIENCE, self.stream.read_buf(&mut self.read)).await;
        count.expect("the server sends nothing").unwrap_or(0) > 0
    }

    /// Exactly so many bytes.
    pub(super) async fn take(&mut self, count: usize) -> Vec<u8> {
        while self.read.len() < count {
            assert!(
                self.more().await,
                "the connection ended early: {:?}",
                String::from_utf8_lossy(&self.read)
            );
        }
        self.read.drain(..count).collect()
    }

    /// Everything up to and with this.
    pub(super) async fn until(&mut self, end: &str) -> String {
        loop {
            let found = self.read.windows(end.len()).position(|window| window == end.as_bytes());
            if let Some(at) = found {
                return String::from_utf8(self.take(at + end.len()).await).unwrap();
            }
            assert!(
                self.more().await,
                "the connection ended before {end:?}: {:?}",
                String::from_utf8_lossy(&self.read)
            );
        }
    }

    /// Whether the server has ended the connection, with nothing more to send.
    pub(super) async fn is_over(&mut self) -> bool {
        while self.more().await {}
        self.read.is_empty()
    }

    pub(super) async fn head(&mut self) -> Reply {
        let head = self.until("\r\n\r\n").await;
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Reply { status, headers, body: Vec::new() }
    }

    pub(super) async fn reply(&mut self) -> Reply {
        let mut reply = self.head().await;
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        reply.body = self.take(length).await;
        reply
    }
}

/// What a request was answered with.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.0 == name).map(|header| &*header.1)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Its status and the code of its error.
    #[track_caller]
    pub(super) fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        let error = self.json();
        assert_eq!((error["type"].as_str(), error["code"].as_str()), (Some("error"), Some(code)), "{error}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()));
        self.assert_guarded();
    }

    /// What keeps browsers from mischief is in every answer.
    #[track_caller]
    pub(super) fn assert_guarded(&self) {
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{self:?}");
        assert_eq!(self.header("referrer-policy"), Some("no-referrer"), "{self:?}");
        let policy = self.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{self:?}"
        );
    }
}
