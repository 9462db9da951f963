//! Amazon Bedrock, Google Vertex AI and Microsoft Foundry, by the variables of the reference CLI. Paths, bodies and
//! headers are what the reference CLI 2.1.325 sends with the same variables.

use aqueduct_model::client::Variables;
use aqueduct_model::{Endpoint, Error, ErrorKind, ModelClient, Request};
use aqueduct_wire::hint::HintedError as _;
use ring::{digest, hmac};

use crate::api::*;
use crate::event_stream::encode;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const KEYS: [(&str, &str); 3] = [
    ("CLAUDE_CODE_USE_BEDROCK", "1"),
    ("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"),
    ("AWS_SECRET_ACCESS_KEY", SECRET),
];

fn endpoint(api: &Api, values: &[(&str, &str)]) -> Result<Endpoint, Error> {
    let mut values: std::collections::HashMap<String, String> =
        values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    for name in ["BEDROCK", "VERTEX", "FOUNDRY"] {
        values.insert(format!("ANTHROPIC_{name}_BASE_URL"), api.url.clone());
    }
    // A machine that hands out credentials is not to be asked.
    values.insert("AWS_EC2_METADATA_DISABLED".to_owned(), "true".to_owned());
    let mut endpoint = Endpoint { max_retries: 0, ..api.endpoint() };
    assert!(endpoint.use_service(Variables { values, home: None })?);
    Ok(endpoint)
}

fn json(event: &str) -> Vec<u8> {
    let bytes = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, event);
    format!(r#"{{"bytes":"{bytes}","p":"abc"}}"#).into_bytes()
}

fn binary(messages: &[Vec<u8>]) -> Vec<Act> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\n\r\n";
    let mut acts = vec![Act::Send(head.as_bytes().to_vec())];
    acts.extend(messages.iter().cloned().map(Act::Send));
    acts.push(Act::Close);
    acts
}

const EVENT: [(&str, &str); 2] = [(":event-type", "chunk"), (":message-type", "event")];

fn hi_binary() -> Vec<Act> {
    let messages: Vec<Vec<u8>> = [START, BLOCK, DELTA, STOP].map(|event| encode(&EVENT, &json(event))).into();
    binary(&messages)
}

fn member<'j>(body: &'j serde_json::Value, name: &str) -> &'j serde_json::Value {
    body.get(name).unwrap_or(&serde_json::Value::Null)
}

#[tokio::test]
async fn bedrock_is_called_and_its_stream_read() {
    let mut api = Api::start([hi_binary()]).await;
    let endpoint = endpoint(
        &api,
        &[
            ("CLAUDE_CODE_USE_BEDROCK", "1"),
            ("CLAUDE_CODE_SKIP_BEDROCK_AUTH", "1"),
            ("AWS_REGION", "eu-west-1"),
        ],
    );
    let request =
        Request { model: "claude-sonnet-4-5-20250929[1m]".into(), betas: vec!["other-beta".into()], ..ask() };
    let (events, error) = all(ModelClient::new(endpoint.unwrap()).stream(request)).await;
    assert_eq!(error, None);
    assert_eq!(lines(&events), [START, BLOCK, DELTA, STOP]);
    let seen = api.seen().await;
    let path = "/model/eu.anthropic.claude-sonnet-4-5-20250929-v1:0/invoke-with-response-stream";
    assert_eq!(seen.head.lines().next(), Some(&*format!("POST {path} HTTP/1.1")));
    let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(member(&body, "anthropic_version"), "bedrock-2023-05-31");
    assert_eq!(member(&body, "anthropic_beta"), &serde_json::json!(["context-1m-2025-08-07"]));
    assert_eq!(seen.header("anthropic-beta"), Some("other-beta"));
    assert!(body.get("model").is_none() && body.get("stream").is_none(), "{body}");
    assert_eq!(
        (seen.header("x-api-key"), seen.header("authorization")),
        (None, None),
        "a key of another service"
    );
}

#[tokio::test]
async fn a_call_of_bedrock_is_signed() {
    for (model, path, signed_path) in [
        ("claude-opus-5-5", "us.anthropic.claude-opus-5-5", "us.anthropic.claude-opus-5-5"),
        (
            "arn:aws:bedrock:us-east-2:123456789012:application-inference-profile/abc",
            "arn:aws:bedrock:us-east-2:123456789012:application-inference-profile%2Fabc",
            "arn%3Aaws%3Abedrock%3Aus-east-2%3A123456789012%3Aapplication-inference-profile%252Fabc",
        ),
    ] {
        let mut api = Api::start([hi_binary()]).await;
        let variables =
            [&KEYS[..], &[("AWS_SESSION_TOKEN", "session-token"), ("AWS_REGION", "us-east-1")]].concat();
        let client = ModelClient::new(endpoint(&api, &variables).unwrap());
        let (_, error) = all(client.stream(Request { model: model.into(), ..ask() })).await;
        assert_eq!(error, None);
        let seen = api.seen().await;
        assert!(
            seen.head.starts_with(&format!("POST /model/{path}/invoke-with-response-stream HTTP")),
            "{}",
            seen.head
        );
        assert_eq!(seen.header("x-amz-security-token"), Some("session-token"));
        let signed_path = format!("/model/{signed_path}/invoke-with-response-stream");
        let (date, authorization) =
            (seen.header("x-amz-date").unwrap(), seen.header("authorization").unwrap());
        let names = authorization.split("SignedHeaders=").nth(1).unwrap().split(',').next().unwrap();
        assert!(names.contains("host") && !names.contains("user-agent"), "{names}");
        let headers: String = names
            .split(';')
            .map(|name| format!("{name}:{}\n", seen.header(name).unwrap_or_default()))
            .collect();
        let digest = hex(digest::digest(&digest::SHA256, seen.body.as_bytes()).as_ref());
        assert_eq!(seen.header("x-amz-content-sha256"), Some(&*digest));
        let canonical = format!("POST\n{signed_path}\n\n{headers}\n{names}\n{digest}");
        let scope = format!("{}/us-east-1/bedrock/aws4_request", &date[..8]);
        let hash = hex(digest::digest(&digest::SHA256, canonical.as_bytes()).as_ref());
        let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{hash}");
        let mut key = format!("AWS4{SECRET}").into_bytes();
        for part in scope.split('/') {
            key = sign(&key, part);
        }
        let expected = format!(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{scope}, SignedHeaders={names}, Signature={}",
            hex(&sign(&key, &text))
        );
        assert_eq!(authorization, expected);
    }
}

fn sign(key: &[u8], text: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_profile_of_the_aws_files_signs_too() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".aws")).unwrap();
    let text = format!("[work]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = {SECRET}\n");
    std::fs::write(home.path().join(".aws/credentials"), text).unwrap();
    let mut api = Api::start([hi_binary()]).await;
    let values =
        [("CLAUDE_CODE_USE_BEDROCK", "1"), ("AWS_PROFILE", "work"), ("ANTHROPIC_BEDROCK_BASE_URL", &api.url)];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let mut endpoint = Endpoint { max_retries: 0, ..api.endpoint() };
    endpoint.use_service(Variables { values, home: Some(home.path().to_owned()) }).unwrap();
    assert_eq!(all(ModelClient::new(endpoint).stream(ask())).await.1, None);
    let seen = api.seen().await;
    assert!(seen.header("authorization").unwrap().contains("Credential=AKIDPROFILE/"), "{}", seen.head);
}

#[tokio::test]
async fn a_bedrock_key_is_a_bearer_token() {
    let mut api = Api::start([hi_binary()]).await;
    let variables = [("CLAUDE_CODE_USE_BEDROCK", "true"), ("AWS_BEARER_TOKEN_BEDROCK", "bedrock-key")];
    let (_, error) = all(ModelClient::new(endpoint(&api, &variables).unwrap()).stream(ask())).await;
    assert_eq!(error, None);
    assert_eq!(api.seen().await.header("authorization"), Some("Bearer bedrock-key"));
}

#[tokio::test]
async fn a_refusal_of_bedrock_names_the_credentials_and_hides_them() {
    let refusal_body = format!(r#"{{"message":"The key AKIDEXAMPLE with {SECRET} is invalid."}}"#);
    let api = Api::start([answer(403, "content-type: application/json\r\n", &refusal_body)]).await;
    let variables = [&KEYS[..], &[("AWS_REGION", "eu-west-1")]].concat();
    let error =
        all(ModelClient::new(endpoint(&api, &variables).unwrap()).stream(ask())).await.1.expect("an error");
    assert_eq!(error.kind, ErrorKind::Permission);
    insta::assert_snapshot!(error.advised(), @"Amazon Bedrock denies access (403: The key [redacted] with [redacted] is invalid). The call used the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for the region eu-west-1. Renew these credentials, or check their access to the model.");
}

#[tokio::test]
async fn an_exception_in_the_stream_is_an_error_of_the_api() {
    let exception = [(":exception-type", "throttlingException"), (":message-type", "exception")];
    let message = encode(&exception, br#"{"message":"Too many tokens"}"#);
    let api = Api::start([binary(&[encode(&EVENT, &json(START)), message])]).await;
    let variables = [("CLAUDE_CODE_USE_BEDROCK", "1"), ("CLAUDE_CODE_SKIP_BEDROCK_AUTH", "1")];
    let error =
        all(ModelClient::new(endpoint(&api, &variables).unwrap()).stream(ask())).await.1.expect("an error");
    assert_eq!((error.kind, error.name.as_deref()), (ErrorKind::RateLimit, Some("rate_limit_error")));
    assert!(error.message.contains("Too many tokens"), "{}", error.message);
}

#[tokio::test]
async fn without_aws_credentials_nothing_is_sent() {
    let api = Api::start([]).await;
    let client = ModelClient::new(endpoint(&api, &[("CLAUDE_CODE_USE_BEDROCK", "1")]).unwrap());
    let error = all(client.stream(ask())).await.1.expect("an error");
    assert_eq!(error.kind, ErrorKind::Authentication);
    assert!(error.message.starts_with("Could not load AWS credentials"), "{}", error.message);
    assert_eq!(api.requests(), 0);
}

#[tokio::test]
async fn vertex_is_called() {
    let variables = [
        ("CLAUDE_CODE_USE_VERTEX", "1"),
        ("CLAUDE_CODE_SKIP_VERTEX_AUTH", "1"),
        ("ANTHROPIC_VERTEX_PROJECT_ID", "my-proj"),
        ("CLOUD_ML_REGION", "global"),
        ("VERTEX_REGION_CLAUDE_4_5_SONNET", "europe-west1"),
    ];
    for (model, place) in [
        ("claude-opus-5-5", "global/publishers/anthropic/models/claude-opus-5-5"),
        ("claude-sonnet-4-5-20250929", "europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929"),
    ] {
        let mut api = Api::start([hi()]).await;
        let client = ModelClient::new(endpoint(&api, &variables).unwrap());
        let (events, error) = all(client.stream(Request { model: model.into(), ..ask() })).await;
        assert_eq!(error, None);
        assert_eq!(lines(&events), [START, BLOCK, DELTA, STOP]);
        let seen = api.seen().await;
        let line = format!("POST /projects/my-proj/locations/{place}:streamRawPredict HTTP/1.1");
        assert_eq!(seen.head.lines().next(), Some(&*line));
        let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(member(&body, "anthropic_version"), "vertex-2023-10-16");
        assert_eq!(member(&body, "stream"), true);
        assert!(body.get("model").is_none(), "{body}");
    }
}

#[tokio::test]
async fn vertex_needs_a_project() {
    let api = Api::start([]).await;
    let error = endpoint(&api, &[("CLAUDE_CODE_USE_VERTEX", "1")]).unwrap_err();
    insta::assert_snapshot!(error.advised(), @"Vertex AI needs a Google Cloud project. Set ANTHROPIC_VERTEX_PROJECT_ID.");
}

#[tokio::test]
async fn foundry_has_a_key_of_its_own() {
    let mut api = Api::start([hi()]).await;
    let variables = [("CLAUDE_CODE_USE_FOUNDRY", "1"), ("ANTHROPIC_FOUNDRY_API_KEY", "foundry-key")];
    assert_eq!(all(ModelClient::new(endpoint(&api, &variables).unwrap()).stream(ask())).await.1, None);
    assert_eq!(api.seen().await.header("x-api-key"), Some("foundry-key"));
    let error = endpoint(&api, &[("CLAUDE_CODE_USE_FOUNDRY", "1")]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Authentication);
}
