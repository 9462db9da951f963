//! The examples of the official SDK: a server with a sign-in, and one that has its clients poll.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::super::reference;
use super::super::stage::Stage;
use super::conversation::Talk;
use super::server::{await_port, free_port};
use crate::npm;

const VERSION: &str = "1.32.2";

/// How long the agent may take to connect after the browser has come back.
const PATIENCE: Duration = Duration::from_secs(10);

/// An example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Example {
    /// Requires a sign-in, with an authorization server of its own.
    SignIn,
    /// Cuts its answers and has the client poll for them.
    Polling,
}

impl Example {
    pub(super) const ALL: &[Example] = &[Example::SignIn, Example::Polling];

    pub(super) fn name(self) -> &'static str {
        match self {
            Example::SignIn => "oauth",
            Example::Polling => "polling",
        }
    }
}

/// Installs the SDK if it is not there; the folder with the examples.
pub(super) fn install() -> Result<PathBuf> {
    let directory = reference::lab()?.join(format!("mcp-sdk-{VERSION}"));
    npm::install(&directory, "@modelcontextprotocol/sdk", VERSION)?;
    Ok(directory.join("node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server"))
}

/// Leads the agent through an example; how many steps there were.
pub(super) fn converse(stage: &mut Stage, folder: &std::path::Path, example: Example) -> Result<usize> {
    // The example has this port.
    let port = if example == Example::Polling { 3001 } else { free_port()? };
    let mut node = Command::new("node");
    match example {
        Example::SignIn => {
            node.arg(folder.join("simpleStreamableHttp.js")).args(["--oauth", "--oauth-strict"]);
            node.env("MCP_PORT", port.to_string()).env("MCP_AUTH_PORT", free_port()?.to_string());
        }
        Example::Polling => drop(node.arg(folder.join("ssePollingExample.js"))),
    }
    node.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Running(node.spawn().context("cannot start the server")?);
    await_port(port)?;
    let url = format!("http://localhost:{port}/mcp");
    let config = json!({ "mcpServers": { "every": { "type": "http", "url": url } } }).to_string();
    let session = stage.start(&["--allowed-tools", "mcp__every", "--mcp-config", config.as_str()])?;
    let mut talk = Talk { session, steps: 0 };
    talk.session.initialize(&json!({}))?;
    talk.hello()?;
    match example {
        Example::SignIn => sign_in(&mut talk)?,
        Example::Polling => talk.call("mcp__every__long-task {}", "Long task completed")?,
    }
    let Talk { session, steps } = talk;
    session.end()?;
    Ok(steps + 1)
}

fn sign_in(talk: &mut Talk) -> Result<()> {
    await_status(talk, "needs-auth")?;
    let server = json!({ "serverName": "every" });
    let begun = talk.control("mcp_authenticate", &server)?;
    let link = begun["authUrl"].as_str().context("there is no link")?;
    // A browser on this machine.
    let back = location(&get(link)?).context("the authorization server sends the browser nowhere")?;
    get(&back)?;
    await_status(talk, "connected")?;
    talk.call("mcp__every__greet {\"name\":\"Ada\"}", "Hello, Ada!")?;
    talk.control("mcp_clear_auth", &server)?;
    await_status(talk, "needs-auth")?;
    // A browser on another machine.
    let begun = talk.control("mcp_authenticate", &server)?;
    let link = begun["authUrl"].as_str().context("there is no link")?;
    let back = location(&get(link)?).context("the authorization server sends the browser nowhere")?;
    talk.control("mcp_oauth_callback_url", &json!({ "serverName": "every", "callbackUrl": back }))?;
    talk.call("mcp__every__greet {\"name\":\"Ada\"}", "Hello, Ada!")
}

fn await_status(talk: &mut Talk, expected: &str) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let reported = talk.session.control("mcp_status", &json!({})).unwrap_or_default();
        let server = &reported["response"]["response"]["mcpServers"][0];
        if server["status"] == expected {
            talk.steps += 1;
            return Ok(());
        }
        if Instant::now() > deadline {
            bail!("{} should be {expected}", Value::to_string(server));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Fetches a page of this machine: the head of the answer.
fn get(address: &str) -> Result<String> {
    let rest = address.strip_prefix("http://").context("not a page of this machine")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let port: u16 = host.rsplit(':').next().unwrap_or_default().parse().context("no port")?;
    let mut stream = TcpStream::connect(("localhost", port))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.split("\r\n\r\n").next().unwrap_or_default().to_owned())
}

fn location(head: &str) -> Option<String> {
    let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with("location:"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// A server, which ends with the conversation.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
