//! Every route, for pages of every origin.

use aqueduct_bridge::message::http::{PREFIX, ROUTES, RouteAction};
use aqueduct_bridge::server::ServerOptions;

use super::websocket::Socket;
use super::world::{JSON, TOKEN, World, bearer};

/// A request of every kind that the bridge answers: method, path, and lines besides `Host` and `Origin`.
fn requests() -> Vec<(String, String, String)> {
    let of_routes = ROUTES
        .iter()
        .filter(|route| !matches!(route.action, RouteAction::Events | RouteAction::SessionEvents));
    let mut requests: Vec<_> = of_routes
        .map(|route| {
            let path = route.path.replace(['{', '}'], "");
            (route.method.as_str().to_owned(), format!("{PREFIX}{path}"), bearer(TOKEN))
        })
        .collect();
    for (method, path, lines) in [
        ("GET", "/ws", format!("{}Sec-WebSocket-Protocol: aqueduct, bearer.{TOKEN}\r\n", Socket::HANDSHAKE)),
        ("GET", "/", String::new()),
        ("GET", "/metrics", bearer(TOKEN)),
        ("GET", "/healthz", String::new()),
        ("GET", "/api/v1/events", bearer(TOKEN)),
        ("GET", "/api/v1/sessions/s/events", bearer(TOKEN)),
        ("OPTIONS", "/api/v1/sessions", "Access-Control-Request-Method: POST\r\n".into()),
        ("OPTIONS", "/api/v1/auth/token", "Access-Control-Request-Headers: authorization\r\n".into()),
        ("GET", "/api/v1/nothing", bearer(TOKEN)),
    ] {
        requests.push((method.to_owned(), path.to_owned(), lines));
    }
    requests
}

/// Asks everything of a bridge, as a page of an origin; whether it was refused for that.
async fn ask_all(world: &World, host: &str, lines: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (method, path, own) in requests() {
        let (kind, length) =
            if method == "GET" || method == "DELETE" { ("", "") } else { (JSON, "Content-Length: 2\r\n") };
        let body = if length.is_empty() { "" } else { "{}" };
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{own}{kind}{length}{lines}\r\n{body}");
        let mut client = world.connect().await;
        client.send(request).await;
        let reply = client.head().await;
        assert!(
            !reply
                .headers
                .iter()
                .any(|(name, _)| name.starts_with("access-control-") || name == "set-cookie"),
            "{method} {path}: {reply:?}"
        );
        if reply.status != 101 {
            assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{method} {path}");
            assert_eq!(reply.header("cross-origin-opener-policy"), Some("same-origin"), "{method} {path}");
            assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{method} {path}");
        }
        found.push((format!("{method} {path}"), reply.status == 403));
    }
    found
}

#[track_caller]
fn assert_all(found: &[(String, bool)], refused: bool, what: &str) {
    let wrong: Vec<&str> =
        found.iter().filter(|(_, was)| *was != refused).map(|(request, _)| request.as_str()).collect();
    assert!(wrong.is_empty(), "{what}: {wrong:?}");
}

/// Origins that are not `http://HOST:PORT`, however close they look.
fn foreign(host: &str, port: u16) -> Vec<String> {
    let near = if port == 65535 { port - 1 } else { port + 1 };
    let mut origins = vec![
        format!("http://{host}"),
        format!("http://{host}:{near}"),
        format!("http://{host}:0{port}"),
        format!("http://{host}:{port}0"),
        format!("http://{host}:{port}/"),
        format!("http://{host}:{port}@evil.example"),
        format!("http://user@{host}:{port}"),
        format!("http://{host}.:{port}"),
        format!("http://sub.{host}:{port}"),
        format!("http://{host}.evil.example:{port}"),
        format!("http://evil{host}:{port}"),
        format!("https://{host}:{port}"),
        format!("HTTP://{host}:{port}"),
        format!("ws://{host}:{port}"),
        format!("{host}:{port}"),
        format!("http://{host}:{port}, http://evil.example"),
        format!("http://[::ffff:127.0.0.1]:{port}"),
        format!("http://0.0.0.0:{port}"),
        format!("http://2130706433:{port}"),
        format!("http://127.1:{port}"),
        format!("http://evil.example:{port}"),
        "chrome-extension://abcdefghijklmnop".into(),
        "file://".into(),
        "null".into(),
        String::new(),
    ];
    for other in ["localhost", "127.0.0.1", "[::1]"] {
        if other != host {
            origins.push(format!("http://{other}:{port}"));
        }
    }
    origins
}

#[tokio::test]
async fn every_route_for_every_origin() {
    let world = World::new().await;
    let port = world.address.port();
    for name in ["127.0.0.1", "localhost", "LocalHost", "[::1]"] {
        let host = format!("{name}:{port}");
        assert_all(&ask_all(&world, &host, &format!("Origin: http://{host}\r\n")).await, false, &host);
    }
    for origin in foreign("127.0.0.1", port) {
        let lines = format!("Origin: {origin}\r\n");
        assert_all(&ask_all(&world, &format!("127.0.0.1:{port}"), &lines).await, true, &origin);
    }
    for origin in foreign("localhost", port).iter().rev().take(3) {
        let lines = format!("Origin: {origin}\r\n");
        assert_all(&ask_all(&world, &format!("localhost:{port}"), &lines).await, true, origin);
    }
}

#[tokio::test]
async fn every_route_without_an_origin() {
    let world = World::new().await;
    let host = world.address.to_string();
    // Programs send no such headers, and browsers report that the page is ours, or none.
    for lines in ["", "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n", "Sec-Fetch-Site: none\r\n"] {
        assert_all(&ask_all(&world, &host, lines).await, false, lines);
    }
    for site in ["same-site", "cross-site", "SAME-ORIGIN", ""] {
        for mode in ["cors", "no-cors", "websocket"] {
            let lines = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\n");
            assert_all(&ask_all(&world, &host, &lines).await, true, &lines);
        }
    }
    // A link opens the page, and nothing of the API.
    let link = "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    for (request, refused) in ask_all(&world, &host, link).await {
        assert_eq!(refused, !matches!(&*request, "GET /" | "GET /healthz"), "{request}");
    }
}

fn known(hosts: &[&str]) -> impl FnOnce(&mut ServerOptions) {
    let hosts = hosts.iter().map(|host| host.parse().unwrap()).collect();
    move |options| options.hosts = hosts
}

#[tokio::test]
async fn every_route_behind_a_proxy() {
    let world = World::with(known(&["https://agents.example"])).await;
    let direct = world.address.to_string();
    for (host, origin) in [
        ("agents.example", "https://agents.example".to_owned()),
        ("agents.example:443", "https://agents.example".to_owned()),
        ("AGENTS.example", "https://agents.example:443".to_owned()),
        (&*direct, format!("http://{direct}")),
        // A proxy that puts its own name into `Host`.
        (&*direct, "https://agents.example".to_owned()),
    ] {
        assert_all(&ask_all(&world, host, &format!("Origin: {origin}\r\n")).await, false, &origin);
    }
    for origin in [
        "http://agents.example",
        "https://agents.example:3000",
        "https://agents.example:80",
        "http://agents.example:443",
        "https://agents.example.",
        "https://sub.agents.example",
        "https://agents.example.evil.example",
        "https://evilagents.example",
        "https://agents.example@evil.example",
        "null",
    ] {
        for host in ["agents.example", &*direct] {
            assert_all(&ask_all(&world, host, &format!("Origin: {origin}\r\n")).await, true, origin);
        }
    }
    for host in ["agents.example:80", "agents.example:3000", "agents.example.", "evil.example"] {
        assert_all(&ask_all(&world, host, "").await, true, host);
    }
}

#[tokio::test]
async fn every_route_under_a_name() {
    let world = World::with(known(&["box"])).await;
    let port = world.address.port();
    let host = format!("box:{port}");
    assert_all(&ask_all(&world, &host, &format!("Origin: http://{host}\r\n")).await, false, &host);
    for origin in foreign("box", port) {
        assert_all(&ask_all(&world, &host, &format!("Origin: {origin}\r\n")).await, true, &origin);
    }
}
