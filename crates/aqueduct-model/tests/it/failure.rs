//! Tests of calls that fail: which ones are retried, and how the others are reported.

use std::time::Duration;

use aqueduct_model::client::ProxySettings;
use aqueduct_model::{Endpoint, ErrorKind, ModelClient, ModelEvent, RetryNotice};
use aqueduct_wire::hint::HintedError as _;

use crate::api::{
    Act, Api, BLOCK, BLOCK_STOP, DELTA, START, STOP, all, answer, ask, chunk, error_json, fails, hi, lines,
    open_stream, refusal, stream, stream_then,
};

/// The retries among all events.
fn retries(events: &[ModelEvent]) -> Vec<&RetryNotice> {
    let retries = events.iter().filter_map(|event| match event {
        ModelEvent::Retry(retry) => Some(retry),
        _ => None,
    });
    retries.collect()
}

/// A call that is answered so at first and well the second time: its retry.
async fn recovers(first: Vec<Act>) -> RetryNotice {
    let api = Api::start([first, hi()]).await;
    let endpoint = Endpoint { silence: Duration::from_millis(300), ..api.endpoint() };
    let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
    assert_eq!(error, None);
    let behind = events.iter().rposition(|event| matches!(event, ModelEvent::Retry(_))).unwrap();
    assert_eq!(lines(&events[behind..]), [START, BLOCK, DELTA, STOP]);
    let retries = retries(&events);
    assert_eq!(retries.len(), 1);
    retries[0].clone()
}

#[tokio::test]
async fn statuses_that_pass_are_retried() {
    let cases = [
        (401, ErrorKind::Authentication),
        (408, ErrorKind::Server),
        (409, ErrorKind::Server),
        (429, ErrorKind::RateLimit),
        (500, ErrorKind::Server),
        (502, ErrorKind::Server),
        (529, ErrorKind::Overloaded),
    ];
    let mut answers: Vec<_> = cases.iter().map(|(status, _)| answer(*status, "", "")).collect();
    answers.push(hi());
    let api = Api::start(answers).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!(error, None);
    assert_eq!(lines(&events).len(), 4);
    let reported: Vec<_> = retries(&events).iter().map(|retry| (retry.status.unwrap(), retry.kind)).collect();
    assert_eq!(reported, cases);
    for (retry, attempt) in retries(&events).iter().zip(1..) {
        assert_eq!((retry.attempt, retry.max_retries), (attempt, 10));
        let longest = Duration::from_micros(if attempt == 1 { 1250 } else { 2500 });
        assert!(retry.delay >= Duration::from_millis(1) && retry.delay <= longest, "{:?}", retry.delay);
    }
}

#[tokio::test]
async fn the_server_sets_when_to_retry() {
    let retry = recovers(answer(429, "retry-after-ms: 3\r\nretry-after: 50\r\n", "")).await;
    assert_eq!(retry.delay, Duration::from_millis(3));
    let retry = recovers(answer(529, "retry-after: 0.004\r\n", "")).await;
    assert_eq!(retry.delay, Duration::from_millis(4));
    let retry = recovers(answer(529, "retry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n", "")).await;
    assert!(retry.delay >= Duration::from_millis(1));
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_an_error() {
    for wait in ["3600", "1e300"] {
        let api = Api::start([answer(429, &format!("retry-after: {wait}\r\n"), "")]).await;
        let (events, error) = all(api.client().stream(ask())).await;
        assert_eq!(events, []);
        let error = error.unwrap();
        assert_eq!(error.kind, ErrorKind::RateLimit);
        assert!(error.message.contains("asks to wait"), "{}", error.message);
    }
}

#[tokio::test]
async fn the_server_knows_best_whether_to_retry() {
    let retry = recovers(answer(400, "x-should-retry: true\r\n", "")).await;
    assert_eq!((retry.status, retry.kind), (Some(400), ErrorKind::Invalid));
    let api = Api::start([answer(529, "x-should-retry: false\r\n", "")]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!((events, error.unwrap().kind), (vec![], ErrorKind::Overloaded));
}

#[tokio::test]
async fn attempts_come_to_an_end() {
    let api = Api::start(std::iter::repeat_n(answer(503, "", ""), 4)).await;
    let client = ModelClient::new(Endpoint { max_retries: 2, ..api.endpoint() });
    let (events, error) = all(client.stream(ask())).await;
    assert_eq!((events.len(), retries(&events).len()), (2, 2));
    let error = error.unwrap();
    assert_eq!((error.kind, error.status), (ErrorKind::Server, Some(503)));
    assert!(error.message.ends_with("; all 3 attempts failed"), "{}", error.message);
}

#[tokio::test]
async fn streams_that_break_before_content_are_retried() {
    let overloaded = error_json("overloaded_error", "busy");
    let failed = error_json("api_error", "oops");
    let limited = error_json("rate_limit_error", "slow down");
    let cases = [
        (vec![Act::Close], ErrorKind::Connection),
        (stream_then(&[], Act::Close), ErrorKind::Connection),
        (stream(&[]), ErrorKind::Connection),
        (stream_then(&[START], Act::Close), ErrorKind::Connection),
        (stream(&[START, r#"{"type":"ping"}"#]), ErrorKind::Connection),
        (stream(&[&overloaded]), ErrorKind::Overloaded),
        (stream(&[START, &failed]), ErrorKind::Server),
        (stream(&[START, &limited]), ErrorKind::RateLimit),
        (stream_then(&[START], Act::Hold), ErrorKind::Stalled),
    ];
    for (first, kind) in cases {
        let retry = recovers(first).await;
        assert_eq!((retry.attempt, retry.status, retry.kind), (1, None, kind));
    }
}

#[tokio::test]
async fn streams_that_break_inside_a_block_or_after_thinking_are_retried() {
    let overloaded = error_json("overloaded_error", "busy");
    let thinking = BLOCK.replace("text", "thinking");
    let cases = [
        (stream_then(&[START, BLOCK, DELTA], Act::Close), ErrorKind::Connection, false),
        (stream(&[START, BLOCK, DELTA]), ErrorKind::Connection, false),
        (stream(&[START, BLOCK, DELTA, &overloaded]), ErrorKind::Overloaded, true),
        (stream_then(&[START, &thinking, BLOCK_STOP], Act::Close), ErrorKind::Connection, true),
    ];
    for (first, kind, is_quiet) in cases {
        let retry = recovers(first).await;
        assert_eq!((retry.kind, retry.is_quiet), (kind, is_quiet));
    }
}

#[tokio::test]
async fn streams_that_break_after_a_block_are_errors() {
    let overloaded = error_json("overloaded_error", "busy");
    let messages = [START, BLOCK, DELTA, BLOCK_STOP];
    let cases = [
        (stream_then(&messages, Act::Close), ErrorKind::Connection),
        (stream(&messages), ErrorKind::Connection),
        (stream(&[START, BLOCK, DELTA, BLOCK_STOP, &overloaded]), ErrorKind::Overloaded),
        (stream_then(&messages, Act::Hold), ErrorKind::Stalled),
    ];
    for (first, kind) in cases {
        let api = Api::start([first]).await;
        let endpoint = Endpoint { silence: Duration::from_millis(300), ..api.endpoint() };
        let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
        assert_eq!(lines(&events), messages);
        assert_eq!(retries(&events).len(), 0);
        let error = error.unwrap();
        assert_eq!((error.kind, error.streamed), (kind, true));
        assert_eq!(error.request_id.as_deref(), Some("req_7"));
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_left() {
    let api = Api::start([vec![Act::Hold], vec![Act::Hold]]).await;
    let endpoint = Endpoint { patience: Duration::from_millis(50), max_retries: 1, ..api.endpoint() };
    let (events, error) = all(ModelClient::new(endpoint).stream(ask())).await;
    assert_eq!(retries(&events)[0].kind, ErrorKind::Stalled);
    assert_eq!(error.unwrap().kind, ErrorKind::Stalled);
}

#[tokio::test]
async fn errors_that_stay_end_the_call() {
    let invalid = error_json("invalid_request_error", "odd");
    let streams = [
        (stream(&[START, &invalid]), ErrorKind::Invalid),
        (stream(&["[DONE]"]), ErrorKind::Server),
        (stream(&["{not json}"]), ErrorKind::Server),
        (stream(&[r#"{"type":"content_block_delta","index":01}"#]), ErrorKind::Server),
        (stream(&[r#"{"no":"type"}"#]), ErrorKind::Server),
        (answer(200, "content-type: text/html\r\n", "<p>Sign in</p>"), ErrorKind::Server),
        (answer(307, "location: https://elsewhere.invalid/\r\n", ""), ErrorKind::NotFound),
    ];
    for (first, kind) in streams {
        let api = Api::start([first]).await;
        let (events, error) = all(api.client().stream(ask())).await;
        assert!(retries(&events).is_empty() && lines(&events).iter().all(|line| *line == START));
        assert_eq!(error.unwrap().kind, kind);
    }
}

#[tokio::test]
async fn events_that_are_not_json_break_the_stream() {
    let mut acts = open_stream(&[START, BLOCK]);
    acts.push(chunk("event: error\ndata: out of memory\n\n"));
    let error = fails(acts).await;
    assert_eq!((error.kind, error.streamed), (ErrorKind::Server, false));
    assert_eq!(error.said.as_deref(), Some("out of memory"));
}

#[tokio::test]
async fn an_event_without_end_breaks_the_stream() {
    let mut acts = open_stream(&[]);
    let megabyte = "x".repeat(1024 * 1024);
    acts.push(chunk("data: "));
    acts.extend(std::iter::repeat_n(chunk(&megabyte), 32));
    acts.push(Act::Hold);
    let error = fails(acts).await;
    assert_eq!(error.kind, ErrorKind::Server);
    assert!(error.message.contains("larger than 33554432 bytes"), "{}", error.message);
}

#[tokio::test]
async fn errors_have_a_kind() {
    let long = "prompt is too long: 212345 tokens > 200000 maximum";
    let both = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000";
    let cases = [
        (400, "invalid_request_error", "odd", ErrorKind::Invalid),
        (400, "invalid_request_error", long, ErrorKind::ContextTooLong),
        (413, "request_too_large", long, ErrorKind::ContextTooLong),
        (400, "invalid_request_error", both, ErrorKind::ContextTooLong),
        (400, "model_context_window_exceeded", "no", ErrorKind::ContextTooLong),
        (400, "invalid_request_error", "Your credit balance is too low to continue.", ErrorKind::Billing),
        (401, "authentication_error", "invalid x-api-key", ErrorKind::Authentication),
        (402, "billing_error", "pay", ErrorKind::Billing),
        (403, "permission_error", "no", ErrorKind::Permission),
        (404, "not_found_error", "model: x", ErrorKind::NotFound),
        (413, "request_too_large", "too big", ErrorKind::TooLarge),
        (429, "rate_limit_error", "slow", ErrorKind::RateLimit),
        (500, "api_error", "oops", ErrorKind::Server),
        (500, "overloaded_error", "busy", ErrorKind::Overloaded),
        (504, "timeout_error", "late", ErrorKind::Server),
        (418, "teapot", "short and stout", ErrorKind::Invalid),
    ];
    for (status, name, text, kind) in cases {
        let error = fails(refusal(status, name, text)).await;
        assert_eq!((error.kind, error.status, error.streamed), (kind, Some(status), false), "{name}: {text}");
        assert_eq!((error.name.as_deref(), error.said.as_deref()), (Some(name), Some(text)));
        assert_eq!(error.request_id.as_deref(), Some("req_1"));
    }
}

#[tokio::test]
async fn people_read_what_to_do_next() {
    let mut messages = Vec::new();
    for (status, name, text) in [
        (400, "invalid_request_error", "messages: at least one message is required."),
        (400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum"),
        (401, "authentication_error", "invalid x-api-key"),
        (402, "billing_error", "no credit"),
        (403, "permission_error", "not yours"),
        (404, "not_found_error", "model: claude-opus-9"),
        (413, "request_too_large", "Request exceeds the maximum size"),
        (429, "rate_limit_error", "too many tokens a minute"),
        (500, "api_error", "Internal server error"),
        (529, "overloaded_error", "Overloaded"),
    ] {
        messages.push(fails(refusal(status, name, text)).await.advised());
    }
    messages.push(fails(answer(502, "", "<html>Bad gateway</html>")).await.advised());
    messages.push(fails(answer(503, "", "upstream\nis down")).await.advised());
    messages.push(fails(answer(500, "", r#"{"error":"worker died"}"#)).await.advised());
    messages.push(fails(answer(308, "location: https://elsewhere.invalid/\r\n", "")).await.advised());
    messages.push(fails(answer(200, "content-type: text/html\r\n", "<p>Sign in</p>")).await.advised());
    messages.push(fails(stream(&[START, BLOCK])).await.advised());
    messages.push(fails(vec![Act::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Act::Close]).await.advised());
    insta::assert_snapshot!(messages.join("\n"));
}

#[tokio::test]
async fn an_endpoint_that_can_not_be_used_is_an_error() {
    let ask_at = async |endpoint: Endpoint| {
        let (events, error) =
            all(ModelClient::new(Endpoint { max_retries: 0, ..endpoint }).stream(ask())).await;
        assert_eq!(events, []);
        error.unwrap().advised()
    };
    let key = || Endpoint { api_key: Some("k".into()), ..Endpoint::default() };
    let at = |url: &str| Endpoint { base_url: Some(url.into()), ..key() };
    let messages = [
        ask_at(Endpoint::default()).await,
        ask_at(Endpoint { api_key: Some("  ".into()), ..Endpoint::default() }).await,
        ask_at(Endpoint { api_key: Some("k\u{7f}".into()), ..Endpoint::default() }).await,
        ask_at(Endpoint { headers: vec![("a b".into(), "c".into())], ..key() }).await,
        ask_at(at("http://127.0.0.1:1")).await,
        ask_at(at("not an address")).await,
        ask_at(Endpoint {
            proxy: ProxySettings { http: Some("http://".into()), ..ProxySettings::default() },
            ..at("http://127.0.0.1:1")
        })
        .await,
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[tokio::test]
async fn an_unknown_event_is_passed_on() {
    let new = r#"{"type":"brand_new","x":1}"#;
    let api = Api::start([stream(&[START, new, STOP])]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!((lines(&events), error), (vec![START, new, STOP], None));
}

#[tokio::test]
async fn a_lost_connection_is_made_again() {
    let mut first = hi();
    first.push(Act::Close);
    let mut api = Api::start([first, hi()]).await;
    let client = api.client();
    for connection in 1..=2 {
        assert_eq!(all(client.stream(ask())).await.1, None);
        assert_eq!(api.seen().await.connection, connection);
    }
}
