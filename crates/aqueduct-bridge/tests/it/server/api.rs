//! The API over HTTP.

use aqueduct_bridge::message::http::{Method, PREFIX, ROUTES, RouteAction};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::world::{JSON, TOKEN, World, bearer, text};

#[tokio::test]
async fn hello_and_the_document_of_the_api() {
    let world = World::new().await;
    let hello = world.get("/api/v1/hello").await;
    assert_eq!((hello.status, hello.header("content-type")), (200, Some("application/json")));
    assert_eq!(hello.header("cache-control"), Some("no-store"));
    hello.assert_guarded();
    let hello = hello.json();
    assert_eq!((&hello["type"], &hello["device"]["deviceId"]), (&json!("hello"), &json!("automation")));
    let document = world.get("/api/v1/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
}

/// A generator has no token. Pages of other origins are refused as everywhere.
#[tokio::test]
async fn the_document_needs_no_token() {
    let world = World::new().await;
    let path = "/api/v1/openapi.json";
    let reply = world.ask("GET", path, "", "").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    reply.assert_guarded();
    let with_wrong_token = world.ask("GET", path, &bearer("wrong-token"), "").await;
    assert_eq!(with_wrong_token.status, 200);
    let of_other_page = world.ask("GET", path, "Origin: http://evil.example\r\n", "").await;
    of_other_page.assert_error(403, "forbidden");
    let of_other_site = world.ask("GET", path, "Sec-Fetch-Site: cross-site\r\n", "").await;
    of_other_site.assert_error(403, "forbidden");
}

/// Every route leads somewhere: to an answer of its own or to an error that names what is missing.
#[tokio::test]
async fn every_route_is_served() {
    let world = World::new().await;
    world.session("s", &[]).await;
    for route in ROUTES {
        if matches!(route.action, RouteAction::Events | RouteAction::SessionEvents) {
            continue;
        }
        let path = format!("{PREFIX}{}", route.path.replace("{sessionId}", "s").replace(['{', '}'], ""));
        let (lines, body) = match route.method {
            Method::Post | Method::Put => (format!("{}{JSON}", bearer(TOKEN)), "{}"),
            Method::Get | Method::Delete => (bearer(TOKEN), ""),
        };
        let reply = world.ask(route.method.as_str(), &path, &lines, body).await;
        assert!(reply.status != 405 && reply.status != 500, "{path}: {}", reply.text());
        if reply.status == 404 {
            assert_ne!(reply.json()["code"], "unknown_message", "{path}");
        }
        reply.assert_guarded();
    }
}

#[tokio::test]
async fn a_request_is_a_message() {
    let world = World::new().await;
    world
        .session(
            "one",
            &[json!({"type": "user_input", "text": "a"}), json!({"type": "user_input", "text": "b"})],
        )
        .await;
    let page = world.get("/api/v1/sessions/one/messages?limit=1").await.json();
    assert_eq!(
        (&page["type"], &page["messages"][0]["text"], &page["lastSeq"]),
        (&json!("history"), &json!("b"), &json!(2))
    );
    let wrong = world.get("/api/v1/sessions/one/messages?limit=many").await;
    wrong.assert_error(400, "invalid_message");
    assert_eq!(wrong.json()["member"], "limit");
    world.get("/api/v1/sessions/none/messages").await.assert_error(404, "session_not_found");
    world.get("/api/v1/sessions/one/messages?limit=%").await.assert_error(400, "invalid_message");
    let renamed =
        world.send("PUT", "/api/v1/sessions/one/title", &json!({"title": "Tests", "sessionId": "two"})).await;
    assert_eq!((renamed.status, renamed.json()["type"].clone()), (200, json!("ok")), "{}", renamed.text());
    let session = world.get("/api/v1/sessions/one").await.json();
    assert_eq!(session["snapshot"]["session"]["title"], "Tests");
    assert_eq!(world.get("/api/v1/ping").await.json()["type"], "pong");
    world.stop().await;
}

#[tokio::test]
async fn methods_that_are_not_there() {
    let world = World::new().await;
    for (method, path, allow) in [
        ("PATCH", "/api/v1/sessions", "GET, POST, HEAD, OPTIONS"),
        ("GET", "/api/v1/pair", "POST, OPTIONS"),
        ("TRACE", "/api/v1/hello", "GET, HEAD, OPTIONS"),
        ("POST", "/healthz", "GET, HEAD, OPTIONS"),
        ("POST", "/readyz", "GET, HEAD, OPTIONS"),
        ("DELETE", "/metrics", "GET, HEAD, OPTIONS"),
        ("POST", "/anything", "GET, HEAD, OPTIONS"),
    ] {
        let reply = world.ask(method, path, &bearer(TOKEN), "").await;
        reply.assert_error(405, "unknown_message");
        assert_eq!(reply.header("allow"), Some(allow), "{method} {path}");
        let reply = world.ask("OPTIONS", path, "", "").await;
        assert_eq!((reply.status, reply.header("allow")), (204, Some(allow)), "{path}");
        // No other origin is allowed.
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn a_head_has_no_body() {
    let world = World::new().await;
    let mut client = world.connect().await;
    for path in ["/api/v1/hello", "/healthz", "/api/v1/events"] {
        client.send(world.request("HEAD", path, &bearer(TOKEN), "")).await;
        assert_eq!(client.head().await.status, 200, "{path}");
    }
    client.send(world.request("GET", "/healthz", "", "")).await;
    assert_eq!(client.reply().await.text(), "ok\n");
    assert_eq!(world.hub.clients(), 0);
}

#[tokio::test]
async fn health_is_public_and_metrics_are_not() {
    let world = World::new().await;
    let health = world.ask("GET", "/healthz", "", "").await;
    assert_eq!((health.status, &*health.text()), (200, "ok\n"));
    world.ask("GET", "/metrics", &bearer("wrong-token"), "").await.assert_error(401, "unauthorized");
    let metrics = world.get("/metrics").await;
    assert!(metrics.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    let metrics = metrics.text();
    for line in [
        "aqueduct_http_requests_total 3",
        "aqueduct_http_refused_total 1",
        "aqueduct_log_waiting_bytes 0",
        "# TYPE aqueduct_sessions gauge",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in\n{metrics}");
    }
}

#[tokio::test]
async fn images_of_messages_are_bytes() {
    let world = World::new().await;
    let (pixel, drawing) = (b"\x89PNG\r\n".to_vec(), b"<svg onload=\"alert(1)\"/>".to_vec());
    let image = |kind: &str, bytes: &[u8]| json!({"mediaType": kind, "data": STANDARD.encode(bytes)});
    let messages = [
        json!({"type": "user_input", "text": "look", "images": [image("image/png", &pixel), image("image/svg+xml", &drawing)]}),
        json!({"type": "tool_result", "toolUseId": "t", "content": "", "images": [image("image/webp", b"webp")]}),
        json!({"type": "assistant", "message": {"role": "assistant", "content": []}}),
    ];
    world.session("s", &messages).await;
    for (path, kind, bytes) in [
        ("1/images/0", "image/png", &*pixel),
        // A drawing could run scripts.
        ("1/images/1", "application/octet-stream", &*drawing),
        ("2/images/0", "image/webp", b"webp"),
    ] {
        let reply = world.get(&format!("/api/v1/sessions/s/messages/{path}")).await;
        assert_eq!(
            (reply.status, reply.header("content-type"), &*reply.body),
            (200, Some(kind), bytes),
            "{path}"
        );
        reply.assert_guarded();
    }
    for path in ["1/images/2", "3/images/0", "4/images/0", "0/images/0", "x/images/0", "1/images/-1"] {
        world.get(&format!("/api/v1/sessions/s/messages/{path}")).await.assert_error(404, "path_not_found");
    }
    world.get("/api/v1/sessions/none/messages/1/images/0").await.assert_error(404, "session_not_found");
}

/// The owner of the bridge needs no token, over a socket that no other user can use.
#[tokio::test]
async fn the_owner_has_a_socket() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new().await;
    let path = world.folder.path().join("admin.sock");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut client = super::world::Client::new(tokio::net::UnixStream::connect(&path).await.unwrap());
    client.send("POST /api/v1/pairings HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    let code = text(&client.reply().await.json()["code"]);
    let body = json!({"code": code, "kind": "token"}).to_string();
    client
        .send(format!("POST /api/v1/pair HTTP/1.1\r\n{JSON}Content-Length: {}\r\n\r\n{body}", body.len()))
        .await;
    assert_eq!(client.reply().await.json()["device"]["kind"], "token");
    client.send("GET /api/v1/hello HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.reply().await.json()["device"]["deviceId"], "owner");
    world.stop().await;
    assert!(!path.exists());
}
