use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::error::SignInError;

/// How much of a request is read: authorization servers put long codes into addresses.
const HEAD_BYTES: usize = 32 * 1024;

/// How long a browser has to send a request and to read the answer.
const TIME: Duration = Duration::from_secs(10);

/// How many connections are served at once. Browsers open some in advance.
const CONNECTIONS: usize = 16;

/// How long to wait after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// How often another port is tried.
const TRIES: usize = 8;

const DONE: &str =
    "You can close this page and return to Aqueduct, which shows whether the sign-in succeeded.";
const REFUSED: &str = "This address does not belong to a sign-in of Aqueduct that is under way.";

/// Where a browser on this machine comes back to: a port that only this machine reaches.
#[derive(Debug)]
pub(super) struct CallbackListener {
    listeners: Vec<TcpListener>,
    redirect: Url,
}

impl CallbackListener {
    /// Opens a port: this one, or any.
    pub(super) async fn open(port: Option<u16>) -> Result<Self, SignInError> {
        let mut tries = 0;
        loop {
            tries += 1;
            match bind(port.unwrap_or(0)).await {
                Ok(listeners) => {
                    let port = listeners
                        .first()
                        .map(TcpListener::local_addr)
                        .transpose()
                        .map_err(SignInError::Listener)?;
                    let port = port.map_or(0, |address| address.port());
                    // Clients that were registered by hand are registered with this name.
                    let redirect = Url::parse(&format!("http://localhost:{port}/callback"));
                    let redirect =
                        redirect.map_err(|error| SignInError::Listener(io::Error::other(error)))?;
                    return Ok(CallbackListener { listeners, redirect });
                }
                Err(error) if port.is_some() || tries == TRIES => return Err(SignInError::Listener(error)),
                Err(_) => {}
            }
        }
    }

    /// Where the browser is sent back to.
    pub(super) fn redirect(&self) -> &Url {
        &self.redirect
    }

    /// Waits for a browser that comes back with an address that is accepted. Other browsers get a page that refuses theirs.
    pub(super) async fn wait(&self, is_accepted: impl Fn(&str) -> bool) -> String {
        let mut serving: JoinSet<Option<(String, TcpStream)>> = JoinSet::new();
        loop {
            let stream = tokio::select! {
                stream = self.accept(), if serving.len() < CONNECTIONS => stream,
                Some(request) = serving.join_next() => {
                    let Ok(Some((target, stream))) = request else { continue };
                    let address = self.redirect.join(&target).map(String::from).unwrap_or_default();
                    if is_accepted(&address) {
                        respond(stream, "200 OK", DONE).await;
                        return address;
                    }
                    serving.spawn(async move {
                        respond(stream, "404 Not Found", REFUSED).await;
                        None
                    });
                    continue;
                }
            };
            match stream {
                Ok(stream) => {
                    drop(serving.spawn(async move { timeout(TIME, request(stream)).await.ok().flatten() }))
                }
                // There are too many open files, for example.
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    async fn accept(&self) -> io::Result<TcpStream> {
        match self.listeners.as_slice() {
            [one, other] => tokio::select! {
                accepted = one.accept() => accepted.map(|(stream, _)| stream),
                accepted = other.accept() => accepted.map(|(stream, _)| stream),
            },
            [one, ..] => one.accept().await.map(|(stream, _)| stream),
            [] => std::future::pending().await,
        }
    }
}

/// Listens on both addresses of this machine. A browser takes either, and what is not taken here another user could take.
async fn bind(port: u16) -> io::Result<Vec<TcpListener>> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = first.local_addr()?.port();
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
        Ok(second) => Ok(vec![first, second]),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        // There is no IPv6 here.
        Err(_) => Ok(vec![first]),
    }
}

/// Reads a request; what it asks for, and where the answer goes.
async fn request(mut stream: TcpStream) -> Option<(String, TcpStream)> {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut buffer).await.ok()?;
        if count == 0 || head.len() + count > HEAD_BYTES {
            return None;
        }
        head.extend_from_slice(buffer.get(..count)?);
    }
    let line = head.split(|byte| *byte == b'\r').next()?;
    let target = std::str::from_utf8(line).ok()?.strip_prefix("GET ")?.split(' ').next()?;
    target.starts_with('/').then(|| (target.to_owned(), stream))
}

async fn respond(mut stream: TcpStream, status: &str, text: &str) {
    let body = format!("<!doctype html><meta charset=utf-8><title>Aqueduct</title><p>{text}</p>");
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\ncontent-security-policy: default-src 'none'\r\n\
         connection: close\r\n\r\n",
        body.len()
    );
    let sent = async {
        stream.write_all(format!("{head}{body}").as_bytes()).await?;
        stream.shutdown().await
    };
    // A browser that is gone needs no answer.
    let _ = timeout(TIME, sent).await;
}
