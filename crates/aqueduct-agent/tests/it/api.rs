//! A fake API that sends the exact bytes that a test specifies.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

/// A model that sends these bodies unchanged, one per call, and returns the requests that it received.
pub(crate) fn raw_model(bodies: Vec<String>) -> (String, std::thread::JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for body in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line == "\r\n" {
                    break;
                }
            }
            let mut question = Vec::new();
            reader.take(length).read_to_end(&mut question).unwrap();
            asked.push(serde_json::from_slice(&question).unwrap());
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
        }
        asked
    });
    (address, serving)
}

/// The events of a message with one block.
pub(crate) fn message(block: &Value, deltas: &[Value], stop_reason: &str) -> String {
    let start = json!({ "type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "raw", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 },
    } });
    let mut events =
        vec![start, json!({ "type": "content_block_start", "index": 0, "content_block": block })];
    events.extend(
        deltas.iter().map(|delta| json!({ "type": "content_block_delta", "index": 0, "delta": delta })),
    );
    events.push(json!({ "type": "content_block_stop", "index": 0 }));
    events.push(json!({ "type": "message_delta", "delta": { "stop_reason": stop_reason, "stop_sequence": null }, "usage": { "output_tokens": 5 } }));
    events.push(json!({ "type": "message_stop" }));
    let line = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(line).collect()
}

/// The request that the model receives while a closure runs that calls it once.
pub(crate) fn recorded<T>(run: impl FnOnce(&str) -> T) -> Value {
    let text = json!({ "type": "text", "text": "" });
    let delta = json!({ "type": "text_delta", "text": "hi" });
    let (address, serving) = raw_model(vec![message(&text, &[delta], "end_turn")]);
    run(&address);
    serving.join().unwrap().remove(0)
}
