//! Access tokens for Google Vertex AI, from a stand-in for Google's token server: a service account whose `token_uri` is
//! on loopback.

use aqueduct_model::client::Variables;
use aqueduct_model::{Endpoint, Error, ErrorKind, ModelClient};
use aqueduct_wire::hint::HintedError as _;

use crate::api::*;

/// A key that was made for this test, and is used for nothing else.
const KEY: &str = include_str!("google_test_key.txt");

fn account(server: &Api) -> tempfile::NamedTempFile {
    let key = format!("-----BEGIN {0} KEY-----\n{KEY}-----END {0} KEY-----\n", "PRIVATE");
    let account = serde_json::json!({
        "type": "service_account",
        "project_id": "my-proj",
        "private_key_id": "1",
        "private_key": key,
        "client_email": "robot@my-proj.example",
        "token_uri": format!("{}/token", server.url),
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), account.to_string()).unwrap();
    file
}

fn client(api: &Api, account: &tempfile::NamedTempFile) -> ModelClient {
    let values = [
        ("CLAUDE_CODE_USE_VERTEX", "1"),
        ("ANTHROPIC_VERTEX_PROJECT_ID", "my-proj"),
        ("ANTHROPIC_VERTEX_BASE_URL", api.url.as_str()),
        ("GOOGLE_APPLICATION_CREDENTIALS", account.path().to_str().unwrap()),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let mut endpoint = Endpoint { max_retries: 0, ..api.endpoint() };
    assert!(endpoint.use_service(Variables { values, home: None }).unwrap());
    ModelClient::new(endpoint)
}

fn answer(status: u16, body: &str) -> Vec<Act> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} S\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    vec![Act::Send(format!("{head}{body}").into_bytes())]
}

/// A token that lives this many seconds.
fn token(name: &str, seconds: u32) -> Vec<Act> {
    answer(200, &format!(r#"{{"access_token":"{name}","token_type":"Bearer","expires_in":{seconds}}}"#))
}

fn refusal() -> Vec<Act> {
    answer(
        401,
        r#"{"error":{"code":401,"message":"token secret-token-1 is not valid","status":"UNAUTHENTICATED"}}"#,
    )
}

async fn call(client: &ModelClient) -> Option<Error> {
    all(client.stream(ask())).await.1
}

/// The token of the next call.
async fn sent(api: &mut Api) -> String {
    api.seen().await.header("authorization").unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_token_is_fetched_once_and_sent_until_it_expires() {
    let mut server = Api::start([token("secret-token-1", 3600)]).await;
    let mut api = Api::start([hi(), hi()]).await;
    let account = account(&server);
    let client = client(&api, &account);
    assert_eq!((call(&client).await, call(&client).await), (None, None));
    assert_eq!(sent(&mut api).await, "Bearer secret-token-1");
    assert_eq!(sent(&mut api).await, "Bearer secret-token-1");
    let asked = server.seen().await;
    assert!(asked.head.starts_with("POST /token HTTP/1.1"), "{}", asked.head);
    assert!(asked.body.starts_with("grant_type=urn"), "{}", asked.body);
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn a_token_that_has_expired_is_replaced() {
    let server = Api::start([token("secret-token-1", 1), token("secret-token-2", 3600)]).await;
    let mut api = Api::start([hi(), hi()]).await;
    let account = account(&server);
    let client = client(&api, &account);
    assert_eq!((call(&client).await, call(&client).await), (None, None));
    assert_eq!(sent(&mut api).await, "Bearer secret-token-1");
    assert_eq!(sent(&mut api).await, "Bearer secret-token-2");
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn a_token_that_the_service_refuses_is_replaced() {
    let server = Api::start([token("secret-token-1", 3600), token("secret-token-2", 3600)]).await;
    let mut api = Api::start([refusal(), hi()]).await;
    let account = account(&server);
    assert_eq!(call(&client(&api, &account)).await, None);
    assert_eq!(sent(&mut api).await, "Bearer secret-token-1");
    assert_eq!(sent(&mut api).await, "Bearer secret-token-2");
}

#[tokio::test]
async fn tokens_that_are_always_refused_are_an_error_that_does_not_show_them() {
    let server = Api::start([1, 2, 3].map(|number| token(&format!("secret-token-{number}"), 3600))).await;
    let api = Api::start([refusal(), refusal(), refusal()]).await;
    let account = account(&server);
    let error = call(&client(&api, &account)).await.expect("an error");
    assert_eq!(error.status, Some(401));
    assert!(!format!("{error:?}").contains("secret-token"), "{error:?}");
}

#[tokio::test]
async fn an_account_that_is_refused_is_an_error_and_nothing_is_called() {
    // The library asks up to five times.
    let server = Api::start(vec![answer(400, r#"{"error":"invalid_grant"}"#); 5]).await;
    let api = Api::start([]).await;
    let account = account(&server);
    let error = call(&client(&api, &account)).await.expect("an error");
    assert_eq!(error.kind, ErrorKind::Authentication);
    assert!(error.message.starts_with("Could not get a Google access token"), "{}", error.message);
    assert!(error.advised().contains("GOOGLE_APPLICATION_CREDENTIALS"), "{}", error.message);
    assert_eq!(api.requests(), 0);
}

#[tokio::test]
async fn a_file_without_a_key_is_an_error() {
    let api = Api::start([]).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{}").unwrap();
    let error = call(&client(&api, &file)).await.expect("an error");
    assert!(error.message.contains("has no key of a service account"), "{}", error.message);
}
