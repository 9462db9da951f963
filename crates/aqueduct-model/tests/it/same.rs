//! The scripted model in process and over HTTP: what a caller sees is the same.

use std::time::Duration;

use aqueduct_model::server::serve;
use aqueduct_model::{Error, ModelEvent, Scripted};
use aqueduct_wire::json::Raw;
use tokio::net::TcpListener;

use crate::api::{all, ask};

/// Everything that a call reports. Waits are random over HTTP, and the words for a cut are the system's.
fn reported((events, error): (Vec<ModelEvent>, Option<Error>)) -> Vec<String> {
    let mut reported: Vec<String> = Vec::new();
    for event in events {
        reported.push(match event {
            ModelEvent::Retry(retry) => {
                format!(
                    "retry {} of {}: {:?} {:?}",
                    retry.attempt, retry.max_retries, retry.kind, retry.status
                )
            }
            other => format!("{other:?}"),
        });
    }
    reported.extend(error.map(|error| {
        let message = error.message.split("broke off").next().unwrap_or_default().to_owned();
        format!("{:?}", Error { message, ..error })
    }));
    reported
}

/// A script in process, and over HTTP.
async fn both(script: &str) -> (Vec<String>, Vec<String>) {
    let mut request = ask();
    request.messages[0].content = Raw::from(&serde_json::Value::from(script));
    let scripted = Scripted::default().with_retry_delay(Duration::from_millis(1));
    let in_process = reported(all(scripted.stream(request.clone())).await);

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(serve(listener, Scripted::default(), std::future::pending()));
    let endpoint = aqueduct_model::Endpoint {
        base_url: Some(url),
        backoff: aqueduct_model::retry::Backoff {
            first: Duration::from_millis(1),
            ..aqueduct_model::retry::Backoff::default()
        },
        ..aqueduct_model::Endpoint::default()
    };
    let over_http = reported(all(aqueduct_model::ModelClient::new(endpoint).stream(request)).await);
    server.abort();
    (in_process, over_http)
}

#[tokio::test]
async fn a_call_in_process_is_a_call_over_http() {
    for script in [
        "@say hello there",
        r#"@saytool I look|Bash {"command":"ls -l src"}"#,
        "@limits allowed_warning five_hour 1893456000\n@think a b | c",
        "@fail 529 2 ok",
        "@fail 401 1 ok",
        "@fail 418 1 ok",
        "@fail 400 1 ok",
        "@fail 402 1 ok",
        "@toolong",
        "@retry-after 61\n@fail 429 1 ok",
        "@error 0 overloaded_error 1\n@say hello there",
        "@error 0 invalid_request_error\n@say hello there",
        "@error 0 odd_error\n@say hello there",
        "@error 1 overloaded_error 1\n@say hello there",
        "@drop 0 1\n@say hello there",
        "@drop 1 1\n@say hello there",
        r#"@drop 2 1
@blocks [{"type":"thinking","thinking":"a"},{"type":"text","text":"b"}]"#,
        "@drop 9 1\n@say hello there",
    ] {
        let (in_process, over_http) = both(script).await;
        assert_eq!(in_process, over_http, "{script}");
        assert!(!in_process.iter().any(|event| event.contains("ping")), "{script}");
    }
}
