//! Tests of the client: what is sent, what comes back.

use aqueduct_model::client::{BadHeader, ProxySettings, parse_headers};
use aqueduct_model::{Endpoint, ErrorKind, ModelClient, ModelEvent, Request};

use crate::api::{
    Act, Api, BLOCK, DELTA, START, STOP, STREAM, all, answer, ask, chunk, hi, lines, stream, stream_then,
};

#[tokio::test]
async fn an_answer_streams() {
    let mut api = Api::start([hi()]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!(error, None);
    let limits = vec![("anthropic-ratelimit-requests-remaining".to_owned(), "41".to_owned())];
    let accepted = ModelEvent::Accepted { request_id: Some("req_7".into()), rate_limits: limits };
    assert_eq!(events[0], accepted);
    assert_eq!(lines(&events), [START, BLOCK, DELTA, STOP]);
    assert_eq!(events.len(), 5);
    let seen = api.seen().await;
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1"), "{}", seen.head);
    assert_eq!(seen.body, ask().to_json());
}

#[tokio::test]
async fn headers_identify_the_client_and_the_request() {
    let mut api = Api::start([hi()]).await;
    let endpoint = Endpoint {
        base_url: Some(format!("{}/", api.url)),
        api_key: Some(" key-1\n".into()),
        auth_token: Some("token-1".into()),
        headers: parse_headers("X-Team: blue\n\nanthropic-beta: from-outside\n").unwrap(),
        ..api.endpoint()
    };
    let request =
        Request { model: "claude-sonnet-4-5[1m]".into(), betas: vec!["one".into(), "two".into()], ..ask() };
    all(ModelClient::new(endpoint).stream(request)).await;
    let seen = api.seen().await;
    assert_eq!(seen.header("x-api-key"), Some("key-1"));
    assert_eq!(seen.header("authorization"), Some("Bearer token-1"));
    assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(seen.header("anthropic-beta"), Some("one,two,context-1m-2025-08-07,from-outside"));
    assert_eq!(seen.header("user-agent"), Some(concat!("aqueduct/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(seen.header("x-team"), Some("blue"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert!(seen.body.starts_with(r#"{"model":"claude-sonnet-4-5","#), "{}", seen.body);
}

#[tokio::test]
async fn a_header_of_the_user_replaces_ours() {
    let mut api = Api::start([hi()]).await;
    let headers = vec![("User-Agent".to_owned(), "mine".to_owned())];
    all(ModelClient::new(Endpoint { headers, ..api.endpoint() }).stream(ask())).await;
    assert_eq!(api.seen().await.header("user-agent"), Some("mine"));
}

#[tokio::test]
async fn calls_share_a_connection() {
    let mut api = Api::start([hi(), hi(), hi()]).await;
    let client = api.client();
    for _ in 0..3 {
        assert_eq!(all(client.clone().stream(ask())).await.1, None);
        assert_eq!(api.seen().await.connection, 1);
    }
}

#[tokio::test]
async fn dropping_the_stream_ends_the_call() {
    let mut api = Api::start([stream_then(&[START, BLOCK, DELTA], Act::Hold)]).await;
    let mut stream = api.client().stream(ask());
    while !matches!(stream.next().await, Some(Ok(ModelEvent::Stream(line))) if line == DELTA) {}
    drop(stream);
    api.gone().await;
}

#[tokio::test]
async fn an_answer_is_complete_even_if_the_connection_stays_open() {
    let api = Api::start([stream_then(&[START, STOP], Act::Hold)]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!((lines(&events), error), (vec![START, STOP], None));
}

#[tokio::test]
async fn pieces_of_any_size_make_the_same_events() {
    let text = format!(
        "\u{feff}: hello\r\nevent: message_start\r\ndata: {START}\r\n\r\nevent: ping\rdata: {{\"type\": \"ping\"}}\r\r\
         data: {{\"type\":\ndata:  \"message_stop\"}}\n\n"
    );
    let mut acts = vec![Act::Send(STREAM.as_bytes().to_vec())];
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let (piece, after) = rest.split_at(first.len_utf8());
        acts.push(chunk(piece));
        rest = after;
    }
    let api = Api::start([acts]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!((lines(&events), error), (vec![START, r#"{"type": "message_stop"}"#], None));
}

#[tokio::test]
async fn a_slow_reader_gets_everything_in_order() {
    let deltas: Vec<String> =
        (0..2000).map(|n| format!(r#"{{"type":"content_block_delta","index":{n}}}"#)).collect();
    let mut events: Vec<&str> = vec![START];
    events.extend(deltas.iter().map(String::as_str));
    events.push(STOP);
    let api = Api::start([stream(&events)]).await;
    let mut call = api.client().stream(ask());
    let mut got = Vec::new();
    while let Some(event) = call.next().await {
        got.push(event.unwrap());
        tokio::task::yield_now().await;
    }
    assert_eq!(lines(&got), events);
}

#[tokio::test]
async fn http_goes_through_its_proxy() {
    let mut proxy = Api::start([hi()]).await;
    let endpoint = Endpoint {
        base_url: Some("http://model.invalid/base".into()),
        proxy: ProxySettings {
            http: Some(proxy.url.clone()),
            https: None,
            none: Some("other.invalid".into()),
        },
        ..proxy.endpoint()
    };
    assert_eq!(all(ModelClient::new(endpoint).stream(ask())).await.1, None);
    let seen = proxy.seen().await;
    assert!(seen.head.starts_with("POST http://model.invalid/base/v1/messages HTTP/1.1"), "{}", seen.head);
}

#[tokio::test]
async fn hosts_without_a_proxy_are_reached_directly() {
    let api = Api::start([hi()]).await;
    let proxy = ProxySettings {
        http: Some("http://127.0.0.1:1".into()),
        https: None,
        none: Some("localhost,127.0.0.1".into()),
    };
    let endpoint = Endpoint { proxy, max_retries: 0, ..api.endpoint() };
    assert_eq!(all(ModelClient::new(endpoint).stream(ask())).await.1, None);
}

#[tokio::test]
async fn https_asks_its_proxy_for_a_tunnel() {
    let mut proxy = Api::start([answer(403, "", "")]).await;
    let endpoint = Endpoint {
        base_url: Some("https://model.invalid".into()),
        proxy: ProxySettings { https: Some(proxy.url.clone()), ..ProxySettings::default() },
        max_retries: 0,
        ..proxy.endpoint()
    };
    let error = all(ModelClient::new(endpoint).stream(ask())).await.1.unwrap();
    assert_eq!(error.kind, ErrorKind::Connection);
    assert!(proxy.seen().await.head.starts_with("CONNECT model.invalid:443"));
}

#[tokio::test]
async fn the_api_counts_tokens() {
    let mut api = Api::start([
        answer(200, "", "{\"input_tokens\": 2095}\n"),
        answer(200, "", r#"{"tokens":1}"#),
        answer(529, "", ""),
    ])
    .await;
    let client = api.client();
    assert_eq!(client.count_tokens(&ask()).await, Ok(2095));
    let seen = api.seen().await;
    assert!(seen.head.starts_with("POST /v1/messages/count_tokens HTTP/1.1"));
    assert_eq!(seen.body, ask().to_count_json());
    assert_eq!(client.count_tokens(&ask()).await.unwrap_err().kind, ErrorKind::Server);
    assert_eq!(client.count_tokens(&ask()).await.unwrap_err().kind, ErrorKind::Overloaded);
}

#[test]
fn custom_headers_are_lines() {
    let parsed = parse_headers("A: 1\r\n  b-c :two: three \n\n").unwrap();
    assert_eq!(parsed, [("A".to_owned(), "1".to_owned()), ("b-c".to_owned(), "two: three".to_owned())]);
    assert_eq!(parse_headers("A: 1\nno header"), Err(BadHeader { line: 2 }));
    assert_eq!(parse_headers("a b: 1"), Err(BadHeader { line: 1 }));
    assert_eq!(parse_headers(""), Ok(Vec::new()));
}

#[test]
fn keys_are_not_shown() {
    let endpoint = Endpoint {
        api_key: Some("secret-1".into()),
        auth_token: Some("secret-2".into()),
        headers: vec![("x-key".into(), "secret-3".into())],
        proxy: ProxySettings { http: Some("http://me:secret-4@proxy".into()), ..ProxySettings::default() },
        ..Endpoint::default()
    };
    let shown = format!("{:?} {:?}", endpoint.proxy, ModelClient::new(endpoint.clone()));
    assert!(!shown.contains("secret"), "{shown}");
    assert!(shown.contains("x-key"), "{shown}");
}
