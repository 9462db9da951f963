//! A Messages API on loopback that answers at once, and knows how long it took.
//!
//! A prompt has a name and the number of deltas to send: see [`prompt`]. Everything else that a program
//! asks on the side gets a short answer too.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// The text of every delta: about a token.
const PIECE: &str = "word ";

/// How a prompt begins, among whatever a program puts around it.
const MARK: &str = "aqueduct-bench: ";

/// How much is written at once after the first delta: the server must not be what is measured.
const WRITTEN_AT_ONCE: usize = 64 * 1024;

/// A prompt that asks for an answer of so many deltas.
pub(super) fn prompt(name: &str, deltas: usize) -> String {
    format!("{MARK}{name} {deltas}.")
}

/// The name and the number in a prompt.
fn read_prompt(text: &str) -> Option<(&str, usize)> {
    let (_, rest) = text.rsplit_once(MARK)?;
    let (name, rest) = rest.split_once(' ')?;
    let (deltas, _) = rest.split_once('.')?;
    Some((name, deltas.parse().ok()?))
}

/// How long the newest request of each prompt was with the server before its first delta was sent.
type Times = Arc<Mutex<HashMap<String, Duration>>>;

/// A server that runs until the program ends.
pub(super) struct Api {
    address: SocketAddr,
    times: Times,
}

impl Api {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on loopback")?;
        let address = listener.local_addr().context("cannot read the server's address")?;
        let times = Times::default();
        let known = Arc::clone(&times);
        thread::spawn(move || {
            for connection in listener.incoming().map_while(io::Result::ok) {
                let times = Arc::clone(&known);
                // A client that disconnects is not a fault.
                thread::spawn(move || serve(&connection, &times));
            }
        });
        Ok(Self { address, times })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The model's latency: from the last byte of the request to the first delta. It is returned once.
    pub(super) fn take_time(&self, name: &str) -> Result<Duration> {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.remove(name).with_context(|| format!("no request came with the prompt {name}"))
    }
}

fn serve(connection: &TcpStream, times: &Times) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection);
    while let Some((head, body)) = read(&mut reader)? {
        let received = Instant::now();
        answer(connection, &head, &body, received, times)?;
    }
    Ok(())
}

/// The first line and the body of the next request; `None` at the end.
fn read(from: &mut impl BufRead) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut head = String::new();
    if from.read_line(&mut head)? == 0 {
        return Ok(None);
    }
    let mut length = 0;
    loop {
        let mut header = String::new();
        from.read_line(&mut header)?;
        match header.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = Vec::new();
    from.take(length).read_to_end(&mut body)?;
    Ok(Some((head, body)))
}

fn answer(to: &TcpStream, head: &str, body: &[u8], received: Instant, times: &Times) -> io::Result<()> {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    if !head.starts_with("POST /v1/messages") || body["stream"] != true {
        return on_the_side(to, head);
    }
    let texts =
        body["messages"].as_array().into_iter().flatten().rev().map(|message| text(&message["content"]));
    let newest = texts.into_iter().find(|text| text.contains(MARK)).unwrap_or_default();
    let (name, deltas) = read_prompt(&newest).unwrap_or(("", 1));
    let mut to = BufWriter::with_capacity(WRITTEN_AT_ONCE, to);
    to.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_1\r\ntransfer-encoding: chunked\r\n\r\n",
    )?;
    let usage = json!({ "input_tokens": 10, "output_tokens": 1 });
    let message = json!({
        "id": format!("msg_{name}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage
    });
    event(&mut to, &json!({ "type": "message_start", "message": message }))?;
    let block = json!({ "type": "text", "text": "" });
    event(&mut to, &json!({ "type": "content_block_start", "index": 0, "content_block": block }))?;
    let delta = json!({ "type": "text_delta", "text": PIECE });
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": delta });
    event(&mut to, &delta)?;
    times.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), received.elapsed());
    to.flush()?;
    for _ in 1..deltas {
        event(&mut to, &delta)?;
    }
    event(&mut to, &json!({ "type": "content_block_stop", "index": 0 }))?;
    let ending = json!({ "stop_reason": "end_turn", "stop_sequence": null });
    event(
        &mut to,
        &json!({ "type": "message_delta", "delta": ending, "usage": { "output_tokens": deltas } }),
    )?;
    event(&mut to, &json!({ "type": "message_stop" }))?;
    to.write_all(b"0\r\n\r\n")?;
    to.flush()
}

/// Requests that are not turns: health checks, token counts.
fn on_the_side(mut to: &TcpStream, head: &str) -> io::Result<()> {
    let body = if head.starts_with("HEAD") { "" } else { r#"{"input_tokens":10}"# };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    to.write_all(format!("{head}\r\n\r\n{body}").as_bytes())
}

/// The text of a message, its blocks one after another.
fn text(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
}

/// An event, as one chunk.
fn event(to: &mut impl Write, event: &Value) -> io::Result<()> {
    let kind = event["type"].as_str().unwrap_or_default();
    let event = format!("event: {kind}\ndata: {event}\n\n");
    write!(to, "{:x}\r\n{event}\r\n", event.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_found_among_other_words() {
        let text = format!("<reminder>\n{}\n</reminder>", prompt("first-3", 100));
        assert_eq!(read_prompt(&text), Some(("first-3", 100)));
        assert_eq!(read_prompt("hello"), None);
    }

    #[test]
    fn as_many_deltas_are_sent_as_the_prompt_specifies() {
        let api = Api::start().expect("starts");
        let messages = json!([{ "role": "user", "content": [{ "type": "text", "text": prompt("x", 3) }] }]);
        let body = json!({ "stream": true, "messages": messages }).to_string();
        let mut client = TcpStream::connect(api.address).expect("connects");
        write!(client, "POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len())
            .expect("sends");
        client.shutdown(std::net::Shutdown::Write).expect("closes");
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("reads");
        assert_eq!(answer.matches("event: content_block_delta").count(), 3, "{answer}");
        assert!(api.take_time("x").is_ok());
        assert!(api.take_time("x").is_err());
    }
}
