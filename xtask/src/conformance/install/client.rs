use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

/// Where the service listens.
const ADDRESS: &str = "127.0.0.1:8765";

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often it is looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// A paired client of the bridge.
pub(super) struct Client {
    token: String,
}

impl Client {
    /// Pairs with the output of `aqueduct pair --json`.
    pub(super) fn pair(output: &str) -> Result<Self> {
        let pairing: Value =
            serde_json::from_str(output).with_context(|| format!("aqueduct pair printed {output}"))?;
        let code = pairing["code"].as_str().with_context(|| format!("{pairing} has no code"))?;
        let answer = request("POST", "/pair", None, &json!({ "code": code, "name": "tablet" }))?;
        let token = answer["token"].as_str().with_context(|| format!("{answer} has no token"))?;
        Ok(Client { token: token.to_owned() })
    }

    /// Starts a session of the built-in agent with an input, and returns its id.
    pub(super) fn start(&self, project: &str, text: &str) -> Result<String> {
        let start = json!({ "projectPath": project, "text": text, "agent": "builtin" });
        let answer = request("POST", "/sessions", Some(&self.token), &start)?;
        let id = answer["sessionId"].as_str().with_context(|| format!("{answer} has no session"))?;
        Ok(id.to_owned())
    }

    /// Waits for the result of the only turn, and checks that nothing is lost and nothing comes twice.
    pub(super) fn finish(&self, session: &str) -> Result<()> {
        let path = format!("/sessions/{session}/messages");
        let messages = || -> Result<Vec<Value>> {
            let page = request("GET", &path, Some(&self.token), &Value::Null)?;
            Ok(page["messages"].as_array().cloned().unwrap_or_default())
        };
        let of_kind = |all: &[Value], kind: &str| {
            all.iter().filter(|message| message["type"] == kind).cloned().collect::<Vec<_>>()
        };
        wait("the turn ends", || Ok(!of_kind(&messages()?, "result").is_empty()))?;
        let all = messages()?;
        for kind in ["user_input", "tool_result", "result"] {
            let found = of_kind(&all, kind);
            ensure!(found.len() == 1, "there are {} messages of the kind {kind}: {all:#?}", found.len());
        }
        let result = of_kind(&all, "result");
        ensure!(result.iter().all(|result| result["result"] == "after: went"), "{result:?}");
        Ok(())
    }
}

/// Waits until a condition holds.
pub(super) fn wait(what: &str, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !holds()? {
        if Instant::now() > deadline {
            bail!("waited {} s until {what}", PATIENCE.as_secs());
        }
        thread::sleep(INTERVAL);
    }
    Ok(())
}

/// A request on a connection of its own; its answer has to be a success.
fn request(method: &str, path: &str, token: Option<&str>, body: &Value) -> Result<Value> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let mut stream = TcpStream::connect(ADDRESS).context("cannot connect to the bridge")?;
    stream.set_read_timeout(Some(PATIENCE)).context("cannot limit the wait")?;
    write!(
        stream,
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {ADDRESS}\r\nConnection: close\r\n{token}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .context("cannot send a request")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).context("the answer is cut off")?;
    let (head, body) = answer.split_once("\r\n\r\n").context("the answer is no HTTP")?;
    ensure!(head.starts_with("HTTP/1.1 200"), "{method} {path}: {answer}");
    serde_json::from_str(body).with_context(|| format!("{method} {path}: {body}"))
}
