use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::explained::advice;

/// How long a bridge may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest answer that is read.
const LARGEST: u64 = 16 << 20;

/// A running bridge's socket for its owner. It serves the API, and requires no token from the
/// user that it runs as.
#[derive(Debug)]
pub(crate) struct Admin {
    stream: UnixStream,
}

/// An error that the bridge answered with.
#[derive(Debug)]
pub(crate) struct BridgeRefusal {
    /// The error code.
    pub(crate) code: String,
    message: String,
}

impl fmt::Display for BridgeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for BridgeRefusal {}

impl Admin {
    /// Connects to the bridge; `None` if no bridge listens.
    pub(crate) fn connect(socket: &Path) -> anyhow::Result<Option<Self>> {
        match UnixStream::connect(socket) {
            Ok(stream) => Ok(Some(Admin { stream })),
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) =>
            {
                Ok(None)
            }
            Err(error) => {
                let reported = || format!("can't reach the bridge at {}", socket.display());
                Err(error).with_context(reported)
            }
        }
    }

    /// One request, and the JSON of its answer. An error of the bridge is one here.
    pub(crate) fn ask(mut self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<String> {
        let reported = || advice("the bridge does not answer", "see whether it still runs");
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.set_read_timeout(Some(PATIENCE)).with_context(reported)?;
        self.stream.set_write_timeout(Some(PATIENCE)).with_context(reported)?;
        self.stream.write_all(request.as_bytes()).with_context(reported)?;
        let mut answer = Vec::new();
        self.stream.take(LARGEST).read_to_end(&mut answer).with_context(reported)?;
        let answer = std::str::from_utf8(&answer).context("the bridge's answer is not text")?;
        read(answer)
    }
}

/// The JSON of an answer.
fn read(answer: &str) -> anyhow::Result<String> {
    let (head, body) = answer.split_once("\r\n\r\n").context("the bridge's answer is not HTTP")?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    let value: Value = serde_json::from_str(body).context("the bridge's answer is not JSON")?;
    match (status, value["message"].as_str()) {
        ("200", _) => Ok(body.to_owned()),
        (_, Some(message)) => {
            let code = value["code"].as_str().unwrap_or_default().to_owned();
            Err(BridgeRefusal { code, message: message.to_owned() }.into())
        }
        (status, None) => bail!("the bridge answers with status {status}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_errors_are_distinguished() {
        let answer = |status: &str, body: &str| read(&format!("HTTP/1.1 {status}\r\na: b\r\n\r\n{body}"));
        assert_eq!(answer("200 OK", r#"{"type":"ok"}"#).unwrap(), r#"{"type":"ok"}"#);
        let error = answer("404 Not Found", r#"{"type":"error","message":"no such device"}"#).unwrap_err();
        assert_eq!(error.to_string(), "no such device");
        for broken in ["", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK"] {
            assert!(read(broken).is_err(), "{broken:?}");
        }
    }
}
