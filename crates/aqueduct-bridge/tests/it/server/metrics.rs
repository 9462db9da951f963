//! `/metrics`, `/readyz` and the state of the bridge.

use serde_json::json;

use super::exposition::{self, labels};
use super::websocket::Socket;
use super::world::{TOKEN, World, bearer};

#[tokio::test]
async fn metrics_are_what_prometheus_reads() {
    let world = World::new().await;
    world.session("s", &[json!({"type": "user_input", "text": "hi"})]).await;
    let _socket = Socket::open(&world, &bearer(TOKEN)).await;
    let page = world.get("/metrics").await;
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let families = exposition::parse(&page.text());
    let value = |name: &str| families[name].samples[0].value;
    assert!(value("aqueduct_database_bytes") > 0.0);
    assert!(value("aqueduct_disk_bytes") >= value("aqueduct_disk_available_bytes"));
    let commits = families["aqueduct_log_commit_seconds"].samples.last().unwrap();
    assert!(commits.name.ends_with("_count") && commits.value >= 1.0, "{commits:?}");
    let clients = &families["aqueduct_clients"];
    assert_eq!(labels(clients).into_iter().collect::<Vec<_>>(), ["kind", "transport"]);
    let programs = clients
        .samples
        .iter()
        .find(|sample| sample.labels["kind"] == "token" && sample.labels["transport"] == "websocket");
    assert_eq!(programs.unwrap().value, 1.0);
    // Each status has a sample.
    assert_eq!(families["aqueduct_sessions"].samples.len(), 8);
}

#[tokio::test]
async fn readiness_needs_no_credential() {
    let world = World::new().await;
    let ready = world.ask("GET", "/readyz", "", "").await;
    assert_eq!((ready.status, ready.header("content-type")), (200, Some("application/json")));
    let checks = ["log", "listener", "disk"].map(|check| json!({"check": check, "ok": true}));
    assert_eq!(ready.json(), json!({"ready": true, "checks": checks}));
}

#[tokio::test]
async fn readiness_names_the_check_that_fails() {
    let world = World::new().await;
    std::fs::remove_file(world.folder.path().join("log.sqlite3")).unwrap();
    let failed = world.ask("GET", "/readyz", "", "").await;
    assert_eq!(failed.status, 503);
    let failed = failed.json();
    assert_eq!(failed["ready"], false);
    let log = &failed["checks"][0];
    assert_eq!((&log["check"], &log["ok"]), (&json!("log"), &json!(false)));
    let message = log["message"].as_str().unwrap();
    assert!(message.contains("removed") && !message.contains('/'), "no path: {message}");
    assert_eq!(world.ask("GET", "/healthz", "", "").await.status, 200, "it runs all the same");
    let families = exposition::parse(&world.get("/metrics").await.text());
    assert!(families["aqueduct_log_failed_commits_total"].samples[0].value >= 1.0);
}

#[tokio::test]
async fn the_status_has_what_the_bridge_uses() {
    let world = World::new().await;
    let status = world.get("/api/v1/status").await.json();
    assert_eq!((&status["type"], &status["version"]), (&json!("bridge_status"), &json!("0.0.0")));
    assert_eq!(status["readiness"]["ready"], true);
    assert!(status["startedAt"].as_u64() <= status["time"].as_u64());
    assert!(status["storage"]["databaseBytes"].as_u64() > Some(0), "{status:#}");
    assert_eq!(status["waiting"], json!([]));
}

#[tokio::test]
async fn a_session_without_an_agent_has_no_stderr() {
    let world = World::new().await;
    world.session("s", &[json!({"type": "user_input", "text": "hi"})]).await;
    let stderr = world.get("/api/v1/sessions/s/stderr").await.json();
    assert_eq!(stderr, json!({"type": "stderr", "sessionId": "s", "lines": [], "nextOffset": 0}));
    world.get("/api/v1/sessions/unknown/stderr").await.assert_error(404, "session_not_found");
}
