//! The bridge as a service of systemd, whose side the tests take.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use aqueduct_testing::wait_for;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::served::{Served, aqueduct};
use crate::terminal::Place;

const PATIENCE: Duration = Duration::from_secs(60);

/// The socket on which systemd is notified.
struct Notified {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Notified {
    fn new(place: &Place) -> Notified {
        let path = place.aside("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Notified { socket, path }
    }

    /// The next message that has this line.
    fn until(&self, line: &str) -> String {
        let mut bytes = [0; 4096];
        loop {
            let length = self.socket.recv(&mut bytes).unwrap_or_else(|error| panic!("{line}: {error}"));
            let message = String::from_utf8_lossy(&bytes[..length]).into_owned();
            if message.lines().any(|found| found == line) {
                return message;
            }
        }
    }
}

#[test]
fn systemd_is_notified_of_the_bridges_state() {
    let place = Place::new();
    let notified = Notified::new(&place);
    let served = Served::with(&place, &["--no-pair"], |command| {
        command.env("NOTIFY_SOCKET", &notified.path);
    });
    let ready = notified.until("READY=1");
    assert_eq!(served.http("GET /healthz", None, None).status, 200, "it answers by then");
    assert!(ready.contains("STATUS=no sessions"), "{ready}");
    kill_process(Pid::from_raw(served.pid() as i32).unwrap(), Signal::HUP).unwrap();
    let reloading = notified.until("RELOADING=1");
    assert!(reloading.contains("MONOTONIC_USEC="), "{reloading}");
    notified.until("READY=1");
    assert_eq!(served.stop(Signal::TERM), 0);
    notified.until("STOPPING=1");
}

#[test]
fn signs_of_life_report_sessions() {
    let place = Place::new();
    let notified = Notified::new(&place);
    let mut served = Served::with(&place, &[], |command| {
        command.env("NOTIFY_SOCKET", &notified.path).env("WATCHDOG_USEC", "200000");
    });
    notified.until("WATCHDOG=1");
    let token = served.pair("phone");
    let session = served.session(&token, &place, "@say One.");
    served.wait_for_message(&session, &token, "result");
    notified.until("STATUS=1 session: 1 idle");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
    assert_eq!(served.stop(Signal::TERM), 0);
}

#[test]
fn a_missing_service_manager_stops_nothing() {
    let place = Place::new();
    let served = Served::with(&place, &["--no-pair"], |command| {
        command.env("NOTIFY_SOCKET", place.aside("gone")).env("WATCHDOG_USEC", "200000");
    });
    assert_eq!(served.http("GET /healthz", None, None).status, 200);
    assert_eq!(served.stop(Signal::TERM), 0);
}

/// A bridge that systemd started for a socket.
struct Activated(Child);

impl Activated {
    fn start(place: &Place, listener: OwnedFd, arguments: &[&str]) -> Activated {
        // systemd passes sockets from the number 3 on, and the number of the process that they are for.
        const PASS: &str = r#"exec 3<&0 </dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@""#;
        let mut command = Command::new("bash");
        command
            .args(["-c", PASS, "bash", env!("CARGO_BIN_EXE_aqueduct"), "serve", "--no-pair"])
            .args(arguments)
            .current_dir(place.project())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", place.home())
            .stdin(listener)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Activated(command.spawn().unwrap())
    }

    /// Stops it, and returns what it wrote to standard error.
    fn stop(mut self) -> String {
        kill_process(Pid::from_raw(self.0.id() as i32).unwrap(), Signal::TERM).unwrap();
        self.end()
    }

    fn end(&mut self) -> String {
        let mut errors = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        self.0.wait().unwrap();
        errors
    }
}

impl Drop for Activated {
    fn drop(&mut self) {
        // One that has ended already can't be ended, and needn't.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn request(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn clients_wait_at_a_socket_of_systemd_while_the_bridge_restarts() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    for _ in 0..2 {
        let early = request(address);
        let bridge = Activated::start(&place, listener.try_clone().unwrap().into(), &[]);
        assert!(answer(early).starts_with("HTTP/1.1 200"), "it waited for the bridge");
        assert!(answer(request(address)).starts_with("HTTP/1.1 200"));
        let errors = bridge.stop();
        assert!(errors.contains("stopping"), "{errors}");
    }
}

#[test]
fn a_socket_of_systemd_replaces_the_default_address() {
    let place = Place::new();
    let path = place.aside("bridge.sock");
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    // The default address may be in use on this machine: it is not listened on.
    let bridge = Activated::start(&place, listener.try_clone().unwrap().into(), &[]);
    let mut stream = std::os::unix::net::UnixStream::connect(&path).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    bridge.stop();
    assert!(path.exists(), "the file is systemd's");
}

#[test]
fn a_socket_that_others_can_reach_needs_tls() {
    let place = Place::new();
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let mut bridge = Activated::start(&place, listener.into(), &[]);
    let errors = bridge.end();
    assert!(errors.contains("can be reached from other machines, and without TLS"), "{errors}");
    let mut bridge = Activated::start(&place, fs::File::open("/dev/null").unwrap().into(), &[]);
    let errors = bridge.end();
    assert!(errors.contains("the service manager's file descriptor 3 can't be listened on"), "{errors}");
}

#[test]
fn agents_get_credentials_as_variables_and_nothing_else_of_the_service() {
    const KEY: &str = "sk-credential-0123456789";
    const TOKEN: &str = "automation-token-0123456789";
    let place = Place::new();
    let credentials = place.aside("credentials");
    fs::create_dir(&credentials).unwrap();
    fs::write(credentials.join("anthropic-api-key"), format!("{KEY}\n")).unwrap();
    fs::write(credentials.join("aqueduct-token"), TOKEN).unwrap();
    let notified = Notified::new(&place);
    let agent =
        place.script("agent", "env > \"$HOME/partial\"; mv \"$HOME/partial\" \"$HOME/variables\"; exit 1");
    let served = Served::with(&place, &["--no-pair", "--agent", agent.to_str().unwrap()], |command| {
        command.env("CREDENTIALS_DIRECTORY", &credentials).env("NOTIFY_SOCKET", &notified.path);
    });
    let start = json!({ "projectPath": place.project(), "text": "hello" });
    let started = served.http("POST /api/v1/sessions", Some(TOKEN), Some(&start));
    assert_eq!(started.status, 200, "the token works: {started:?}");
    let variables =
        wait_for("the agent is started", || fs::read_to_string(place.home().join("variables")).ok());
    let variables: Vec<&str> = variables.lines().filter_map(|line| line.split('=').next()).collect();
    assert!(variables.contains(&"ANTHROPIC_API_KEY"), "{variables:?}");
    for name in ["CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET", "AQUEDUCT_TOKEN"] {
        assert!(!variables.contains(&name), "{name}");
    }
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&line).contains(KEY), "no process list shows it");
    }
    let errors = place.aside("errors");
    assert_eq!(served.stop(Signal::TERM), 0);
    let errors = fs::read_to_string(errors).unwrap();
    assert!(!errors.contains(KEY) && !errors.contains(TOKEN), "{errors}");
    // The session ends with its agent; nothing is left to be picked up.
    aqueduct(&place, &["stop", "--agents"]);
}
