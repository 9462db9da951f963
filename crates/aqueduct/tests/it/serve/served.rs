use std::fs;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use aqueduct_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::terminal::Place;
use crate::{Run, run};

/// How long anything may take before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A bridge that runs.
pub(super) struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
    /// All that it printed so far.
    pub(super) seen: String,
    /// Where it is, such as `127.0.0.1:40123`.
    pub(super) address: String,
    errors: PathBuf,
    /// Where its keepers are.
    keepers: PathBuf,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Server-sent events of a session.
pub(super) struct SessionEvents(Lines<BufReader<TcpStream>>);

impl SessionEvents {
    /// Reads until an event of this kind; returns its data.
    pub(super) fn until(&mut self, kind: &str) -> Value {
        let mut is_it = false;
        loop {
            let line = self.0.next().expect("more comes").unwrap();
            match line.strip_prefix("data:").filter(|_| is_it) {
                Some(data) => return serde_json::from_str(data.trim()).unwrap(),
                None if line.starts_with("event:") => is_it = line["event:".len()..].trim() == kind,
                None => {}
            }
        }
    }
}

/// A command of the program, with nothing of the surroundings but a home and a project.
pub(super) fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command
        .args(arguments)
        .current_dir(place.project())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", place.home())
        .stdin(Stdio::null());
    command
}

/// The same, run to its end.
pub(super) fn aqueduct(place: &Place, arguments: &[&str]) -> Run {
    run(&mut command(place, arguments))
}

impl Served {
    /// Starts a bridge on a free port.
    pub(super) fn start(place: &Place, arguments: &[&str]) -> Served {
        Served::with(place, arguments, |_| {})
    }

    /// The same, with something changed before.
    pub(super) fn with(place: &Place, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Served {
        let errors = place.aside("errors");
        let keepers = place.home().join(".local/share/aqueduct/keepers");
        let mut command = command(place, &["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        let log = fs::OpenOptions::new().create(true).append(true).open(&errors).unwrap();
        command.stdout(Stdio::piped()).stderr(log);
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut served = Served { child, out, seen: String::new(), address: String::new(), errors, keepers };
        let line = served.until("http://");
        served.address = line.split("http://").nth(1).unwrap().trim_end().trim_end_matches('/').to_owned();
        served
    }

    /// Reads until a line has this in it.
    pub(super) fn until(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            let count = self.out.read_line(&mut line).unwrap();
            assert!(count > 0, "waited for {text}, and saw:\n{}\n{}", self.seen, self.errors());
            self.seen.push_str(&line);
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The code of the pairing link.
    pub(super) fn code(&mut self) -> String {
        self.until("#pair=").split("#pair=").nth(1).unwrap().trim().to_owned()
    }

    /// What all bridges of this place wrote to standard error.
    pub(super) fn errors(&self) -> String {
        fs::read_to_string(&self.errors).unwrap()
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request of its own connection.
    pub(super) fn http(&self, request: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
        let body = body.map(Value::to_string).unwrap_or_default();
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let text = format!(
            "{request} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{token}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no HTTP: {answer:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Reads a session's events from the beginning until one of this kind; returns its data.
    pub(super) fn wait_for_message(&self, session: &str, token: &str, kind: &str) -> Value {
        self.events(session, token).until(kind)
    }

    /// A session's events from the beginning on.
    pub(super) fn events(&self, session: &str, token: &str) -> SessionEvents {
        let mut stream = self.connect();
        let request = format!(
            "GET /api/v1/sessions/{session}/events?sinceSeq=0 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        SessionEvents(BufReader::new(stream).lines())
    }

    /// Waits until a session waits for a decision.
    pub(super) fn wait_for_question(&self, session: &str, token: &str) {
        wait_until("the session waits for a decision", || {
            let state = self.http(&format!("GET /api/v1/sessions/{session}"), Some(token), None).json();
            state["snapshot"]["pending"].as_array().is_some_and(|pending| !pending.is_empty())
        });
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Pairs, and gives the token.
    pub(super) fn pair(&mut self, name: &str) -> String {
        let code = self.code();
        let answer = self.http("POST /api/v1/pair", None, Some(&json!({ "code": code, "name": name })));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["token"].as_str().unwrap().to_owned()
    }

    /// Starts a session with an input; returns its id.
    pub(super) fn session(&self, token: &str, place: &Place, text: &str) -> String {
        let start = json!({ "projectPath": place.project(), "text": text, "agent": "builtin" });
        let answer = self.http("POST /api/v1/sessions", Some(token), Some(&start));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["sessionId"].as_str().unwrap().to_owned()
    }

    /// Sends a signal and waits for the end. Returns the exit code.
    pub(super) fn stop(mut self, signal: Signal) -> i32 {
        kill_process(Pid::from_raw(self.pid() as i32).unwrap(), signal).unwrap();
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // One that has ended already can't be ended, and needn't.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A test that went wrong leaves no agents behind.
        if std::thread::panicking() {
            for keeper in fs::read_dir(&self.keepers).into_iter().flatten().flatten() {
                let card = fs::read(keeper.path().join("keeper.json")).unwrap_or_default();
                let card: Value = serde_json::from_slice(&card).unwrap_or_default();
                if let Some(pid) =
                    card["keeper"].as_i64().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?))
                {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
        }
    }
}
