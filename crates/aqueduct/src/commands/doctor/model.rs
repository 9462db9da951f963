//! The model of the built-in agent: keys, and where the API is. Keys are only looked for.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::Duration;

use super::check::DoctorCheck;

const SUBJECT: &str = "model";

/// How long a name may take to become an address, and a connection to be made.
const PATIENCE: Duration = Duration::from_secs(2);

/// Checks the variables that select the model.
pub(super) fn check(variable: &dyn Fn(&str) -> Option<String>) -> Vec<DoctorCheck> {
    let services = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
    let is_on = |value: String| ["1", "true", "yes", "on"].contains(&&*value.to_lowercase());
    if let Some(name) = services.into_iter().find(|name| variable(name).is_some_and(is_on)) {
        return vec![DoctorCheck::ok(SUBJECT, format!("{name} is set; its credentials were not tried"))];
    }
    let keys: Vec<&str> = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]
        .into_iter()
        .filter(|name| variable(name).is_some())
        .collect();
    let base = variable("ANTHROPIC_BASE_URL");
    let mut checks = Vec::new();
    match (keys.is_empty(), base.is_some()) {
        (true, false) => checks.push(DoctorCheck::warn(
            SUBJECT,
            "no key and no address of an API: the built-in agent answers with its scripted demo model",
            "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway or a local server",
        )),
        (true, true) => {
            checks.push(DoctorCheck::ok(SUBJECT, "no key, as a gateway or a local server may want none"))
        }
        (false, _) => checks.push(DoctorCheck::ok(SUBJECT, format!("{} is set", keys.join(" and ")))),
    }
    if let Some(base) = base {
        checks.push(reach(&base));
    }
    checks
}

/// Whether a server can be there. On this machine a connection is tried; elsewhere only the name is looked up,
/// and nothing is sent.
fn reach(base: &str) -> DoctorCheck {
    let Some((host, port)) = host_and_port(base) else {
        let next = "write it as https://HOST/PATH or http://HOST:PORT";
        return DoctorCheck::fail(SUBJECT, "ANTHROPIC_BASE_URL is not a server address", next);
    };
    let Some(addresses) = resolve(&host, port) else {
        let found = format!("ANTHROPIC_BASE_URL: the name {host} leads nowhere");
        return DoctorCheck::warn(
            SUBJECT,
            found,
            "see whether it is spelled right, and whether this machine is online",
        );
    };
    let Some(local) = addresses.iter().find(|address| address.ip().is_loopback()) else {
        return DoctorCheck::ok(
            SUBJECT,
            format!("ANTHROPIC_BASE_URL: {host} is known; it was not contacted"),
        );
    };
    match TcpStream::connect_timeout(local, PATIENCE) {
        Ok(_) => DoctorCheck::ok(SUBJECT, format!("ANTHROPIC_BASE_URL: something listens at {local}")),
        Err(error) => DoctorCheck::fail(
            SUBJECT,
            format!("ANTHROPIC_BASE_URL: nothing answers at {local}: {error}"),
            "start the server, or unset the variable",
        ),
    }
}

/// Resolves a name. Systems take long without a network, so the check does not wait for the answer.
fn resolve(host: &str, port: u16) -> Option<Vec<SocketAddr>> {
    let (sender, found) = mpsc::channel();
    let name = (host.to_owned(), port);
    // The thread ends with the answer, or with the process.
    std::thread::spawn(move || sender.send(name.to_socket_addrs().map(Iterator::collect::<Vec<_>>)));
    found.recv_timeout(PATIENCE).ok()?.ok().filter(|addresses| !addresses.is_empty())
}

/// The host and the port of an address. What else is in it may be a secret.
fn host_and_port(base: &str) -> Option<(String, u16)> {
    let (rest, usual) = match (base.strip_prefix("https://"), base.strip_prefix("http://")) {
        (Some(rest), _) => (rest, 443),
        (None, Some(rest)) => (rest, 80),
        (None, None) => return None,
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let (host, port) = match server.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            (host, rest.strip_prefix(':'))
        }
        None => server.rsplit_once(':').map_or((server, None), |(host, port)| (host, Some(port))),
    };
    let port = match port {
        Some(port) => port.parse().ok()?,
        None => usual,
    };
    (!host.is_empty()).then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::commands::doctor::check::CheckStatus;

    #[test]
    fn addresses_are_read_without_their_secrets() {
        let read = |base: &str| host_and_port(base).map(|(host, port)| format!("{host} {port}"));
        assert_eq!(read("https://user:pass@gate.example/v1?key=x").as_deref(), Some("gate.example 443"));
        assert_eq!(read("http://localhost:8099").as_deref(), Some("localhost 8099"));
        assert_eq!(read("http://[::1]:80/").as_deref(), Some("::1 80"));
        assert_eq!(read("http://127.0.0.1").as_deref(), Some("127.0.0.1 80"));
        for wrong in ["localhost:8099", "ftp://x", "http://", "http://x:y", "https://[::1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn keys_are_found_and_never_shown() {
        let secret = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "sk-very-secret".to_owned());
        let checks = check(&secret);
        assert_eq!(checks, [DoctorCheck::ok("model", "ANTHROPIC_API_KEY is set")]);
        assert_eq!(check(&|_| None)[0].status, CheckStatus::Warn);
        let wrong = |name: &str| (name == "ANTHROPIC_BASE_URL").then(|| "token@host".to_owned());
        assert!(!format!("{:?}", check(&wrong)).contains("token"));
    }

    #[test]
    fn a_server_on_this_machine_is_tried() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        assert_eq!(reach(&base).status, CheckStatus::Ok);
        drop(listener);
        assert_eq!(reach(&base).status, CheckStatus::Fail);
    }
}
