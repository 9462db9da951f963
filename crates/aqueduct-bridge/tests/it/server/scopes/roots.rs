//! Credentials that are limited to one folder: what is outside does not exist for them.

use std::path::PathBuf;

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::log::{Append, NewEvent, NewSession, Time};
use aqueduct_bridge::message::{ClientMessage, MessageReach, Scope};
use serde_json::{Value, json};

use super::super::world::{TOKEN, World, bearer};
use super::{FIXTURES, ask, socket, token, world};

const INSIDE: &str = "0198c0de-7a11-7000-8000-00000000000a";
const OUTSIDE: &str = "0198c0de-7a11-7000-8000-00000000000b";
const UNKNOWN: &str = "0198c0de-7a11-7000-8000-00000000000c";

/// Two projects whose names begin alike, with a session and a file each.
struct Scene {
    world: World,
    inside: PathBuf,
    outside: PathBuf,
}

impl Scene {
    async fn new() -> Self {
        let world = world().await;
        let folder = world.folder.path().canonicalize().unwrap();
        let (inside, outside) = (folder.join("api"), folder.join("api-secret"));
        for (id, project) in [(INSIDE, &inside), (OUTSIDE, &outside)] {
            std::fs::create_dir_all(project).unwrap();
            std::fs::write(project.join("notes.txt"), "treasure\n").unwrap();
            let session = NewSession::new(id, project.to_str().unwrap(), "builtin", "stopped");
            let image = json!({"type": "user_input", "text": "the treasure map", "images": [
                {"mediaType": "image/png", "data": "AAAA"}
            ]});
            let event = NewEvent::new("user_input", image.to_string()).searchable();
            world.hub.log().create_session(session, Append::new(Time::now()).event(event)).await.unwrap();
        }
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        Scene { world, inside, outside }
    }

    fn grant(&self, scope: Scope) -> Grant {
        Grant { root: Some(self.inside.to_str().unwrap().to_owned()), ..Grant::of(scope) }
    }

    fn assert_nothing_of_outside(&self, reply: &Value) {
        let text = reply.to_string();
        assert!(!text.contains("api-secret") && !text.contains(OUTSIDE), "{text}");
    }
}

/// From the table: every message that names a session, with one outside and with one that does not exist.
#[tokio::test]
async fn a_session_outside_is_not_found_like_one_that_does_not_exist() {
    let scene = Scene::new().await;
    let mut limited = socket(&scene.world, &token(&scene.world, scene.grant(Scope::Admin)).await).await;
    let mut count = 0;
    for text in FIXTURES.lines() {
        let message = ClientMessage::parse(text).unwrap();
        if message.session_id().is_none() {
            continue;
        }
        assert!(
            matches!(message.reach(), MessageReach::Session | MessageReach::Files | MessageReach::Many),
            "{text}"
        );
        let mut replies = Vec::new();
        for id in [OUTSIDE, UNKNOWN] {
            let mut message: Value = serde_json::from_str(text).unwrap();
            message["sessionId"] = id.into();
            let reply = ask(&mut limited, &message).await;
            assert_eq!(reply["code"], "session_not_found", "{message}: {reply}");
            replies.push(reply.to_string().replace(id, "ID"));
        }
        assert_eq!(replies[0], replies[1], "the two are indistinguishable");
        count += 1;
    }
    assert!(count > 40, "{count}");
    let over_http = bearer(&token(&scene.world, scene.grant(Scope::Admin)).await);
    for path in ["events", "messages/1/images/0", "export/jsonl", "messages", "context"] {
        for id in [OUTSIDE, UNKNOWN] {
            let path = format!("/api/v1/sessions/{id}/{path}");
            scene.world.ask("GET", &path, &over_http, "").await.assert_error(404, "session_not_found");
        }
    }
    for path in ["messages/1/images/0", "export/jsonl", "messages"] {
        let reply =
            scene.world.ask("GET", &format!("/api/v1/sessions/{INSIDE}/{path}"), &over_http, "").await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    }
}

#[tokio::test]
async fn lists_leave_out_what_is_outside() {
    let scene = Scene::new().await;
    let all = socket(&scene.world, TOKEN);
    let limited = token(&scene.world, scene.grant(Scope::Admin)).await;
    let mut all = all.await;
    let mut limited = socket(&scene.world, &limited).await;
    for id in [INSIDE, OUTSIDE] {
        // From here on the bridge holds them.
        assert_eq!(ask(&mut all, &json!({"type": "get_session", "sessionId": id})).await["type"], "session");
    }
    scene.world.hub.log().settle().await.unwrap();
    let words = json!({"type": "search", "query": "treasure"});
    for (message, list) in [
        (json!({"type": "list_sessions"}), "sessions"),
        (json!({"type": "list_recent_sessions", "archived": true}), "sessions"),
        (json!({"type": "list_recent_sessions", "query": "treasure", "limit": 1}), ""),
        (words, "hits"),
        (json!({"type": "get_usage"}), ""),
        (json!({"type": "list_directory"}), ""),
        (json!({"type": "list_commands"}), ""),
        (json!({"type": "list_devices"}), ""),
    ] {
        let reply = ask(&mut limited, &message).await;
        assert_ne!(reply["type"], "error", "{reply}");
        scene.assert_nothing_of_outside(&reply);
        if !list.is_empty() {
            assert_eq!(reply[list].as_array().unwrap().len(), 1, "{message}: {reply}");
            assert_eq!(ask(&mut all, &message).await[list].as_array().unwrap().len(), 2, "{message}");
        }
    }
    let hello = scene
        .world
        .ask("GET", "/api/v1/hello", &bearer(&token(&scene.world, scene.grant(Scope::Watch)).await), "")
        .await
        .json();
    assert_eq!(hello["roots"], json!([scene.inside]));
    assert_eq!(hello["device"]["root"], json!(scene.inside));
    let metrics = scene
        .world
        .ask("GET", "/metrics", &bearer(&token(&scene.world, scene.grant(Scope::Admin)).await), "")
        .await;
    metrics.assert_error(403, "forbidden");
}

#[tokio::test]
async fn files_and_starts_stay_inside() {
    let scene = Scene::new().await;
    let mut limited = socket(&scene.world, &token(&scene.world, scene.grant(Scope::Operate)).await).await;
    let (inside, outside) = (scene.inside.display(), scene.outside.display());
    for path in [
        format!("{outside}"),
        format!("{inside}/../api-secret"),
        format!("{inside}/link"),
        scene.world.folder.path().display().to_string(),
        "/".to_owned(),
    ] {
        for message in [
            json!({"type": "start", "projectPath": path}),
            json!({"type": "list_directory", "path": path}),
            json!({"type": "list_files", "projectPath": path}),
            json!({"type": "read_file", "path": format!("{path}/notes.txt")}),
            json!({"type": "read_file", "path": format!("{path}/notes.txt"), "sessionId": INSIDE}),
            json!({"type": "get_diff", "projectPath": path}),
            json!({"type": "get_git_status", "projectPath": path}),
            json!({"type": "list_recent_sessions", "projectPath": path}),
            json!({"type": "search", "query": "treasure", "projectPath": path}),
            json!({"type": "resume_session", "sessionId": INSIDE, "projectPath": path}),
        ] {
            let reply = ask(&mut limited, &message).await;
            assert_eq!(reply["code"], "path_not_allowed", "{message}: {reply}");
        }
    }
    let read = ask(&mut limited, &json!({"type": "read_file", "path": format!("{inside}/notes.txt")})).await;
    assert_eq!(read["type"], "file", "{read}");
}

/// Who only watches or decides sees files of sessions, and nothing else of what is under the roots.
#[tokio::test]
async fn files_are_those_of_sessions_for_those_who_only_look() {
    let scene = Scene::new().await;
    let elsewhere = scene.world.folder.path().canonicalize().unwrap().join("id_rsa");
    std::fs::write(&elsewhere, "secret\n").unwrap();
    for scope in [Scope::Watch, Scope::Decide] {
        let mut looks = socket(&scene.world, &token(&scene.world, Grant::of(scope)).await).await;
        let own =
            ask(&mut looks, &json!({"type": "read_file", "path": "notes.txt", "sessionId": INSIDE})).await;
        assert_eq!(own["type"], "file", "{own}");
        for path in [elsewhere.display().to_string(), "../id_rsa".to_owned(), "link/notes.txt".to_owned()] {
            let reply =
                ask(&mut looks, &json!({"type": "read_file", "path": path, "sessionId": INSIDE})).await;
            assert_eq!(reply["code"], "path_not_allowed", "{path}: {reply}");
        }
        for message in [
            json!({"type": "read_file", "path": elsewhere}),
            json!({"type": "read_file", "path": "notes.txt", "projectPath": scene.inside}),
            json!({"type": "list_files", "projectPath": scene.inside}),
            json!({"type": "list_directory"}),
        ] {
            let reply = ask(&mut looks, &message).await;
            assert_eq!(
                (&reply["code"], &reply["scope"]),
                (&json!("forbidden"), &json!("operate")),
                "{reply}"
            );
        }
    }
}

#[tokio::test]
async fn events_are_those_inside() {
    let scene = Scene::new().await;
    let mut all = socket(&scene.world, TOKEN).await;
    let limited = token(&scene.world, scene.grant(Scope::Watch)).await;
    let mut stream = scene.world.connect().await;
    stream.send(scene.world.request("GET", "/api/v1/events", &bearer(&limited), "")).await;
    assert_eq!(stream.head().await.status, 200);
    let mut limited = socket(&scene.world, &limited).await;
    for id in [OUTSIDE, INSIDE] {
        let renamed = json!({"type": "rename_session", "sessionId": id, "title": format!("named {id}")});
        assert_eq!(ask(&mut all, &renamed).await["type"], "ok");
    }
    let deleted = json!({"type": "delete_session", "sessionId": OUTSIDE});
    assert_eq!(ask(&mut all, &deleted).await["type"], "ok");
    let last = json!({"type": "rename_session", "sessionId": INSIDE, "title": "the last"});
    assert_eq!(ask(&mut all, &last).await["type"], "ok");
    loop {
        let message = limited.message().await;
        scene.assert_nothing_of_outside(&message);
        if message["session"]["title"] == "the last" {
            break;
        }
    }
    let received = stream.until("the last").await;
    assert!(
        received.contains(INSIDE) && !received.contains(OUTSIDE) && !received.contains("api-secret"),
        "{received}"
    );
}

/// Who is limited sees and revokes no credential that is not.
#[tokio::test]
async fn credentials_outside_are_not_found() {
    let scene = Scene::new().await;
    let limited = token(&scene.world, scene.grant(Scope::Admin)).await;
    let (phone, _) = scene.world.device().await;
    let mut socket = socket(&scene.world, &limited).await;
    let listed = ask(&mut socket, &json!({"type": "list_devices"})).await;
    assert_eq!(listed["devices"].as_array().unwrap().len(), 1, "{listed}");
    for message in [
        json!({"type": "revoke_device", "deviceId": phone}),
        json!({"type": "rename_device", "deviceId": phone, "name": "Mine"}),
    ] {
        assert_eq!(ask(&mut socket, &message).await["code"], "device_not_found");
    }
    let wide = json!({"type": "approve_always", "id": "p", "sessionId": INSIDE, "rules": ["Bash"], "destination": "userSettings"});
    assert_eq!(ask(&mut socket, &wide).await["code"], "forbidden", "user settings are not in the folder");
}
