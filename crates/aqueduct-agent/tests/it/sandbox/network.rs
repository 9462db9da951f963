//! Sockets, and the way out to hosts that settings name.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::net::{UnixDatagram, UnixListener};

use aqueduct_testing::require;
use serde_json::json;

use super::{By, place, run, start_bold};

/// Sockets of both kinds, against listeners of the test.
fn sockets(by: By) {
    let place = require!(place(by, json!({ "enabled": true })));
    let network = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = network.local_addr().unwrap().port();
    let unix = place.project().join("socket");
    let _listener = UnixListener::bind(&unix).unwrap();
    let mut host = start_bold(&place);
    let (well, text) = run(&mut host, &format!("exec 3<>/dev/tcp/127.0.0.1/{port}"));
    assert!(!well, "{text}");
    let program = std::env::current_exe().unwrap();
    let attempt = format!(
        "ATTEMPT={} {} --exact sandbox::network::attempt_from_inside --include-ignored --nocapture",
        unix.display(),
        program.display()
    );
    let (well, text) = run(&mut host, &attempt);
    assert!(!well && text.contains("Operation not permitted"), "{text}");
    let datagrams = place.project().join("datagrams");
    let receiver = UnixDatagram::bind(&datagrams).unwrap();
    let attempt = format!(
        "ATTEMPT={} {} --exact sandbox::network::attempt_by_a_pair --include-ignored --nocapture",
        datagrams.display(),
        program.display()
    );
    let (well, text) = run(&mut host, &attempt);
    assert!(!well && text.contains("Operation not permitted"), "{text}");
    receiver.set_nonblocking(true).unwrap();
    assert!(receiver.recv(&mut [0]).is_err());
    network.set_nonblocking(true).unwrap();
    assert!(network.accept().is_err());
    host.end();
}

#[test]
fn sockets_are_refused_by_bubblewrap() {
    sockets(By::Bubblewrap);
}

#[test]
fn sockets_are_refused_by_landlock() {
    sockets(By::Landlock);
}

#[test]
#[ignore = "other tests run it in the sandbox"]
fn attempt_from_inside() {
    let path = std::env::var_os("ATTEMPT").expect("another test starts this one");
    std::os::unix::net::UnixStream::connect(path).unwrap();
}

#[test]
#[ignore = "other tests run it in the sandbox"]
fn attempt_by_a_pair() {
    let path = std::env::var_os("ATTEMPT").expect("another test starts this one");
    let (one, _other) = UnixDatagram::pair().unwrap();
    one.send_to(b"out", path).unwrap();
}

#[test]
fn unix_sockets_can_be_allowed() {
    let sandbox = json!({ "enabled": true, "network": { "allowAllUnixSockets": true } });
    let place = require!(place(By::Bubblewrap, sandbox));
    let unix = place.project().join("socket");
    let _listener = UnixListener::bind(&unix).unwrap();
    let program = std::env::current_exe().unwrap();
    let attempt = format!(
        "ATTEMPT={} {} --exact sandbox::network::attempt_from_inside --include-ignored",
        unix.display(),
        program.display()
    );
    let mut host = start_bold(&place);
    let (well, text) = run(&mut host, &attempt);
    assert!(well, "{text}");
    host.end();
}

/// An HTTP server of the test that answers this many requests.
fn server(requests: usize) -> (u16, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let work = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for _ in 0..requests {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
            }
            reader
                .get_mut()
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
                .unwrap();
            heads.push(head);
        }
        heads
    });
    (port, work)
}

/// What a command sends to the proxy, and prints of the answer.
fn through_proxy(request: &str) -> String {
    format!("exec 3<>/dev/tcp/127.0.0.1/${{HTTP_PROXY##*:}}; printf '{request}' >&3; cat <&3")
}

#[test]
fn named_hosts_are_reached_and_no_others() {
    let network = json!({ "allowedDomains": ["127.0.0.1", "*.example"], "deniedDomains": ["bad.example"] });
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true, "network": network })));
    let (port, served) = server(2);
    let mut host = start_bold(&place);
    let plain =
        through_proxy(&format!("GET http://127.0.0.1:{port}/a HTTP/1.1\\r\\nHost: other\\r\\n\\r\\n"));
    let (well, text) = run(&mut host, &plain);
    assert!(well && text.ends_with("hello") && !text.contains("<sandbox>"), "{text}");
    let tunnel =
        format!("CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n\\r\\nGET /b HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
    let (_, text) = run(&mut host, &through_proxy(&tunnel));
    assert!(text.contains("Connection established") && text.ends_with("hello"), "{text}");
    for (target, why) in [
        (format!("CONNECT localhost:{port}"), "not among the allowed hosts"),
        ("CONNECT bad.example:443".to_owned(), "denied host"),
        ("CONNECT example.org:443".to_owned(), "not among the allowed hosts"),
    ] {
        let (well, text) = run(&mut host, &through_proxy(&format!("{target} HTTP/1.1\\r\\n\\r\\n")));
        assert!(well && text.contains("403 Forbidden"), "{text}");
        let (_, note) = text.split_once("<sandbox>").unwrap_or_else(|| panic!("a note: {text}"));
        assert!(note.contains(why) && note.contains("*.example"), "{note}");
    }
    host.end();
    let heads = served.join().unwrap();
    assert!(heads[0].starts_with(&format!("GET /a HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n")), "{heads:?}");
    assert!(heads[1].starts_with("GET /b"));
}

#[test]
fn a_private_address_takes_its_own_name() {
    let network = json!({ "allowedDomains": ["*"] });
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true, "network": network })));
    let mut host = start_bold(&place);
    for name in ["127.0.0.1", "localhost", "169.254.169.254", "[::1]"] {
        let (_, text) = run(&mut host, &through_proxy(&format!("CONNECT {name}:80 HTTP/1.1\\r\\n\\r\\n")));
        assert!(text.contains("private address") || text.contains("502"), "{name}: {text}");
        assert!(!text.contains("established"), "{name}: {text}");
    }
    host.end();
}
