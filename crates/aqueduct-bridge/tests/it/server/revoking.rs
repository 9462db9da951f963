//! Revoking access while the disk is full.

use std::path::Path;
use std::process::Command;

use aqueduct_bridge::log::Log;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::json;

use super::world::{World, bearer};

/// Set for the child alone.
const CHILD: &str = "REVOKE_ON_A_FULL_DISK";

fn limit_files(bytes: Option<u64>) {
    setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

/// Not a test of its own: a process whose files can't grow, which the test below starts.
#[tokio::test]
#[ignore = "started by the test below"]
async fn child() {
    assert!(std::env::var_os(CHILD).is_some(), "another test starts this one");
    let world = World::new().await;
    let (device, token) = world.device().await;
    let sessions = async || world.ask("GET", "/api/v1/sessions", &bearer(&token), "").await;
    assert_eq!(sessions().await.status, 200);
    let mut stream = world.connect().await;
    stream.send(world.request("GET", "/api/v1/events", &bearer(&token), "")).await;
    assert_eq!(stream.head().await.status, 200);

    limit_files(Some(1));
    let reply = world.send("DELETE", &format!("/api/v1/devices/{device}"), &json!({})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let reply = reply.json();
    assert_eq!(reply["type"], "ok");
    assert!(reply["unsaved"].as_str().is_some_and(|why| why.contains("disk")), "{reply}");
    sessions().await.assert_error(401, "unauthorized");
    stream.until("0\r\n\r\n").await;
    assert_eq!(world.get("/api/v1/devices").await.json()["devices"], json!([]));

    // It is saved as soon as there is space; at the latest when the bridge stops.
    limit_files(None);
    let folder = world.folder.path().to_owned();
    world.hub.close().await;
    world.hub.log().close().await;
    assert_saved(&folder, &device).await;
}

async fn assert_saved(folder: &Path, device: &str) {
    let log = Log::open(folder).unwrap();
    let devices = log.devices().await.unwrap();
    assert!(devices.iter().any(|found| found.id == device && found.revoked.is_some()), "{devices:?}");
}

#[test]
fn a_revocation_on_a_full_disk_takes_effect_and_is_saved_later() {
    // The signal that comes with the limit is ignored by the shell, and so by what it starts.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "server::revoking::child", "--ignored", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("1 passed"), "{out}{err}");
}
