//! `aqueduct scripted-api`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::{aqueduct, file, run};

/// A server that ends with the test.
pub(crate) struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server and waits for its address.
pub(crate) fn start(arguments: &[&str]) -> (Served, String) {
    let all = [&["scripted-api", "--listen", "127.0.0.1:0", "--json"], arguments].concat();
    let mut child = aqueduct(&all).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let reported: Value = serde_json::from_str(&line).unwrap();
    (Served(child), reported["url"].as_str().unwrap().trim_start_matches("http://").to_owned())
}

fn ask(address: &str, prompt: &str) -> String {
    let body = json!({ "model": "m", "messages": [{ "role": "user", "content": prompt }] }).to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_serves_until_a_signal_ends_it() {
    for signal in ["INT", "TERM"] {
        let (mut served, address) = start(&[]);
        assert!(ask(&address, "@say hello").contains(r#""text":"hello""#));
        crate::kill(signal, served.0.id());
        assert_eq!(served.0.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_script_answers_and_a_log_keeps_what_was_asked() {
    let directory = tempfile::tempdir().unwrap();
    let script = file(&directory, "a.script", "when prompt contains \"weather\"\n@say It rains.\n");
    let log = directory.path().join("log.jsonl");
    let (_served, address) = start(&["--script", &script, "--log", log.to_str().unwrap()]);
    assert!(ask(&address, "How is the weather?").contains("It rains."));
    let line: Value = serde_json::from_str(std::fs::read_to_string(log).unwrap().trim_end()).unwrap();
    assert_eq!(line["body"]["messages"][0]["content"], "How is the weather?");
}

#[test]
fn what_can_not_be_started_is_refused_with_a_hint() {
    let wide = run(&mut aqueduct(&["scripted-api", "--listen", "0.0.0.0:0"]));
    assert_eq!(wide.code, 2);
    insta::assert_snapshot!(wide.err, @"aqueduct: others could reach 0.0.0.0:0; listen on 127.0.0.1, or add --allow-remote");
    let directory = tempfile::tempdir().unwrap();
    let script = file(&directory, "a.script", "when prompt is \"x\"\n@tool\n");
    let wrong = run(&mut aqueduct(&["scripted-api", "--script", &script]));
    assert_eq!(
        (wrong.code, wrong.err.ends_with("is not a valid script: line 2: @tool: expected NAME JSON\n")),
        (2, true)
    );
    let (_served, address) = start(&[]);
    let taken = run(&mut aqueduct(&["scripted-api", "--listen", &address]));
    assert!(taken.err.contains("give another --listen"), "{}", taken.err);
    assert_eq!(run(&mut aqueduct(&["scripted-api", "--listen", "here"])).code, 2);
}
