//! Who and what is refused, and with which code.

use aqueduct_bridge::log::Time;
use serde_json::json;

use super::websocket::{Frame, Socket};
use super::world::{JSON, MESSAGE_BYTES, TOKEN, World, bearer};

const SESSIONS: &str = "/api/v1/sessions";

/// Others are served as before.
async fn assert_undisturbed(world: &World) {
    assert_eq!(world.get(SESSIONS).await.status, 200);
}

#[tokio::test]
async fn no_token() {
    let world = World::new().await;
    for path in [SESSIONS, "/api/v1/hello", "/api/v1/events", "/metrics"] {
        let reply = world.ask("GET", path, "", "").await;
        reply.assert_error(401, "unauthorized");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
    world.ask("GET", "/ws", Socket::HANDSHAKE, "").await.assert_error(401, "unauthorized");
    world.ask("POST", SESSIONS, JSON, r#"{"projectPath":"/proj"}"#).await.assert_error(401, "unauthorized");
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn wrong_token() {
    let world = World::new().await;
    for lines in [bearer("wrong-token"), bearer("aq_"), "Authorization: Basic YTpi\r\n".into()] {
        world.ask("GET", SESSIONS, &lines, "").await.assert_error(401, "unauthorized");
    }
    let cookie = format!("Cookie: aqueduct={TOKEN}\r\n");
    world.ask("GET", SESSIONS, &cookie, "").await.assert_error(401, "cookie_retired");
    let twice = format!("{}{}", bearer(TOKEN), bearer("wrong-token"));
    world.ask("GET", SESSIONS, &twice, "").await.assert_error(401, "unauthorized");
    let lines = format!("{}Sec-WebSocket-Protocol: bearer.wrong-token, aqueduct\r\n", Socket::HANDSHAKE);
    world.ask("GET", "/ws", &lines, "").await.assert_error(401, "unauthorized");
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn too_many_wrong_tokens() {
    let world = World::new().await;
    let mut last = world.ask("GET", SESSIONS, &bearer("wrong-token"), "").await;
    for _ in 0..20 {
        last = world.ask("GET", SESSIONS, &bearer("wrong-token"), "").await;
    }
    last.assert_error(429, "too_many_requests");
    assert!(last.json()["retryAfterMs"].as_u64().unwrap() > 0);
    assert!(last.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn revoked_token() {
    let world = World::new().await;
    let (device, token) = world.device().await;
    let mut socket = Socket::open(&world, &bearer(&token)).await;
    assert_eq!(socket.message().await["device"]["deviceId"], *device);
    let devices = world.get("/api/v1/devices").await.json();
    assert_eq!(devices["devices"][0]["connections"], 1);

    let reply = world.ask("DELETE", &format!("/api/v1/devices/{device}"), &bearer(TOKEN), "").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(socket.last().await, Frame::Close(4401));
    world.ask("GET", SESSIONS, &bearer(&token), "").await.assert_error(401, "unauthorized");
    let upgrade = format!("{}{}", Socket::HANDSHAKE, bearer(&token));
    world.ask("GET", "/ws", &upgrade, "").await.assert_error(401, "unauthorized");
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn foreign_and_null_origin() {
    let world = World::new().await;
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1", "garbage"] {
        let lines = format!("{}Origin: {origin}\r\n", bearer(TOKEN));
        world.ask("GET", SESSIONS, &lines, "").await.assert_error(403, "forbidden");
        world.ask("GET", "/", &lines, "").await.assert_error(403, "forbidden");
    }
    let ours = format!("{}Origin: http://{}\r\n", bearer(TOKEN), world.address);
    assert_eq!(world.ask("GET", SESSIONS, &ours, "").await.status, 200);
}

#[tokio::test]
async fn websocket_from_another_page() {
    let world = World::new().await;
    let (_, token) = world.device().await;
    let port = world.address.port();
    let offer = format!("Sec-WebSocket-Protocol: aqueduct, bearer.{token}\r\n");
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", &format!("http://localhost:{port}")] {
        let lines = format!("{}{offer}Origin: {origin}\r\n", Socket::HANDSHAKE);
        world.ask("GET", "/ws", &lines, "").await.assert_error(403, "forbidden");
    }
    let ours = format!("{offer}Origin: http://{}\r\n", world.address);
    let mut socket = Socket::open(&world, &ours).await;
    assert_eq!(socket.message().await["type"], "hello");
}

#[tokio::test]
async fn rebinding_host() {
    let world = World::new().await;
    let port = world.address.port();
    for host in
        [format!("evil.example:{port}"), "evil.example".into(), format!("localhost.evil.example:{port}")]
    {
        let request = format!("GET {SESSIONS} HTTP/1.1\r\nHost: {host}\r\n{}\r\n", bearer(TOKEN));
        world.raw(request).await.assert_error(403, "forbidden");
        let page = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        world.raw(page).await.assert_error(403, "forbidden");
        let whole = format!("GET http://{host}/ HTTP/1.1\r\nHost: {}\r\n\r\n", world.address);
        world.raw(whole).await.assert_error(403, "forbidden");
    }
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn missing_host() {
    let world = World::new().await;
    for request in [
        format!("GET {SESSIONS} HTTP/1.1\r\n{}\r\n", bearer(TOKEN)),
        format!("GET {SESSIONS} HTTP/1.0\r\n{}\r\n", bearer(TOKEN)),
        format!("GET {SESSIONS} HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\n\r\n", world.address),
        "GET / HTTP/1.1\r\nHost: \r\n\r\n".into(),
    ] {
        world.raw(request).await.assert_error(400, "invalid_message");
    }
}

#[tokio::test]
async fn cross_site_form() {
    let world = World::new().await;
    let (_, token) = world.device().await;
    let token = bearer(&token);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    // A browser names the page; where it does not, a form is still no JSON.
    let foreign = format!("{token}{form}Origin: http://evil.example\r\n");
    world.ask("POST", SESSIONS, &foreign, "projectPath=/proj").await.assert_error(403, "forbidden");
    for kind in [
        form,
        "Content-Type: text/plain\r\n",
        "Content-Type: multipart/form-data; boundary=x\r\n",
        "",
        "Content-Type: text/plain\r\nContent-Type: application/json\r\n",
    ] {
        let reply =
            world.ask("POST", SESSIONS, &format!("{token}{kind}"), r#"{"projectPath":"/proj"}"#).await;
        reply.assert_error(400, "invalid_message");
        assert!(reply.text().contains("application/json"));
    }
    for site in ["cross-site", "same-site"] {
        let lines = format!("{token}{JSON}Sec-Fetch-Site: {site}\r\n");
        world
            .ask("POST", SESSIONS, &lines, r#"{"projectPath":"/proj"}"#)
            .await
            .assert_error(403, "forbidden");
    }
    let pair = world.ask("POST", "/api/v1/pair", form, "code=0000-0000-0000-0000").await;
    pair.assert_error(400, "invalid_message");
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn token_in_query() {
    let world = World::new().await;
    let (_, token) = world.device().await;
    for path in [
        format!("{SESSIONS}?token={TOKEN}"),
        format!("{SESSIONS}?access_token={token}"),
        format!("{SESSIONS}?x={token}"),
        format!("/?token={token}"),
    ] {
        // Also where the header would let it in: the token is given away.
        for lines in [String::new(), bearer(TOKEN)] {
            let reply = world.ask("GET", &path, &lines, "").await;
            reply.assert_error(401, "unauthorized");
            assert!(!reply.text().contains(&token) && !reply.text().contains(TOKEN));
        }
    }
    let reply = world.ask("GET", &format!("/ws?token={TOKEN}"), Socket::HANDSHAKE, "").await;
    reply.assert_error(401, "unauthorized");
}

#[tokio::test]
async fn pairing_link() {
    let world = World::new().await;
    let pairing = world.confirmed("POST", "/api/v1/pairings", &json!({"name": "Kitchen"})).await.json();
    assert_eq!(pairing["type"], "pairing");
    let link = pairing["link"].as_str().unwrap();
    let code = link.strip_prefix(&format!("http://{}/#pair=", world.address)).unwrap();
    let body = json!({"code": code}).to_string();
    let paired = world.ask("POST", "/api/v1/pair", JSON, &body).await;
    assert_eq!(paired.status, 200, "{}", paired.text());
    assert_eq!(paired.json()["device"]["name"], "Kitchen");
    assert_eq!(paired.json()["device"]["credential"], "bearer");
    assert_eq!(paired.header("set-cookie"), None);
    let lines = bearer(paired.json()["token"].as_str().unwrap());
    assert_eq!(world.ask("GET", SESSIONS, &lines, "").await.status, 200);

    // Once, in time, for one device.
    world.ask("POST", "/api/v1/pair", JSON, &body).await.assert_error(403, "pairing_failed");
    let late = world.hub.auth().create_pairing(None, Time(Time::now().0 - 601_000)).await.unwrap();
    let body = json!({"code": &*late.code}).to_string();
    world.ask("POST", "/api/v1/pair", JSON, &body).await.assert_error(403, "pairing_failed");
    for body in ["", "{", "[]", "{}", r#"{"code":1}"#] {
        let reply = world.ask("POST", "/api/v1/pair", JSON, body).await;
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
    }
}

#[tokio::test]
async fn too_many_pairing_codes() {
    let world = World::new().await;
    let mut last = 0;
    for _ in 0..12 {
        last = world.ask("POST", "/api/v1/pair", JSON, r#"{"code":"0000-0000-0000-0000"}"#).await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn oversized_message() {
    let world = World::new().await;
    let large = json!({"projectPath": "x".repeat(MESSAGE_BYTES)});
    world.send("POST", SESSIONS, &large).await.assert_error(413, "message_too_large");
    // Before a single byte of it was sent.
    let announced = format!(
        "POST {SESSIONS} HTTP/1.1\r\nHost: {}\r\n{}{JSON}Content-Length: 99999999\r\n\r\n",
        world.address,
        bearer(TOKEN)
    );
    world.raw(announced).await.assert_error(413, "message_too_large");
    // And without an announced length.
    let chunk = format!("{:x}\r\n{}\r\n", 16_000, "x".repeat(16_000));
    let chunked = format!(
        "POST {SESSIONS} HTTP/1.1\r\nHost: {}\r\n{}{JSON}Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        world.address,
        bearer(TOKEN),
        chunk.repeat(5)
    );
    world.raw(chunked).await.assert_error(413, "message_too_large");
    // A stranger may send next to nothing.
    let code = json!({"code": "x".repeat(5000)}).to_string();
    world.ask("POST", "/api/v1/pair", JSON, &code).await.assert_error(413, "message_too_large");

    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.send_text(&format!(r#"{{"type":"ping","x":"{}"}}"#, "x".repeat(MESSAGE_BYTES))).await;
    assert_eq!(socket.last().await, Frame::Close(1009));
    assert_undisturbed(&world).await;
}

/// JSON that is none, in every way, over HTTP and WebSocket: an error each time, and life continues.
#[tokio::test]
async fn malformed_json() {
    let deep = format!("{{\"type\":\"ping\",\"x\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let bodies = [
        "{",
        "}",
        "nul",
        "{\"type\":}",
        "{\"type\":\"ping\"",
        "{\"type\":\"ping\"}{",
        "[]",
        "\"ping\"",
        "1",
        "{'type':'ping'}",
        "{\"type\":\"ping\",}",
        "{\"type\" \"ping\"}",
        "\u{feff}{\"type\":\"ping\"}",
        "{\"type\":\"\\ud800\\x\"}",
        "{\"type\":\"a\nb\"}",
        "{\"type\":01}",
        "NaN",
        "{\"a\":1e}",
        &deep,
    ];
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    for body in bodies {
        let reply = world.ask("POST", SESSIONS, &format!("{}{JSON}", bearer(TOKEN)), body).await;
        reply.assert_error(400, "invalid_json");
        socket.send_text(body).await;
        let error = socket.message().await;
        assert_eq!(
            (&error["type"], &error["code"]),
            (&json!("error"), &json!("invalid_json")),
            "{body}: {error}"
        );
    }
    for (body, code) in [
        ("{}", "unknown_message"),
        (r#"{"type":7}"#, "unknown_message"),
        (r#"{"type":"nothing"}"#, "unknown_message"),
        (r#"{"type":"start"}"#, "invalid_message"),
        (r#"{"type":"start","projectPath":1}"#, "invalid_message"),
        (r#"{"type":"input","text":""}"#, "invalid_message"),
    ] {
        socket.send_text(body).await;
        assert_eq!(socket.message().await["code"], code, "{body}");
    }
    let body = b"\xff\xfe{}";
    let mut request = world
        .request("POST", SESSIONS, &format!("{}{JSON}Content-Length: 4\r\n", bearer(TOKEN)), "")
        .into_bytes();
    request.extend_from_slice(body);
    world.raw(request).await.assert_error(400, "invalid_json");
    // Text that is not UTF-8 ends a WebSocket, as RFC 6455 requires.
    socket.send_frame(0x81, body).await;
    assert_eq!(socket.last().await, Frame::Close(1007));
    assert_undisturbed(&world).await;
}

#[tokio::test]
async fn paths_lead_nowhere_else() {
    let world = World::new().await;
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/./admin.sock",
    ] {
        let reply = world.ask("GET", path, "", "").await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(!reply.text().contains("root:"));
    }
    for path in
        ["/api", "/api/", "/api/v2/sessions", "/api/v1", "/api/v1/../v1/hello", "/api/v1/%2e%2e/hello"]
    {
        world.ask("GET", path, &bearer(TOKEN), "").await.assert_error(404, "unknown_message");
    }
}

/// No output, log line or argument of the server contains a token.
#[tokio::test]
async fn no_secret_in_logs_or_process_list() {
    let world = World::new().await;
    let (device, token) = world.device().await;
    let paths = [
        format!("/api/v1/{token}"),
        format!("/{token}"),
        format!("/ws?token={token}"),
        format!("/api/v1/sessions/{token}"),
    ];
    let mut received = String::new();
    for path in &paths {
        for lines in [
            bearer(&token),
            bearer(&format!("{token}x")),
            format!("Cookie: aqueduct={token}\r\nOrigin: null\r\n"),
        ] {
            let reply = world.ask("GET", path, &lines, "").await;
            received.extend(reply.headers.iter().map(|header| format!("{header:?}")));
        }
    }
    world.raw(format!("GET / HTTP/1.1\r\nHost: {token}\r\n\r\n")).await.assert_error(403, "forbidden");
    world
        .raw(format!("GET / HTTP/1.1\r\nHost: a\r\n{token}\r\n\r\n"))
        .await
        .assert_error(400, "invalid_message");
    world.ask("DELETE", &format!("/api/v1/devices/{device}"), &bearer(TOKEN), "").await;
    received.push_str(&world.get("/metrics").await.text());
    let lines = world.lines.lock().unwrap().join("\n");
    let arguments = std::fs::read_to_string("/proc/self/cmdline").unwrap_or_default();
    assert!(lines.contains("refused"), "{lines}");
    for secret in [&token, TOKEN] {
        for place in [&lines, &received, &arguments, &format!("{:?}", world.hub.auth())] {
            assert!(!place.contains(secret), "{place}");
        }
    }
}
