//! Requests with a consequence are confirmed by repeating them.

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::message::Scope;
use serde_json::{Value, json};

use super::super::world::{JSON, World, bearer};
use super::{ask, socket, token, world};

fn with(message: &Value, confirm: &Value) -> Value {
    let mut message = message.clone();
    message["confirm"] = confirm.clone();
    message
}

#[tokio::test]
async fn a_confirmation_is_for_one_request_of_one_credential_once() {
    let world = world().await;
    let mut phone = socket(&world, &token(&world, Grant::full()).await).await;
    let mut laptop = socket(&world, &token(&world, Grant::full()).await).await;
    let wish = json!({"type": "pair_device", "name": "Kitchen", "scope": "watch"});
    let asked = ask(&mut phone, &wish).await;
    assert_eq!(asked["code"], "confirmation_required");
    insta::assert_snapshot!(asked["message"].as_str().unwrap(), @"The first device that opens the link gets the scope `watch` and can read every session, its files and its history. Repeat the request with `confirm` to do it.");
    let value = &asked["confirm"];
    let more = json!({"type": "pair_device", "name": "Kitchen", "scope": "admin"});
    for refused in [
        ask(&mut laptop, &with(&wish, value)).await,
        ask(&mut phone, &with(&more, value)).await,
        ask(&mut phone, &with(&wish, &json!("AAAAAAAAAAAAAAAAAAAAAA"))).await,
    ] {
        assert_eq!(refused["code"], "confirmation_required", "{refused}");
        assert_ne!(refused["confirm"], *value);
    }
    let pairing = ask(&mut phone, &with(&wish, value)).await;
    assert_eq!((&pairing["type"], &pairing["scope"]), (&json!("pairing"), &json!("watch")), "{pairing}");
    assert_eq!(ask(&mut phone, &with(&wish, value)).await["code"], "confirmation_required", "once");
}

#[tokio::test]
async fn every_consequence_is_named() {
    let world = world().await;
    let mut phone = socket(&world, &token(&world, Grant::full()).await).await;
    let mut reported = Vec::new();
    for message in [
        json!({"type": "set_permission_mode", "mode": "bypassPermissions", "sessionId": "s"}),
        json!({"type": "set_permission_mode", "mode": "yolo", "sessionId": "s"}),
        json!({"type": "approve_always", "id": "p", "rules": ["Bash"], "destination": "userSettings"}),
        json!({"type": "pair_device"}),
        json!({"type": "pair_device", "scope": "admin"}),
    ] {
        reported.push(ask(&mut phone, &message).await["message"].as_str().unwrap().to_owned());
    }
    insta::assert_snapshot!(reported.join("\n"));
}

/// Without `--allow-bypass` no message enters the mode.
#[tokio::test]
async fn bypass_stays_off_where_it_is_not_allowed() {
    let world = World::new().await;
    let mut admin = socket(&world, &token(&world, Grant::full()).await).await;
    for message in [
        json!({"type": "start", "projectPath": "/p", "permissionMode": "bypassPermissions"}),
        json!({"type": "resume_session", "sessionId": "s", "permissionMode": "bypassPermissions"}),
        json!({"type": "set_permission_mode", "sessionId": "s", "mode": "bypassPermissions"}),
        json!({"type": "approve", "sessionId": "s", "id": "p", "mode": "bypassPermissions"}),
        json!({"type": "approve_always", "sessionId": "s", "id": "p", "updates": [
            {"type": "setMode", "mode": "bypassPermissions", "destination": "session"}
        ]}),
    ] {
        let reply = ask(&mut admin, &message).await;
        assert_eq!(reply["code"], "forbidden", "{message}: {reply}");
        assert!(reply["message"].as_str().unwrap().contains("--allow-bypass"), "{reply}");
    }
}

/// A credential makes none that has more than itself.
#[tokio::test]
async fn access_is_passed_on_and_never_grows() {
    let world = world().await;
    let folder = world.folder.path().canonicalize().unwrap();
    let (inside, outside) = (folder.join("inside"), folder.join("outside"));
    for folder in [inside.join("deeper"), outside.clone()] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let expires = aqueduct_bridge::log::Time(aqueduct_bridge::log::Time::now().0 + 3_600_000);
    let root = Some(inside.to_str().unwrap().to_owned());
    let maker =
        token(&world, Grant { scope: Scope::Admin, expires: Some(expires), root: root.clone() }).await;
    let mut socket = socket(&world, &maker).await;
    for (wish, code) in [
        (json!({"root": outside}), "path_not_allowed"),
        (json!({"root": folder}), "path_not_allowed"),
        (json!({"root": format!("{}/../outside", inside.display())}), "path_not_allowed"),
        (json!({"expiresAt": expires.0 + 1}), "forbidden"),
        (json!({"expiresAt": 1}), "invalid_message"),
        (json!({"scope": "owner"}), "invalid_message"),
    ] {
        let mut message = json!({"type": "pair_device"});
        message.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        let mut reply = ask(&mut socket, &message).await;
        if reply["code"] == "confirmation_required" {
            reply = ask(&mut socket, &with(&message, &reply["confirm"])).await;
        }
        assert_eq!(reply["code"], code, "{wish}: {reply}");
    }
    let deeper = inside.join("deeper");
    for (wish, scope, root) in [
        (json!({"scope": "admin"}), "admin", &inside),
        (json!({"scope": "watch", "root": deeper}), "watch", &deeper),
        (json!({"root": "/"}), "operate", &inside),
    ] {
        let mut message = json!({"type": "pair_device"});
        message.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        let asked = ask(&mut socket, &message).await;
        let pairing = ask(&mut socket, &with(&message, &asked["confirm"])).await;
        // Whatever a device requests, it gets what the pairing grants.
        let claim = json!({"code": pairing["code"], "scope": "admin", "root": null, "expiresAt": null, "kind": "token"});
        let paired = world.ask("POST", "/api/v1/pair", JSON, &claim.to_string()).await.json();
        let device = world.ask("GET", "/api/v1/hello", &bearer(paired["token"].as_str().unwrap()), "").await;
        let device = &device.json()["device"];
        assert_eq!(device["scope"], scope, "{wish}");
        assert_eq!(device["root"].as_str(), root.to_str(), "{wish}");
        assert_eq!(device["expiresAt"], expires.0, "{wish}");
        assert_eq!(paired["device"]["scope"], scope);
    }
}
