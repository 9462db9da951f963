//! Signing in with a key, and tickets.

use aqueduct_bridge::auth::sign_in_message;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

use super::websocket::{Frame, Socket};
use super::world::{JSON, Reply, TOKEN, World, bearer, text};

const SESSIONS: &str = "/api/v1/sessions";
const EXPORT: &str = "/api/v1/sessions/s-1/export/html";

/// A browser that was paired: a key that never leaves it.
struct Browser {
    key: EcdsaKeyPair,
    device_id: String,
    origin: String,
}

impl Browser {
    async fn pair(world: &World) -> Self {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, made.as_ref(), &random).unwrap();
        let pairing = world.confirmed("POST", "/api/v1/pairings", &json!({})).await.json();
        let public = URL_SAFE_NO_PAD.encode(key.public_key());
        let body = json!({"code": pairing["code"], "name": "Browser", "publicKey": public});
        let paired = world.ask("POST", "/api/v1/pair", JSON, &body.to_string()).await;
        assert_eq!(paired.status, 200, "{}", paired.text());
        assert_eq!(paired.header("set-cookie"), None);
        let paired = paired.json();
        assert_eq!(paired.get("token"), None, "a device with a key has no token");
        assert_eq!(paired["device"]["credential"], "key");
        let device_id = text(&paired["device"]["deviceId"]);
        Browser { key, device_id, origin: format!("http://{}", world.address) }
    }

    fn lines(&self) -> String {
        format!("{JSON}Origin: {}\r\n", self.origin)
    }

    async fn challenge(&self, world: &World) -> String {
        let body = json!({"deviceId": self.device_id}).to_string();
        let reply = world.ask("POST", "/api/v1/auth/challenge", &self.lines(), &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        text(&reply.json()["challenge"])
    }

    fn sign(&self, message: &str) -> String {
        let signature = self.key.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        URL_SAFE_NO_PAD.encode(signature.as_ref())
    }

    fn request(&self, challenge: &str) -> Value {
        let signature = self.sign(&sign_in_message(&self.origin, &self.device_id, challenge));
        json!({"deviceId": self.device_id, "challenge": challenge, "signature": signature})
    }

    async fn answer(&self, world: &World, request: &Value) -> Reply {
        world.ask("POST", "/api/v1/auth/token", &self.lines(), &request.to_string()).await
    }

    async fn sign_in(&self, world: &World) -> String {
        let request = self.request(&self.challenge(world).await);
        let reply = self.answer(world, &request).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        text(&reply.json()["token"])
    }
}

#[tokio::test]
async fn a_browser_signs_in_with_its_key() {
    let world = World::new().await;
    let browser = Browser::pair(&world).await;
    let token = browser.sign_in(&world).await;
    assert_eq!(world.ask("GET", SESSIONS, &bearer(&token), "").await.status, 200);
    let offer = format!("Sec-WebSocket-Protocol: aqueduct, bearer.{token}\r\nOrigin: {}\r\n", browser.origin);
    let mut socket = Socket::open(&world, &offer).await;
    assert_eq!(socket.message().await["device"]["deviceId"], *browser.device_id);
    let devices = world.get("/api/v1/devices").await.json();
    assert_eq!(devices["devices"][0]["credential"], "key");
    // Each tab has a token of its own.
    let other = browser.sign_in(&world).await;
    assert_ne!(token, other);
    for token in [&token, &other] {
        assert_eq!(world.ask("GET", SESSIONS, &bearer(token), "").await.status, 200);
    }

    world.ask("DELETE", &format!("/api/v1/devices/{}", browser.device_id), &bearer(TOKEN), "").await;
    assert_eq!(socket.last().await, Frame::Close(4401));
    for token in [&token, &other] {
        world.ask("GET", SESSIONS, &bearer(token), "").await.assert_error(401, "unauthorized");
    }
    let request = browser.request(&browser.challenge(&world).await);
    browser.answer(&world, &request).await.assert_error(401, "unauthorized");
}

#[tokio::test]
async fn a_signature_counts_for_one_challenge_one_device_and_one_origin() {
    let world = World::new().await;
    let (browser, other) = (Browser::pair(&world).await, Browser::pair(&world).await);
    let challenge = browser.challenge(&world).await;
    let good = browser.request(&challenge);
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut request = good.clone();
        change(&mut request);
        request
    };
    let signed = |message: String| json!(browser.sign(&message));
    let id = &browser.device_id;
    for (request, code) in [
        // Of another key, of nothing, of another context, of another origin.
        (wrong(&|r| r["signature"] = other.request(&challenge)["signature"].clone()), "unauthorized"),
        (wrong(&|r| r["signature"] = json!("")), "unauthorized"),
        (wrong(&|r| r["signature"] = json!(URL_SAFE_NO_PAD.encode([0; 64]))), "unauthorized"),
        (wrong(&|r| r["signature"] = signed(challenge.clone())), "unauthorized"),
        (
            wrong(&|r| r["signature"] = signed(sign_in_message("http://127.0.0.1:3000", id, &challenge))),
            "unauthorized",
        ),
        // A challenge of another device, and none at all.
        (wrong(&|r| r["deviceId"] = json!(other.device_id)), "challenge_expired"),
        (wrong(&|r| r["challenge"] = json!("AAAA")), "challenge_expired"),
    ] {
        browser.answer(&world, &request).await.assert_error(401, code);
    }
    // A device with a token can't sign in, and a device with a key has no token.
    let (device_id, _) = world.device().await;
    let paired = Browser { device_id, key: browser_key(), origin: browser.origin.clone() };
    let request = paired.request(&paired.challenge(&world).await);
    paired.answer(&world, &request).await.assert_error(401, "unauthorized");

    assert_eq!(browser.answer(&world, &good).await.status, 200);
    browser.answer(&world, &good).await.assert_error(401, "challenge_expired");
}

fn browser_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, made.as_ref(), &random).unwrap()
}

#[tokio::test]
async fn an_unknown_device_gets_a_challenge_that_looks_the_same() {
    let world = World::new().await;
    let browser = Browser::pair(&world).await;
    let ask = async |id: &str| {
        let body = json!({"deviceId": id}).to_string();
        world.ask("POST", "/api/v1/auth/challenge", &browser.lines(), &body).await
    };
    let (known, unknown) = (ask(&browser.device_id).await, ask("unknown").await);
    assert_eq!((known.status, unknown.status), (200, 200));
    let length = |reply: &Reply| text(&reply.json()["challenge"]).len();
    assert_eq!(length(&known), length(&unknown));
    assert_eq!(known.json()["expiresInMs"], unknown.json()["expiresInMs"]);
}

/// An access token belongs to the origin on which the device signed in.
#[tokio::test]
async fn an_access_token_counts_on_its_own_origin() {
    let world = World::new().await;
    let browser = Browser::pair(&world).await;
    let token = browser.sign_in(&world).await;
    let port = world.address.port();
    let other = format!(
        "GET {SESSIONS} HTTP/1.1\r\nHost: localhost:{port}\r\n{}Origin: http://localhost:{port}\r\n\r\n",
        bearer(&token)
    );
    world.raw(other).await.assert_error(401, "unauthorized");
    let ours = format!("{}Origin: {}\r\n", bearer(&token), browser.origin);
    assert_eq!(world.ask("GET", SESSIONS, &ours, "").await.status, 200);
    // Without a page, no origin can be signed.
    let body = json!({"deviceId": browser.device_id}).to_string();
    world.ask("POST", "/api/v1/auth/challenge", JSON, &body).await.assert_error(400, "invalid_message");
    let form = format!("Content-Type: text/plain\r\nOrigin: {}\r\n", browser.origin);
    world.ask("POST", "/api/v1/auth/challenge", &form, &body).await.assert_error(400, "invalid_message");
}

#[tokio::test]
async fn guesses_are_counted_and_the_right_key_is_not() {
    let world = World::new().await;
    let browser = Browser::pair(&world).await;
    let mut last = 0;
    for _ in 0..12 {
        let mut request = browser.request(&browser.challenge(&world).await);
        request["signature"] = json!("AAAA");
        last = browser.answer(&world, &request).await.status;
    }
    assert_eq!(last, 429);
    browser.sign_in(&world).await;
}

#[tokio::test]
async fn a_key_has_to_be_one() {
    let world = World::new().await;
    for key in ["", "AAAA", &URL_SAFE_NO_PAD.encode([2; 33]), &URL_SAFE_NO_PAD.encode([4; 66])] {
        let code =
            world.hub.auth().create_pairing(None, aqueduct_bridge::log::Time::now()).await.unwrap().code;
        let body = json!({"code": &*code, "publicKey": key}).to_string();
        world.ask("POST", "/api/v1/pair", JSON, &body).await.assert_error(400, "invalid_message");
        let body = json!({"code": &*code}).to_string();
        assert_eq!(
            world.ask("POST", "/api/v1/pair", JSON, &body).await.status,
            200,
            "the code is not used up"
        );
    }
}

#[tokio::test]
async fn the_cookie_of_an_earlier_version_is_ended() {
    let world = World::new().await;
    let (device, token) = world.device().await;
    let mut socket = Socket::open(&world, &bearer(&token)).await;
    socket.message().await;
    let cookie = format!("Cookie: aqueduct={token}\r\n");
    // Not by a page from elsewhere, nor by loading a file.
    let foreign = format!("{cookie}Origin: http://evil.example\r\n");
    assert_eq!(world.ask("GET", "/api/v1/ping", &foreign, "").await.header("set-cookie"), None);
    assert_eq!(world.ask("GET", "/", &cookie, "").await.header("set-cookie"), None);
    assert_eq!(world.ask("GET", SESSIONS, &bearer(&token), "").await.status, 200);

    let reply = world.ask("GET", "/api/v1/ping", &cookie, "").await;
    reply.assert_error(401, "cookie_retired");
    assert_eq!(reply.header("set-cookie"), Some("aqueduct=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"));
    assert_eq!(socket.last().await, Frame::Close(4401));
    world.ask("GET", SESSIONS, &bearer(&token), "").await.assert_error(401, "unauthorized");
    let devices = world.get("/api/v1/devices").await.json();
    assert!(!devices.to_string().contains(&device), "{devices}");
}

async fn ticket(world: &World, token: &str, path: &str) -> Reply {
    let body = json!({"path": path}).to_string();
    world.ask("POST", "/api/v1/tickets", &format!("{}{JSON}", bearer(token)), &body).await
}

#[tokio::test]
async fn a_ticket_reads_one_path_once() {
    let world = World::new().await;
    world.session("s-1", &[json!({"type": "user_input", "text": "hello"})]).await;
    world.session("s-2", &[]).await;
    let url = text(&ticket(&world, TOKEN, EXPORT).await.json()["url"]);
    assert!(url.starts_with(&format!("{EXPORT}?ticket=aqt_")), "{url}");
    let reply = world.ask("GET", &url, "Sec-Fetch-Site: same-origin\r\n", "").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(reply.header("content-disposition").unwrap().starts_with("attachment"));
    world.ask("GET", &url, "", "").await.assert_error(401, "unauthorized");

    let query = |url: &str| url.split_once('?').unwrap().1.to_owned();
    for path in
        ["/api/v1/sessions/s-2/export/html", "/api/v1/sessions/s-1/export/markdown", SESSIONS, "/metrics"]
    {
        let url = text(&ticket(&world, TOKEN, EXPORT).await.json()["url"]);
        world.ask("GET", &format!("{path}?{}", query(&url)), "", "").await.assert_error(401, "unauthorized");
    }
    let url = text(&ticket(&world, TOKEN, EXPORT).await.json()["url"]);
    let websocket = format!("/ws?{}", query(&url));
    world.ask("GET", &websocket, Socket::HANDSHAKE, "").await.assert_error(401, "unauthorized");
    let ticket_text = query(&url).replace("ticket=", "");
    world.ask("GET", EXPORT, &bearer(&ticket_text), "").await.assert_error(401, "unauthorized");
    // A page on another port can't use one, even if it knew it.
    for site in ["same-site", "cross-site"] {
        let lines = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: no-cors\r\n");
        world.ask("GET", &url, &lines, "").await.assert_error(403, "forbidden");
    }
    let twice = format!("{url}&{}", query(&url));
    world.ask("GET", &twice, "", "").await.assert_error(401, "unauthorized");
    assert_eq!(world.ask("GET", &url, "", "").await.status, 200, "it was not used up by those");
    let lines = world.lines.lock().unwrap().join("\n");
    assert!(!lines.contains("aqt_"), "{lines}");
}

#[tokio::test]
async fn a_ticket_is_for_documents_and_ends_with_its_device() {
    let world = World::new().await;
    world.session("s-1", &[]).await;
    for path in [
        "",
        "/",
        SESSIONS,
        "/api/v1/events",
        "/api/v1/pair",
        "/api/v1/sessions/s-1/events",
        "/ws",
        "http://evil.example/api/v1/sessions/s-1/export/html",
        "/api/v1/sessions/s-1/export/html?x=1",
        "/api/v1/../v1/sessions/s-1/export/html",
    ] {
        let reply = ticket(&world, TOKEN, path).await;
        // A query is part of a member of the path then, and no session has that format.
        assert!(reply.status == 400 || path.contains('?'), "{path}: {}", reply.text());
    }
    world.ask("POST", "/api/v1/tickets", JSON, "{}").await.assert_error(401, "unauthorized");
    let (device, token) = world.device().await;
    let url = text(&ticket(&world, &token, EXPORT).await.json()["url"]);
    world.ask("DELETE", &format!("/api/v1/devices/{device}"), &bearer(TOKEN), "").await;
    world.ask("GET", &url, "", "").await.assert_error(401, "unauthorized");
}
