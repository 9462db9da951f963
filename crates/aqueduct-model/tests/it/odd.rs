//! Servers that do odd things, and endpoints with odd parts: a right answer or a clear error, never a panic.

use std::time::Duration;

use aqueduct_model::client::ProxySettings;
use aqueduct_model::{Endpoint, ErrorKind, ModelClient, ModelEvent, ModelMessage, Request, RequestRole};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;

use crate::api::{
    Act, Api, BLOCK, DELTA, START, STOP, STREAM, all, answer, ask, chunk, error_json, event, fails, hi, lines,
};

/// Bytes of an answer as they are.
fn raw(bytes: impl AsRef<[u8]>) -> Act {
    Act::Send(bytes.as_ref().to_vec())
}

/// The events of a small answer, without chunks.
fn body() -> String {
    [START, BLOCK, DELTA, STOP].map(|json| format!("data: {json}\n\n")).concat()
}

/// The model's events of a call that is answered so.
async fn reads(acts: Vec<Act>) {
    let api = Api::start([acts]).await;
    let endpoint = Endpoint { max_retries: 0, ..api.endpoint() };
    let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
    assert_eq!(error, None);
    assert_eq!(lines(&events), [START, BLOCK, DELTA, STOP]);
}

#[tokio::test]
async fn bodies_are_read_in_any_frame() {
    let body = body();
    let length = body.len();
    let typed = "content-type: text/event-stream\r\n";
    reads(vec![raw(format!("HTTP/1.0 200 OK\r\n{typed}\r\n{body}")), Act::Close]).await;
    reads(vec![raw(format!("HTTP/1.1 200 OK\r\n{typed}\r\n{body}")), Act::Close]).await;
    reads(vec![raw(format!("HTTP/1.1 200\r\nContent-Type: Text/Event-Stream\r\n\r\n{body}")), Act::Close])
        .await;
    reads(vec![raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}"))]).await;
    reads(vec![raw(format!("HTTP/1.1 201 Created\r\n{typed}\r\n{body}")), Act::Close]).await;
    // Extensions and trailers of chunks, and a size in large letters with zeros before it.
    let odd = format!("000{length:X};name=\"va;lue\"\r\n{body}\r\n0\r\nx-sum: 1\r\n\r\n");
    reads(vec![raw(STREAM), raw(odd)]).await;
    // What is interim is skipped.
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
    reads(vec![raw(interim), raw(format!("HTTP/1.1 200 OK\r\n{typed}\r\n{body}")), Act::Close]).await;
    reads(vec![
        raw(format!("HTTP/1.1 200 OK\r\n{typed}content-encoding: identity\r\n\r\n{body}")),
        Act::Close,
    ])
    .await;
}

#[tokio::test]
async fn a_head_that_trickles_is_waited_for() {
    let head = format!(
        "HTTP/1.1 200 OK\r\nrequest-id: req_\u{e4}\r\nx-pad: {}\r\n\r\n{}",
        "p".repeat(50_000),
        body()
    );
    let mut acts: Vec<Act> = head.as_bytes().chunks(997).map(raw).collect();
    acts.push(Act::Close);
    reads(acts).await;
}

#[tokio::test]
async fn frames_that_are_wrong_are_failed_connections() {
    let typed = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    for acts in [
        vec![raw(STREAM), raw("zz\r\n"), Act::Close],
        vec![raw(STREAM), raw("fffffffffffffffff\r\n"), Act::Close],
        vec![raw(STREAM), event(START), raw("5\r\nda"), Act::Close],
        vec![raw(format!("{typed}content-length: 900\r\n\r\ndata: x")), Act::Close],
        vec![raw(format!("{typed}content-length: -1\r\n\r\n")), Act::Close],
        vec![raw(format!("{typed}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd")), Act::Close],
        vec![raw("HTTP/1.1 200 OK\r\nno header\r\n\r\n"), Act::Close],
        vec![raw("HTTP/1.1 99999 What\r\n\r\n"), Act::Close],
        vec![raw("SSH-2.0-OpenSSH_9.6\r\n"), Act::Close],
        vec![
            raw("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
            Act::Close,
        ],
        vec![raw(format!("{typed}{}\r\n", "x-a: b\r\n".repeat(5000))), Act::Close],
        vec![raw(format!("{typed}x-large: {}\r\n\r\n", "x".repeat(2 << 20))), Act::Close],
    ] {
        let shown = format!("{acts:?}").chars().take(150).collect::<String>();
        let error = fails(acts).await;
        let expected = if shown.contains("49, 48, 49") { ErrorKind::Server } else { ErrorKind::Connection };
        assert_eq!(error.kind, expected, "{error:?} {shown}");
        assert!(error.message.len() < 1000, "{}", error.message.len());
    }
}

#[tokio::test]
async fn an_answer_that_is_not_a_stream_is_described() {
    let errors = [
        fails(vec![raw("HTTP/1.1 204 No Content\r\n\r\n")]).await,
        fails(answer(200, "content-type: text/event-stream\r\ncontent-encoding: br\r\n", "\u{1f}")).await,
        fails(answer(200, "content-type: application/json\r\n", &error_json("overloaded_error", "busy")))
            .await,
        fails(answer(200, "content-type: application/json\r\n", "{}")).await,
        fails(answer(500, "content-encoding: br\r\n", "\u{1}\u{2}\u{3}")).await,
        fails(answer(503, "", "\u{1b}[31mred\u{7}\u{0} alert")).await,
        fails(answer(302, "location: https://me:secret@login.invalid/v1/messages?token=secret\r\n", ""))
            .await,
        fails(answer(304, "", "")).await,
    ];
    let errors = errors.map(|error| format!("{:?} {:?}: {}", error.kind, error.status, error.advised()));
    insta::assert_snapshot!(errors.join("\n"));
}

#[tokio::test]
async fn a_redirect_takes_no_key_along() {
    let other = Api::start([hi()]).await;
    let place = format!("location: {}/v1/messages\r\n", other.url);
    for status in [301, 302, 303, 307, 308] {
        let mut api = Api::start([answer(status, &place, "")]).await;
        let (events, error) = all(api.client().stream(ask())).await;
        assert_eq!((events, error.unwrap().kind), (vec![], ErrorKind::NotFound));
        api.seen().await;
    }
    assert_eq!(other.requests(), 0);
    // A path is one on the same server.
    let api = Api::start([answer(302, "location: /login\r\n", "")]).await;
    let error = all(api.client().stream(ask())).await.1.unwrap();
    assert!(error.message.contains(&format!(" moved to {}/login (302 Found)", api.url)), "{error}");
}

#[tokio::test]
async fn bytes_that_are_not_text_break_the_stream() {
    let mut acts = vec![raw(STREAM), event(START), event(BLOCK)];
    acts.push(raw(b"8\r\ndata: \xff\n\r\n1\r\n\n\r\n"));
    let error = fails(acts).await;
    assert_eq!((error.kind, error.streamed), (ErrorKind::Server, false));
    assert!(error.message.contains("not UTF-8"), "{}", error.message);
}

#[tokio::test]
async fn an_error_that_trickles_is_not_waited_for() {
    // The body never ends; what has arrived is reported.
    let head = format!("HTTP/1.1 400 Bad\r\ncontent-length: 9999\r\n\r\n{}", "first words");
    let api = Api::start([vec![raw(head), Act::Hold]]).await;
    let endpoint = Endpoint { silence: Duration::from_millis(100), ..api.endpoint() };
    let error = all(ModelClient::new(endpoint).stream(ask())).await.1.unwrap();
    assert_eq!((error.kind, error.said.as_deref()), (ErrorKind::Invalid, Some("first words")));
}

#[tokio::test]
async fn a_server_that_refuses_before_it_has_read_is_understood() {
    let large = Raw::from(&serde_json::Value::from("x".repeat(8 << 20)));
    let request = || Request {
        messages: vec![ModelMessage { role: RequestRole::User, content: large.clone() }],
        ..ask()
    };
    let api = Api::start_hasty([answer(413, "connection: close\r\n", "")]).await;
    let error = all(ModelClient::new(Endpoint { max_retries: 0, ..api.endpoint() }).stream(request()))
        .await
        .1
        .unwrap();
    assert_eq!(error.kind, ErrorKind::TooLarge);
}

#[tokio::test]
async fn addresses_may_have_paths() {
    for (base, path) in [
        ("", "/v1/messages"),
        ("/", "/v1/messages"),
        ("/gate/way", "/gate/way/v1/messages"),
        ("/gate//", "/gate/v1/messages"),
        ("/gate/?team=blue#x", "/gate/v1/messages?team=blue"),
        ("/a%20b", "/a%20b/v1/messages"),
    ] {
        let mut api = Api::start([hi()]).await;
        let base_url = Some(format!("  {}{base} ", api.url));
        assert_eq!(
            all(ModelClient::new(Endpoint { base_url, ..api.endpoint() }).stream(ask())).await.1,
            None
        );
        let head = api.seen().await.head;
        assert!(head.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{base}: {head}");
    }
}

#[tokio::test]
async fn invalid_addresses_are_errors() {
    for base in [
        "localhost:8080",
        "api.example.com",
        "//x",
        "ftp://x",
        "file:///x",
        "http://",
        "http://x:99999",
        "user:secret@x",
        "http://[::1",
        "\u{0}",
    ] {
        let endpoint =
            Endpoint { base_url: Some(base.into()), api_key: Some("k".into()), ..Endpoint::default() };
        let shown = format!("{endpoint:?}");
        let client = ModelClient::new(endpoint);
        let (events, error) = all(client.stream(ask())).await;
        let error = error.unwrap();
        assert_eq!((events, error.kind), (vec![], ErrorKind::Connection), "{base}");
        assert!(
            error.message.starts_with("ANTHROPIC_BASE_URL is not a server address: "),
            "{}",
            error.message
        );
        assert!(!format!("{error:?}{shown}").contains("secret"));
        assert_eq!(client.count_tokens(&ask()).await.unwrap_err().kind, ErrorKind::Connection);
    }
}

#[tokio::test]
async fn keys_that_can_not_be_sent_are_errors() {
    for (key, token, header) in [
        (Some("secret\nx-evil: 1"), None, None),
        (None, Some("secret\r\nx-evil: 1"), None),
        (None, None, Some("secret\nx-evil: 1")),
        (Some("secret\0"), None, None),
        (None, None, Some("secret\u{7f}")),
    ] {
        let api = Api::start([hi()]).await;
        let endpoint = Endpoint {
            api_key: key.map(str::to_owned),
            auth_token: token.map(str::to_owned),
            headers: header.map(|value| ("x-own".to_owned(), value.to_owned())).into_iter().collect(),
            ..api.endpoint()
        };
        let client = ModelClient::new(endpoint);
        let (events, error) = all(client.stream(ask())).await;
        let error = error.unwrap();
        assert_eq!(events, []);
        assert!(error.message.contains("has characters that can't be sent"), "{}", error.message);
        assert!(!format!("{error:?} {client:?}").contains("secret"));
        assert_eq!(api.requests(), 0);
    }
}

#[tokio::test]
async fn headers_of_the_user_do_not_double_ours() {
    let mut api = Api::start([hi(), answer(200, "", r#"{"input_tokens":1}"#)]).await;
    let own = [
        ("Content-Type", "application/json; charset=utf-8"),
        ("accept", "*/*"),
        ("ANTHROPIC-VERSION", "2099-01-01"),
        ("x-api-key", "other"),
        ("authorization", "Basic eDp5"),
        ("host", "front.invalid"),
        ("expect", "100-continue"),
        ("x-twice", "1"),
        ("X-Twice", "2"),
    ];
    let headers: Vec<_> = own.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let endpoint = Endpoint { headers, auth_token: Some("t".into()), ..api.endpoint() };
    let client = ModelClient::new(endpoint);
    assert_eq!(all(client.stream(ask())).await.1, None);
    assert_eq!(client.count_tokens(&ask()).await, Ok(1));
    for _ in 0..2 {
        let seen = api.seen().await;
        for (name, value) in own.iter().filter(|(name, value)| (*name, *value) != ("x-twice", "1")) {
            assert_eq!(seen.header(name), Some(*value), "{name}");
            let prefix = format!("\r\n{}:", name.to_ascii_lowercase());
            assert_eq!(seen.head.to_ascii_lowercase().matches(&prefix).count(), 1, "{name}");
        }
        assert_eq!(seen.header("accept-encoding"), Some("gzip"));
    }
}

#[tokio::test]
async fn the_frame_of_the_body_is_ours() {
    for name in ["Content-Length", "transfer-encoding"] {
        let api = Api::start([hi()]).await;
        let headers = vec![(name.to_owned(), "5".to_owned())];
        let error =
            all(ModelClient::new(Endpoint { headers, ..api.endpoint() }).stream(ask())).await.1.unwrap();
        assert_eq!(error.kind, ErrorKind::Invalid);
        assert!(error.message.contains("can't be set"), "{}", error.message);
        assert_eq!(api.requests(), 0);
    }
}

#[tokio::test]
async fn a_server_that_repeats_the_key_is_not_repeated() {
    let keys = ["key-secret", "token-secret", "header-secret"];
    let echo = |status| answer(status, "", &error_json("authentication_error", &keys.join(" ")));
    let in_stream =
        vec![raw(STREAM), event(START), event(&error_json("invalid_request_error", &keys.join(" ")))];
    let odd = vec![raw(STREAM), chunk(&format!("data: {}\n\n", keys.join(" ")))];
    for acts in [echo(400), echo(403), in_stream, odd] {
        let api = Api::start([acts]).await;
        let endpoint = Endpoint {
            api_key: Some(keys[0].into()),
            auth_token: Some(keys[1].into()),
            headers: vec![("x-gateway-token".into(), keys[2].into())],
            ..api.endpoint()
        };
        let error = all(ModelClient::new(endpoint).stream(ask())).await.1.unwrap();
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        assert!(error.message.contains("[redacted]"), "{error:?}");
    }
}

#[tokio::test]
async fn proxies_are_asked_as_proxies() {
    let mut proxy = Api::start([hi(), hi()]).await;
    let address = proxy.url.replace("http://", "http://me:p%40ss-secret@");
    for (base, none, line) in [
        ("http://model.invalid:81/base", None, "POST http://model.invalid:81/base/v1/messages HTTP/1.1"),
        (
            "http://model.invalid",
            Some("model.invalid:81,other.invalid"),
            "POST http://model.invalid/v1/messages HTTP/1.1",
        ),
    ] {
        let endpoint = Endpoint {
            base_url: Some(base.into()),
            proxy: ProxySettings { http: Some(address.clone()), https: None, none: none.map(str::to_owned) },
            ..proxy.endpoint()
        };
        let client = ModelClient::new(endpoint);
        assert_eq!(all(client.stream(ask())).await.1, None);
        let seen = proxy.seen().await;
        assert!(seen.head.starts_with(line), "{}", seen.head);
        // me:p@ss-secret
        assert_eq!(seen.header("proxy-authorization"), Some("Basic bWU6cEBzcy1zZWNyZXQ="));
        assert!(!format!("{client:?}").contains("secret"));
    }
}

#[tokio::test]
async fn a_proxy_that_fails_is_named_without_its_password() {
    let failing = [
        (Some("http://me:secret@127.0.0.1:1"), None, "http://model.invalid"),
        (None, Some("http://me:secret@127.0.0.1:1"), "https://model.invalid"),
        (Some("http://me:secret@:99999999"), None, "http://model.invalid"),
        (Some("gopher://me:secret@x"), None, "http://model.invalid"),
    ];
    for (http, https, base) in failing {
        let proxy =
            ProxySettings { http: http.map(str::to_owned), https: https.map(str::to_owned), none: None };
        let base_url = Some(base.to_owned());
        let endpoint =
            Endpoint { base_url, proxy, api_key: Some("k".into()), max_retries: 0, ..Endpoint::default() };
        let client = ModelClient::new(endpoint);
        let (events, error) = all(client.stream(ask())).await;
        let error = error.unwrap();
        assert_eq!((events, error.kind), (vec![], ErrorKind::Connection));
        assert!(!format!("{error:?} {client:?}").contains("secret"), "{error:?}");
    }
}

#[tokio::test]
async fn what_needs_no_proxy_goes_directly() {
    for none in ["*", "127.0.0.0/8", "localhost 127.0.0.1", "127.0.0.1:PORT"] {
        let api = Api::start([hi()]).await;
        let port = api.url.rsplit(':').next().unwrap();
        let proxy = ProxySettings {
            http: Some("http://127.0.0.1:1".into()),
            https: None,
            none: Some(none.replace("PORT", port)),
        };
        let endpoint = Endpoint { proxy, max_retries: 0, ..api.endpoint() };
        let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
        assert_eq!(error, None, "{none}");
        assert!(matches!(events[0], ModelEvent::Accepted { .. }), "{none}");
    }
}

#[tokio::test]
async fn a_password_in_the_address_is_not_shown() {
    let mut api = Api::start([hi()]).await;
    let base_url = Some(api.url.replace("http://", "http://me:secret@") + "/?key=secret");
    let endpoint = Endpoint { base_url, ..api.endpoint() };
    let client = ModelClient::new(endpoint);
    assert_eq!(all(client.stream(ask())).await.1, None);
    assert_eq!(api.seen().await.header("authorization"), Some("Basic bWU6c2VjcmV0"));
    assert!(!format!("{client:?}").contains("secret"), "{client:?}");
}

#[tokio::test]
async fn tunnels_and_encryption_that_fail_are_failed_connections() {
    let refused = Api::start([answer(407, "proxy-authenticate: Basic\r\n", "")]).await;
    let talking = Api::start_talking(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let through = |url: &str| ProxySettings { https: Some(url.to_owned()), ..ProxySettings::default() };
    for (base, proxy) in [
        ("https://model.invalid".to_owned(), through(&refused.url.replace("//", "//me:secret@"))),
        ("https://model.invalid".to_owned(), through(&talking.url.replace("http:", "https:"))),
        (talking.url.replace("http:", "https:"), ProxySettings::default()),
    ] {
        let endpoint = Endpoint { base_url: Some(base), proxy, max_retries: 0, ..refused.endpoint() };
        let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
        let error = error.unwrap();
        assert_eq!((events, error.kind), (vec![], ErrorKind::Connection));
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
