//! Devices, their tokens, and how they come by them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_bridge::Failure;
use aqueduct_bridge::auth::{Authenticator, Peer, Token};
use aqueduct_bridge::log::{Log, Time};
use aqueduct_bridge::message::bridge::ActorKind;
use aqueduct_bridge::message::http::PairRequest;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, COOKIE, HeaderValue, SEC_WEBSOCKET_PROTOCOL};
use tempfile::TempDir;
use tracing::subscriber::DefaultGuard;

struct Scene {
    auth: Authenticator,
    lines: Arc<Mutex<Vec<String>>>,
    folder: TempDir,
    _log_guard: DefaultGuard,
}

impl Scene {
    fn new(automation: Option<&Token>) -> Self {
        let folder = crate::private_folder();
        let log = Log::open(folder.path()).unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log_guard = crate::log_lines::collect(&lines);
        let auth = Authenticator::new(log, Arc::default());
        auth.configure(automation, "http://127.0.0.1:8765/");
        Scene { auth, lines, folder, _log_guard: log_guard }
    }

    async fn paired(&self, code: &str) -> Result<Token, Failure> {
        self.auth
            .pair(&PairRequest::new(code), peer(1), Time::now())
            .await
            .map(|paired| paired.1.expect("a token"))
    }
}

fn peer(last: u8) -> Peer {
    Peer::of([192, 0, 2, last].into())
}

fn headers(pairs: &[(hyper::header::HeaderName, String)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
}

fn code<T>(result: Result<T, Failure>) -> String {
    result.err().map_or_else(|| "in".to_owned(), |failure| failure.code.as_str().to_owned())
}

#[tokio::test]
async fn a_device_authenticates_with_its_token_in_every_form() {
    let scene = Scene::new(None);
    let link = scene.auth.create_pairing(Some("Kitchen"), Time::now()).await.unwrap();
    assert!(link.link.starts_with("http://127.0.0.1:8765/#pair="), "{}", link.link);
    let token = scene.paired(&link.code).await.unwrap();
    let token = token.reveal();
    for request_headers in [
        headers(&[(AUTHORIZATION, format!("Bearer {token}"))]),
        headers(&[(SEC_WEBSOCKET_PROTOCOL, format!("bearer.{token}, aqueduct"))]),
    ] {
        let principal = scene.auth.authenticate(&request_headers, peer(1)).await.unwrap();
        assert_eq!((principal.name.as_deref(), principal.kind), (Some("Kitchen"), ActorKind::Device));
    }
    // A program's header counts, whatever a browser would send by itself.
    let both =
        headers(&[(AUTHORIZATION, "Bearer wrong-token".into()), (COOKIE, format!("aqueduct={token}"))]);
    assert_eq!(code(scene.auth.authenticate(&both, peer(1)).await), "unauthorized");
    let twice = headers(&[(SEC_WEBSOCKET_PROTOCOL, format!("bearer.{token}, bearer.wrong-token, aqueduct"))]);
    assert_eq!(code(scene.auth.authenticate(&twice, peer(1)).await), "unauthorized");
}

/// Browsers send cookies to every port of a host, so a token in one counts for nothing, and is ended.
#[tokio::test]
async fn a_cookie_does_not_authenticate() {
    let scene = Scene::new(None);
    let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
    let token = scene.paired(&link.code).await.unwrap();
    let page = (hyper::header::ORIGIN, "http://localhost:8765".to_owned());
    let old = format!("theme=dark; aqueduct=stale-token; aqueduct={}", token.reveal());
    let request_headers = headers(&[(COOKIE, old), page]);
    assert_eq!(code(scene.auth.authenticate(&request_headers, peer(1)).await), "cookie_retired");
    let devices = scene.auth.devices("").await.unwrap();
    assert_eq!(scene.auth.exposed_devices(&request_headers).await.unwrap(), [devices[0].device_id.as_str()]);
    assert!(scene.auth.exposed_devices(&HeaderMap::new()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_pairing_link_works_once_in_time_for_one_device() {
    let scene = Scene::new(None);
    let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
    let (one, other) = tokio::join!(scene.paired(&link.code), scene.paired(&link.code));
    assert_ne!(one.is_ok(), other.is_ok(), "one of two that come at once");
    let late = scene.paired(&link.code).await.unwrap_err();
    assert_eq!(late.code.as_str(), "pairing_failed");
    assert!(late.message.contains("was used before"), "{late}");

    let eleven_minutes_ago = Time(Time::now().0 - 11 * 60 * 1000);
    let old = scene.auth.create_pairing(None, eleven_minutes_ago).await.unwrap();
    let late = scene.paired(&old.code).await.unwrap_err();
    assert!(late.message.contains("is too old"), "{late}");
    assert!(scene.paired("0000-0000-0000-0000").await.unwrap_err().message.contains("is not known"));
    assert!(scene.paired("no code").await.unwrap_err().message.contains("is not known"));
    assert_eq!(scene.auth.devices("").await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_revoked_device_stays_outside() {
    let scene = Scene::new(None);
    let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
    let token = scene.paired(&link.code).await.unwrap();
    let request_headers = headers(&[(AUTHORIZATION, format!("Bearer {}", token.reveal()))]);
    let principal = scene.auth.authenticate(&request_headers, peer(1)).await.unwrap();
    assert!(scene.auth.is_still_authorized(&principal).await.unwrap());
    let devices = scene.auth.devices(&principal.device_id).await.unwrap();
    assert_eq!(devices[0].current, Some(true));
    assert!(devices[0].seen_at.is_some());

    scene.auth.revoke(&principal.device_id, Time::now()).await.unwrap();
    assert_eq!(code(scene.auth.authenticate(&request_headers, peer(1)).await), "unauthorized");
    assert!(!scene.auth.is_still_authorized(&principal).await.unwrap());
    assert_eq!(scene.auth.devices("").await.unwrap(), []);
    assert_eq!(code(scene.auth.revoke(&principal.device_id, Time::now()).await), "device_not_found");
}

#[tokio::test]
async fn links_that_a_revoked_device_may_have_made_are_void() {
    let scene = Scene::new(None);
    let before = Time(Time::now().0 - 60_000);
    let link = scene.auth.create_pairing(None, before).await.unwrap();
    scene.paired(&link.code).await.unwrap();
    let phone = scene.auth.devices("").await.unwrap()[0].device_id.as_str().to_owned();
    let hidden = scene.auth.create_pairing(None, before).await.unwrap();
    let revoked = Time(before.0 + 1000);
    scene.auth.revoke(&phone, revoked).await.unwrap();
    assert_eq!(code(scene.paired(&hidden.code).await), "pairing_failed", "in memory");
    let after = scene.auth.create_pairing(None, Time(revoked.0 + 1)).await.unwrap();
    scene.auth.save_revocations().await.unwrap();
    assert_eq!(code(scene.paired(&hidden.code).await), "pairing_failed", "saved");
    assert_eq!(code(scene.paired(&after.code).await), "in");
}

#[tokio::test]
async fn programs_have_tokens_of_their_own() {
    let automation = Token::given("given-in-the-environment-of-a-bridge").unwrap();
    let scene = Scene::new(Some(&automation));
    let request_headers = headers(&[(AUTHORIZATION, "Bearer given-in-the-environment-of-a-bridge".into())]);
    let principal = scene.auth.authenticate(&request_headers, peer(1)).await.unwrap();
    assert_eq!((&*principal.device_id, principal.kind), ("automation", ActorKind::Token));

    let token = scene.auth.add_token("CI", Time::now()).await.unwrap();
    let request_headers = headers(&[(AUTHORIZATION, format!("Bearer {}", token.reveal()))]);
    let principal = scene.auth.authenticate(&request_headers, peer(1)).await.unwrap();
    assert_eq!((principal.name.as_deref(), principal.kind), (Some("CI"), ActorKind::Token));
}

#[tokio::test]
async fn who_guesses_has_to_wait_and_who_knows_has_not() {
    let automation = Token::given("given-in-the-environment-of-a-bridge").unwrap();
    let scene = Scene::new(Some(&automation));
    let wrong = headers(&[(AUTHORIZATION, "Bearer wrong-token".into())]);
    let right = headers(&[(AUTHORIZATION, "Bearer given-in-the-environment-of-a-bridge".into())]);
    for _ in 0..10 {
        assert_eq!(code(scene.auth.authenticate(&wrong, peer(1)).await), "unauthorized");
    }
    let refusal = scene.auth.authenticate(&wrong, peer(1)).await.unwrap_err();
    assert_eq!(refusal.code.as_str(), "too_many_requests");
    let wait = Duration::from_millis(refusal.retry_after_ms.unwrap());
    assert!(wait > Duration::ZERO && wait <= Duration::from_secs(6), "{wait:?}");
    assert_eq!(code(scene.auth.authenticate(&right, peer(1)).await), "in");
    assert_eq!(code(scene.auth.authenticate(&wrong, peer(2)).await), "unauthorized");
    // A missing token is not an attempt.
    assert_eq!(code(scene.auth.authenticate(&HeaderMap::new(), peer(1)).await), "unauthorized");

    let code_of = async |code: &str| scene.auth.pair(&PairRequest::new(code), peer(3), Time::now()).await;
    for _ in 0..10 {
        assert_eq!(code(code_of("0000-0000-0000-0000").await), "pairing_failed");
    }
    let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
    for wrong in ["0000-0000-0000-0000", "no code", ""] {
        assert_eq!(code(code_of(wrong).await), "too_many_requests");
    }
    // Another client behind the same proxy presents a valid one.
    assert_eq!(code(code_of(&link.code).await), "in");
    assert_eq!(code(code_of(&link.code).await), "too_many_requests", "it was used up");
    assert_eq!(code(scene.paired("0000-0000-0000-0000").await), "pairing_failed", "another address");
}

#[tokio::test]
async fn wrong_pairing_codes_write_nothing_and_right_ones_are_free() {
    let scene = Scene::new(None);
    // Far more right codes than wrong ones are taken from one address.
    for _ in 0..25 {
        let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
        assert_eq!(code(scene.paired(&link.code).await), "in");
    }
    assert_eq!(code(scene.paired("0000-0000-0000-0000").await), "pairing_failed");
    let changed = |folder: &TempDir| std::fs::metadata(folder.path().join("log.sqlite3-wal")).unwrap().len();
    let before = changed(&scene.folder);
    for _ in 0..20 {
        scene.paired("0000-0000-0000-0001").await.unwrap_err();
    }
    assert_eq!(changed(&scene.folder), before);
}

#[tokio::test]
async fn no_secret_is_noted() {
    let automation = Token::given("given-in-the-environment-of-a-bridge").unwrap();
    let scene = Scene::new(Some(&automation));
    let link = scene.auth.create_pairing(None, Time::now()).await.unwrap();
    let mut request = PairRequest::new(&*link.code);
    request.name = Some("Phone\n\u{1b}[31mforged".into());
    let (principal, token) = scene.auth.pair(&request, peer(1), Time::now()).await.unwrap();
    let token = token.unwrap();
    let request_headers = headers(&[(AUTHORIZATION, format!("Bearer {}", token.reveal()))]);
    scene.auth.authenticate(&request_headers, peer(1)).await.unwrap();
    scene.auth.revoke(&principal.device_id, Time::now()).await.unwrap();
    scene.auth.authenticate(&request_headers, peer(1)).await.unwrap_err();
    scene.paired(&link.code).await.unwrap_err();
    let lines = scene.lines.lock().unwrap().join("\n");
    assert!(lines.contains("paired") && lines.contains("revoked") && lines.contains("refused"), "{lines}");
    for secret in [token.reveal(), automation.reveal(), &*link.code, "\u{1b}"] {
        assert!(!lines.contains(secret), "{lines}");
    }
    assert_eq!(lines.lines().count(), 4, "{lines}");
}
