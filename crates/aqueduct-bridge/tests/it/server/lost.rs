//! A log whose files are removed under a running bridge.

use std::fs;

use aqueduct_bridge::log::{Append, NewSession, Time};
use tokio::time::timeout;

use super::websocket::Socket;
use super::world::{PATIENCE, TOKEN, World, bearer};

/// The first commit that fails is enough: all clients and the bridge's log report it, and nothing is
/// accepted.
#[tokio::test]
async fn all_clients_are_notified_that_the_log_is_lost() {
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    assert_eq!(socket.message().await["type"], "hello");
    fs::remove_file(world.folder.path().join("log.sqlite3")).unwrap();
    let session = NewSession::new("a", "/proj/api", "builtin", "stopped");
    world.hub.log().create_session(session, Append::new(Time::now())).await.unwrap_err();

    let reported = socket.message().await;
    assert_eq!(
        (reported["type"].as_str(), reported["code"].as_str()),
        (Some("error"), Some("storage_failed")),
        "{reported}"
    );
    assert!(reported["message"].as_str().unwrap().contains("restart the bridge"), "{reported}");
    let noted = async {
        while !world.lines.lock().unwrap().iter().any(|line| line.contains("log.sqlite3 was removed")) {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, noted).await.expect("a line for the person whose bridge it is");
    world.stop().await;
}
