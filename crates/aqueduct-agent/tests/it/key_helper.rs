//! The setting `apiKeyHelper`: when its command runs, what is sent, and that the key is shown nowhere.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;

use aqueduct_agent::trust::{self, TrustPlaces, TrustSource};
use serde_json::{Value, json};

use crate::api::message;
use crate::host::{Host, Place, find};

/// Counts its runs in the home, and prints `secret-key-1`, `secret-key-2`, ….
const COUNTING: &str = "echo x >> $HOME/ran; echo secret-key-$(wc -l < $HOME/ran)";

/// An API that answers with these statuses, one a call. It repeats the key in its refusals, as some gateways do. Gives
/// the key and the token of each call.
fn api(statuses: Vec<u16>) -> (String, JoinHandle<Vec<[String; 2]>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let mut calls = Vec::new();
        for status in statuses {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut length, mut keys) = (0, [String::new(), String::new()]);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let Some((name, value)) = line.trim_end().split_once(": ") else {
                    if line == "\r\n" {
                        break;
                    }
                    continue;
                };
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.parse().unwrap(),
                    "x-api-key" => keys[0] = value.to_owned(),
                    "authorization" => keys[1] = value.to_owned(),
                    _ => (),
                }
            }
            std::io::copy(&mut reader.take(length), &mut std::io::sink()).unwrap();
            let text = json!({ "type": "text", "text": "" });
            let delta = json!({ "type": "text_delta", "text": "hi" });
            let (kind, body) = match status {
                200 => ("text/event-stream", message(&text, &[delta], "end_turn")),
                _ => {
                    let error =
                        json!({ "type": "authentication_error", "message": format!("no {}", keys[0]) });
                    ("application/json", json!({ "type": "error", "error": error }).to_string())
                }
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} S\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
            calls.push(keys);
        }
        calls
    });
    (address, serving)
}

fn start(place: &Place, address: &str, variables: &[(&str, &str)]) -> Host {
    let flags = [
        "-p",
        "--verbose",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--model",
        "raw",
    ];
    let mut command = place.command(&flags);
    command.env("ANTHROPIC_BASE_URL", address).env("CLAUDE_CODE_MAX_RETRIES", "0");
    command.envs(variables.iter().copied());
    Host::start(command)
}

fn helper(command: &str) -> String {
    json!({ "apiKeyHelper": command }).to_string()
}

fn runs(place: &Place) -> usize {
    std::fs::read_to_string(place.home().join("ran")).map_or(0, |text| text.lines().count())
}

fn sent(key: &str) -> [String; 2] {
    [key.to_owned(), format!("Bearer {key}")]
}

/// A turn; nothing of it shows the key.
fn turn(host: &mut Host) -> Vec<Value> {
    host.say("@say hi");
    let frames = host.turn();
    assert!(!json!(frames).to_string().contains("secret-key"), "{frames:?}");
    frames
}

#[test]
fn the_key_of_the_command_is_sent_and_kept() {
    let place = Place::new();
    place.write_home(".claude/settings.json", &helper(COUNTING));
    let (address, calls) = api(vec![200, 200]);
    let mut host = start(&place, &address, &[]);
    let answer = host.ask(&json!({ "subtype": "initialize" }));
    let account =
        json!({ "tokenSource": "apiKeyHelper", "apiKeySource": "apiKeyHelper", "apiProvider": "firstParty" });
    assert_eq!(answer["response"]["account"], account);
    let frames = turn(&mut host);
    assert_eq!(find(&frames, "system")["apiKeySource"], "apiKeyHelper");
    assert_eq!(find(&frames, "result")["result"], "hi");
    turn(&mut host);
    let settings = host.ask(&json!({ "subtype": "get_settings" })).to_string();
    assert!(!settings.contains("secret-key-1"), "{settings}");
    host.end();
    assert_eq!(calls.join().unwrap(), [sent("secret-key-1"), sent("secret-key-1")]);
    assert_eq!(runs(&place), 1);
}

#[test]
fn a_key_is_used_no_longer_than_it_lives() {
    let place = Place::new();
    place.write_home(".claude/settings.json", &helper(COUNTING));
    let (address, calls) = api(vec![200, 200]);
    let mut host = start(&place, &address, &[("CLAUDE_CODE_API_KEY_HELPER_TTL_MS", "0")]);
    turn(&mut host);
    turn(&mut host);
    host.end();
    assert_eq!(calls.join().unwrap(), [sent("secret-key-1"), sent("secret-key-2")]);
}

#[test]
fn the_command_runs_again_when_the_key_is_refused() {
    for status in [401, 403] {
        let place = Place::new();
        place.write_home(".claude/settings.json", &helper(COUNTING));
        let (address, calls) = api(vec![status, 200]);
        let mut host = start(&place, &address, &[]);
        let frames = turn(&mut host);
        assert_eq!(find(&frames, "result")["is_error"], false, "{frames:?}");
        assert!(frames.iter().all(|frame| frame["subtype"] != "api_retry"), "{frames:?}");
        host.end();
        assert_eq!(calls.join().unwrap(), [sent("secret-key-1"), sent("secret-key-2")]);
    }
}

#[test]
fn a_key_that_is_always_refused_ends_the_turn_and_is_not_shown() {
    let place = Place::new();
    place.write_home(".claude/settings.json", &helper(COUNTING));
    let (address, calls) = api(vec![401, 401, 401, 200]);
    let mut host = start(&place, &address, &[]);
    let frames = turn(&mut host);
    let result = find(&frames, "result");
    assert_eq!((&result["is_error"], &result["api_error_status"]), (&json!(true), &json!(401)));
    // The conversation continues.
    assert_eq!(find(&turn(&mut host), "result")["result"], "hi");
    host.end();
    let keys = ["secret-key-1", "secret-key-2", "secret-key-3", "secret-key-4"];
    assert_eq!(calls.join().unwrap(), keys.map(sent));
}

#[test]
fn a_key_and_a_token_of_the_environment_stay() {
    let place = Place::new();
    place.write_home(".claude/settings.json", &helper(COUNTING));
    let (address, calls) = api(vec![200, 200]);
    turn(&mut start(&place, &address, &[("ANTHROPIC_API_KEY", "own")]));
    turn(&mut start(&place, &address, &[("ANTHROPIC_AUTH_TOKEN", "own")]));
    let expected = [
        ["own".to_owned(), sent("secret-key-1")[1].clone()],
        ["secret-key-2".to_owned(), "Bearer own".to_owned()],
    ];
    assert_eq!(calls.join().unwrap(), expected);
}

#[test]
fn a_command_that_fails_reports_what_to_do_and_not_its_output() {
    for (command, why) in [
        ("echo secret-key-1; echo secret-key-2 >&2; exit 3", "exited with code 3"),
        ("kill -9 $$", "was ended by signal 9"),
        ("true", "printed nothing"),
        ("echo secret-key-1; echo secret-key-2", "printed more than one line"),
        ("no-such-command-of-mine", "exited with code 127"),
    ] {
        let place = Place::new();
        place.write_home(".claude/settings.json", &helper(command));
        // No server listens on this port: without a key, the agent sends no request.
        let mut host = start(&place, "http://127.0.0.1:9", &[]);
        let frames = turn(&mut host);
        let result = find(&frames, "result");
        let text = result["result"].as_str().unwrap();
        assert!(
            text.contains(why) && text.contains("correct apiKeyHelper in the settings"),
            "{command}: {text}"
        );
        assert_eq!(result["is_error"], true);
        host.end();
    }
}

#[test]
fn the_command_of_a_folder_runs_only_after_the_user_trusted_it() {
    let place = Place::new();
    for file in [".claude/settings.json", ".claude/settings.local.json"] {
        place.write(file, &helper(COUNTING));
        let (address, calls) = api(vec![200]);
        let mut host = start(&place, &address, &[]);
        let frames = turn(&mut host);
        assert_eq!(find(&frames, "result")["result"], "hi");
        host.end();
        assert_eq!(calls.join().unwrap(), [[String::new(), String::new()]], "{file}");
        assert_eq!(runs(&place), 0, "{file}");
    }
    // After the user trusts the folder, its command runs and the key is sent.
    let places = TrustPlaces::new(&place.home(), None, None);
    let digest = trust::inspect(&place.project(), &places).unwrap().digest;
    trust::trust(&place.project(), &digest, TrustSource::Cli, &places).unwrap();
    let (address, calls) = api(vec![200]);
    turn(&mut start(&place, &address, &[]));
    assert_eq!(calls.join().unwrap(), [sent("secret-key-1")]);
    // A command that differs from the trusted one does not run.
    place.write(".claude/settings.json", &helper("echo secret-key-9"));
    place.write(".claude/settings.local.json", "{}");
    let (address, calls) = api(vec![200]);
    turn(&mut start(&place, &address, &[]));
    assert_eq!(calls.join().unwrap(), [[String::new(), String::new()]]);
}

#[test]
fn a_host_that_trusts_the_folder_or_sets_the_command_gets_its_key() {
    let place = Place::new();
    place.write(".claude/settings.json", &helper("echo secret-key-7"));
    let (address, calls) = api(vec![200, 200]);
    let mut host = start(&place, &address, &[]);
    host.ask(&json!({ "subtype": "initialize", "workspaceTrust": { "accepted": true } }));
    turn(&mut host);
    host.ask(
        &json!({ "subtype": "apply_flag_settings", "settings": { "apiKeyHelper": "echo secret-key-8" } }),
    );
    turn(&mut host);
    host.end();
    assert_eq!(calls.join().unwrap(), [sent("secret-key-7"), sent("secret-key-8")]);
}

#[test]
fn services_with_credentials_of_their_own_never_get_the_key() {
    let place = Place::new();
    place.write_home(".claude/settings.json", &helper(COUNTING));
    let (address, calls) = api(vec![400]);
    let variables = [
        ("CLAUDE_CODE_USE_FOUNDRY", "1"),
        ("ANTHROPIC_FOUNDRY_BASE_URL", address.as_str()),
        ("ANTHROPIC_FOUNDRY_API_KEY", "foundry"),
    ];
    turn(&mut start(&place, &address, &variables));
    assert_eq!(calls.join().unwrap(), [["foundry".to_owned(), String::new()]]);
    assert_eq!(runs(&place), 0);
}
