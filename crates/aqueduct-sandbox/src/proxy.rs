//! The way out for commands that may reach some hosts: an HTTP proxy of the agent, one a command.
//!
//! It takes `CONNECT` for anything over TLS and whole addresses for plain HTTP. What it is not sure about it refuses,
//! and it keeps a note of that for the model.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener as StdListener};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aqueduct_os::address::{is_own, is_private_name, is_public};
use aqueduct_os::socket::receive_files;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream, lookup_host};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::policy::SandboxPolicy;

/// How many connections a command may have at a time; more wait.
const MAX_CONNECTIONS: usize = 64;
/// How long the head of a request may be.
const MAX_HEAD: usize = 32 * 1024;
/// The longest name of a host.
const LONGEST_HOST: usize = 253;
/// How long a command may take for the head.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long a host may take to be found and to answer.
const CONNECT_TIME: Duration = Duration::from_secs(20);
/// How many refusals are kept.
const MAX_NOTES: usize = 20;

/// The hosts that a command has inside, by whatever name.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The proxy of a command. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct CommandProxy {
    work: JoinHandle<()>,
    refused: Arc<Mutex<Vec<String>>>,
}

impl CommandProxy {
    /// A proxy, and the file by which it gets its listener from inside.
    pub(super) fn open(policy: Arc<SandboxPolicy>) -> io::Result<(CommandProxy, OwnedFd)> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let line = UnixStream::from_std(ours)?;
        let refused = Arc::new(Mutex::new(Vec::new()));
        let work = tokio::spawn(serve(line, ProxyGuard { policy, refused: Arc::clone(&refused) }));
        Ok((CommandProxy { work, refused }, theirs.into()))
    }

    /// What was refused so far.
    pub(super) fn refused(&self) -> Vec<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for CommandProxy {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// The hosts inside that a command reaches without the proxy.
pub(super) fn direct(policy: &SandboxPolicy) -> String {
    let own = OWN_HOSTS.into_iter().filter(|host| !policy.names(host));
    own.collect::<Vec<_>>().join(",")
}

/// Who may pass.
#[derive(Clone)]
struct ProxyGuard {
    policy: Arc<SandboxPolicy>,
    refused: Arc<Mutex<Vec<String>>>,
}

/// Serves a command until no process is left inside.
async fn serve(line: UnixStream, guard: ProxyGuard) {
    let listener = line.async_io(Interest::READABLE, || receive_files::<1>(&line)).await;
    let listener = listener.map(|[listener]| StdListener::from(listener)).and_then(|listener| {
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    });
    // Without a listener no connection comes.
    let Ok(listener) = listener else { return };
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        if connections.len() >= MAX_CONNECTIONS {
            connections.join_next().await;
        }
        match listener.accept().await {
            Ok((client, _)) => {
                let guard = guard.clone();
                // What breaks off is seen by both ends.
                connections.spawn(async move { drop(guard.pass(client).await) });
            }
            // For example too many open files: others may be closed soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

impl ProxyGuard {
    /// Serves one connection.
    async fn pass(&self, mut client: TcpStream) -> io::Result<()> {
        let head = match timeout(HEAD_TIME, head(&mut client)).await {
            Ok(Ok(head)) => head,
            Ok(Err(error)) => return Err(error),
            Err(_) => return Ok(()),
        };
        let Some(request) = ProxyRequest::parse(&head) else {
            return respond(&mut client, "400 Bad Request", "The sandbox's proxy takes HTTP requests only")
                .await;
        };
        let mut host = match timeout(CONNECT_TIME, self.connect(&request)).await {
            Ok(Ok(host)) => host,
            Ok(Err(ProxyFailure::Refused(why))) => {
                let note = format!("{}:{} {why}", request.host, request.port);
                let text = format!("The sandbox refused it: {note}");
                self.note(note);
                return respond(&mut client, "403 Forbidden", &text).await;
            }
            Ok(Err(ProxyFailure::Failed(error))) => {
                let text = format!("{} can't be reached: {error}", request.host);
                return respond(&mut client, "502 Bad Gateway", &text).await;
            }
            Err(_) => return respond(&mut client, "504 Gateway Timeout", "The host does not answer").await,
        };
        match &request.forwarded {
            Some(forwarded) => host.write_all(forwarded).await?,
            None => {
                client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
                host.write_all(&request.rest).await?;
            }
        }
        copy_bidirectional(&mut client, &mut host).await.map(drop)
    }

    /// A connection to the host of a request, if it may be reached. The address that is looked at is the one that is
    /// connected to.
    async fn connect(&self, request: &ProxyRequest) -> Result<TcpStream, ProxyFailure> {
        if let Some(why) = self.policy.refuses(&request.host) {
            return Err(ProxyFailure::Refused(why));
        }
        let is_named = self.policy.names(&request.host);
        let found = lookup_host((request.host.as_str(), request.port)).await.map_err(ProxyFailure::Failed)?;
        let found: Vec<SocketAddr> = found.collect();
        // The owner of a public name could make it resolve to this machine at any time: that is never
        // intended.
        let is_near = request.host.parse::<IpAddr>().is_ok() || is_private_name(&request.host);
        let may_pass = |address: IpAddr| is_public(address) || (is_named && (is_near || !is_own(address)));
        let open: Vec<SocketAddr> = found.iter().copied().filter(|found| may_pass(found.ip())).collect();
        if open.is_empty() && !found.is_empty() {
            return Err(ProxyFailure::Refused(match is_named {
                true => "claims to be this machine, or a service of its network",
                false => "leads to a private address, and is not allowed by that very name",
            }));
        }
        TcpStream::connect(&open[..]).await.map_err(ProxyFailure::Failed)
    }

    fn note(&self, note: String) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.len() < MAX_NOTES && !refused.contains(&note) {
            refused.push(note);
        }
    }
}

/// Why the connection failed.
enum ProxyFailure {
    Refused(&'static str),
    Failed(io::Error),
}

/// What a command asks the proxy for.
#[derive(Debug, PartialEq, Eq)]
struct ProxyRequest {
    host: String,
    port: u16,
    /// What the host gets in its place; none for a tunnel.
    forwarded: Option<Vec<u8>>,
    /// What came behind the head.
    rest: Vec<u8>,
}

impl ProxyRequest {
    fn parse(bytes: &[u8]) -> Option<ProxyRequest> {
        let end = memchr::memmem::find(bytes, b"\r\n\r\n")?;
        let (head, rest) = (std::str::from_utf8(&bytes[..end]).ok()?, bytes[end + 4..].to_vec());
        // Others may see the end of a line, or of a header, where there is none.
        let is_plain =
            |line: &str| !line.starts_with([' ', '\t']) && line.chars().all(|c| c == '\t' || !c.is_control());
        if !head.split("\r\n").all(is_plain) {
            return None;
        }
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") {
            return None;
        }
        if method == "CONNECT" {
            let (host, port) = authority(target, None)?;
            return Some(ProxyRequest { host, port, forwarded: None, rest });
        }
        let address = target.strip_prefix("http://").or_else(|| target.strip_prefix("HTTP://"))?;
        let end = address.find(['/', '?', '#']).unwrap_or(address.len());
        let (named, path) = address.split_at(end);
        let path = path.split('#').next().unwrap_or_default();
        let slash = if path.starts_with('/') { "" } else { "/" };
        let (host, port) = authority(named, Some(80))?;
        let mut forwarded =
            format!("{method} {slash}{path} {version}\r\nHost: {named}\r\nConnection: close\r\n");
        // The host is the one that was looked at, and the connection is for one request.
        let dropped = ["host", "connection", "keep-alive"];
        for line in lines {
            let name = line.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
            if !dropped.contains(&name.as_str()) && !name.starts_with("proxy-") {
                forwarded.push_str(line);
                forwarded.push_str("\r\n");
            }
        }
        forwarded.push_str("\r\n");
        let forwarded = [forwarded.as_bytes(), &rest].concat();
        Some(ProxyRequest { host, port, forwarded: Some(forwarded), rest: Vec::new() })
    }
}

/// Host and port. A user name and a password are not allowed here.
fn authority(text: &str, usual: Option<u16>) -> Option<(String, u16)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let port = match port.strip_prefix(':') {
        Some(number) => number.parse().ok()?,
        None if port.is_empty() => usual?,
        None => return None,
    };
    // What ends in a number is an address; those that are written in some other way than usual may be any.
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let is_number =
        last.bytes().all(|byte| byte.is_ascii_digit()) || last.to_ascii_lowercase().starts_with("0x");
    let is_host = (1..=LONGEST_HOST).contains(&host.len())
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte))
        && (host.parse::<IpAddr>().is_ok() || !(is_number || host.contains(':')));
    is_host.then(|| (host.to_owned(), port))
}

/// Reads the head of a request, and what came with it.
async fn head(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while memchr::memmem::find(&bytes, b"\r\n\r\n").is_none() {
        if bytes.len() > MAX_HEAD || client.read_buf(&mut bytes).await? == 0 {
            break;
        }
    }
    Ok(bytes)
}

async fn respond(client: &mut TcpStream, status: &str, text: &str) -> io::Result<()> {
    let head = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length:";
    let answer = format!("HTTP/1.1 {status}\r\n{head} {}\r\n\r\n{text}\n", text.len() + 1);
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}

#[cfg(test)]
mod tests {
    use super::ProxyRequest;

    #[test]
    fn tunnels_and_whole_addresses_are_understood() {
        let request =
            ProxyRequest::parse(b"CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\nrest").unwrap();
        assert_eq!(
            (request.host.as_str(), request.port, request.rest.as_slice()),
            ("example.com", 443, &b"rest"[..])
        );
        assert_eq!(request.forwarded, None);
        let text = b"GET http://example.com?a=1#x HTTP/1.1\r\nHost: evil.com\r\nProxy-Connection: keep-alive\r\nAccept: */*\r\n\r\nbody";
        let request = ProxyRequest::parse(text).unwrap();
        assert_eq!((request.host.as_str(), request.port), ("example.com", 80));
        assert_eq!(
            String::from_utf8(request.forwarded.unwrap()).unwrap(),
            "GET /?a=1 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\nAccept: */*\r\n\r\nbody"
        );
        let request = ProxyRequest::parse(b"CONNECT [::1]:80 HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!((request.host.as_str(), request.port), ("::1", 80));
    }

    #[test]
    fn what_is_not_sure_is_refused() {
        for text in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT example.com HTTP/1.1\r\n\r\n",
            "CONNECT a@example.com:443 HTTP/1.1\r\n\r\n",
            "GET http://user:key@example.com/ HTTP/1.1\r\n\r\n",
            "GET ftp://example.com/ HTTP/1.1\r\n\r\n",
            "GET http://example.com/ HTTP/1.1 x\r\n\r\n",
            "GET http://exam%70le.com/ HTTP/1.1\r\n\r\n",
            "CONNECT example.com:99999 HTTP/1.1\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "CONNECT example.com:443 HTTP/1.1",
            "CONNECT 2130706433:443 HTTP/1.1\r\n\r\n",
            "CONNECT 0x7f.1:443 HTTP/1.1\r\n\r\n",
            "CONNECT 127.1:443 HTTP/1.1\r\n\r\n",
            "CONNECT 0177.0.0.1:443 HTTP/1.1\r\n\r\n",
            "CONNECT 127.0.0.1.:443 HTTP/1.1\r\n\r\n",
            "CONNECT [fe80::1%1]:443 HTTP/1.1\r\n\r\n",
            "CONNECT a:b:443 HTTP/1.1\r\n\r\n",
            "GET http://example.com/ HTTP/1.1\r\nX: a\nHost: evil.com\r\n\r\n",
            "GET http://example.com/ HTTP/1.1\r\nX: a\r\n Host: evil.com\r\n\r\n",
            "GET http://example.com/\nx HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(ProxyRequest::parse(text.as_bytes()), None, "{text}");
        }
        let long = format!("CONNECT {}.example:443 HTTP/1.1\r\n\r\n", "a".repeat(250));
        assert_eq!(ProxyRequest::parse(long.as_bytes()), None);
    }
}
