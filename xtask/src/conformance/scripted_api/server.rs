//! The server: a thread a connection, for as long as one scenario.

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::http::{self, EventStream, Request};
use super::script::{self, Failures, Reply};
use super::steps::{self, Ending};
use super::{openai, reply, stream};

/// A running scripted model. Dropping it ends it.
pub(crate) struct ScriptedApi {
    address: SocketAddr,
    state: Arc<State>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    failures: Mutex<Failures>,
    /// The body of every request, without the descriptions of the tools.
    requests: Mutex<Vec<Value>>,
    /// The usage of every answer that has ended, by the message's id.
    counted: Mutex<BTreeMap<String, Value>>,
    ids: AtomicU64,
    closing: AtomicBool,
}

impl ScriptedApi {
    /// Listens on a free port of loopback.
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on loopback")?;
        let address = listener.local_addr().context("cannot read the server's address")?;
        let state = Arc::new(State::default());
        let accepting = thread::spawn({
            let state = Arc::clone(&state);
            move || accept(&listener, &state)
        });
        Ok(Self { address, state, accepting: Some(accepting) })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The messages of every request so far, in the order of their coming.
    pub(in crate::conformance) fn requests(&self) -> Vec<Value> {
        self.bodies().iter().map(|body| body["messages"].clone()).collect()
    }

    /// The bodies of every request so far: of the tools, only the names.
    pub(in crate::conformance) fn bodies(&self) -> Vec<Value> {
        self.state.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ScriptedApi {
    /// The usage of every answer that has ended, by the message's id.
    pub(in crate::conformance) fn counted(&self) -> BTreeMap<String, Value> {
        self.state.counted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ScriptedApi {
    fn drop(&mut self) {
        self.state.closing.store(true, Ordering::Release);
        // The listener waits for a connection: this is one, and it is the last.
        if TcpStream::connect(self.address).is_ok()
            && let Some(accepting) = self.accepting.take()
        {
            let _ = accepting.join();
        }
    }
}

/// A connection's thread ends when its client closes it, which the end of the client's process does.
fn accept(listener: &TcpListener, state: &Arc<State>) {
    for connection in listener.incoming().map_while(io::Result::ok) {
        if state.closing.load(Ordering::Acquire) {
            return;
        }
        let state = Arc::clone(state);
        thread::spawn(move || {
            // A client that goes away in the middle of a stream is an interrupt, not a fault.
            let _ = serve(&connection, &state);
        });
    }
}

fn serve(connection: &TcpStream, state: &State) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection);
    let mut writer = connection;
    while let Some(request) = http::read(&mut reader)? {
        state.answer(&request, &mut writer)?;
    }
    Ok(())
}

impl State {
    fn answer(&self, request: &Request, to: &mut &TcpStream) -> io::Result<()> {
        let request_id = self.next_id("req");
        if request.method == "HEAD" {
            return http::present(to);
        }
        let is_chat = request.path.starts_with("/v1/chat/completions");
        if request.method != "POST" || !(is_chat || request.path.starts_with("/v1/messages")) {
            return http::respond(to, 404, &request_id, &reply::error(404).to_string());
        }
        if request.path.contains("count_tokens") {
            return http::respond(to, 200, &request_id, &json!({ "input_tokens": 100 }).to_string());
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        self.keep(&body);
        let decided = {
            let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
            match is_chat {
                true => script::reply(&openai::as_messages(&body), &mut failures),
                false => script::reply(&body, &mut failures),
            }
        };
        let blocks = match decided {
            Reply::Failure { status } => {
                return http::respond(to, status, &request_id, &reply::error(status).to_string());
            }
            Reply::Response { status, headers, body } => {
                return http::respond_with(to, status, &request_id, &headers, &body);
            }
            Reply::Steps(steps) => {
                let (id, model) = (self.next_id("msg"), body["model"].as_str().unwrap_or("scripted"));
                let mut events = EventStream::open(to, &request_id)?;
                return match steps::stream(&mut events, &id, model, &steps, || self.next_id("toolu"))? {
                    Ending::Complete => events.close(),
                    Ending::Cut => to.shutdown(Shutdown::Both),
                };
            }
            Reply::Message(blocks) => blocks,
        };
        let (id, model) = (self.next_id("msg"), body["model"].as_str().unwrap_or("scripted"));
        let next_id = || self.next_id("toolu");
        if is_chat && body["stream"] != true {
            let answer = openai::completion(&id, model, &blocks, next_id);
            return http::respond(to, 200, &request_id, &answer.to_string());
        }
        if is_chat {
            let mut events = EventStream::open(to, &request_id)?;
            openai::stream(&mut events, &id, model, &blocks, next_id)?;
            return events.close();
        }
        if body["stream"] == true {
            let mut events = EventStream::open(to, &request_id)?;
            stream::message(&mut events, &id, model, &blocks, next_id)?;
            self.count(id, reply::usage(reply::STREAMED_TOKENS));
            events.close()
        } else {
            let message = reply::message(&id, model, &blocks, next_id);
            self.count(id, message["usage"].clone());
            http::respond(to, 200, &request_id, &message.to_string())
        }
    }

    fn keep(&self, body: &Value) {
        let mut kept = body.clone();
        if let Some(tools) = kept.get_mut("tools").and_then(Value::as_array_mut) {
            tools.iter_mut().for_each(|tool| *tool = tool["name"].take());
        }
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
    }

    fn count(&self, id: String, usage: Value) {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).insert(id, usage);
    }

    fn next_id(&self, kind: &str) -> String {
        format!("{kind}_{:04}", self.ids.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn a_prompt_is_answered_as_it_specifies() {
        let api = ScriptedApi::start().expect("starts");
        let body = json!({ "messages": [{ "role": "user", "content": "@say hello" }] }).to_string();
        let mut client = TcpStream::connect(api.address).expect("connects");
        write!(client, "POST /v1/messages HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            .expect("sends");
        client.shutdown(Shutdown::Write).expect("closes");
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("reads");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(answer.contains(r#""text":"hello""#), "{answer}");
        assert_eq!(api.requests(), [json!([{ "role": "user", "content": "@say hello" }])]);
        assert!(api.url().starts_with("http://127.0.0.1:"));
    }
}
