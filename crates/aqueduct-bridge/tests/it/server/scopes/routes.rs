//! Every route with every scope, and with no credential that counts.

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::log::Time;
use aqueduct_bridge::message::Scope;
use aqueduct_bridge::message::http::{PREFIX, ROUTES, Route, RouteAccess, RouteAction};
use serde_json::Value;

use super::super::websocket::Socket;
use super::super::world::{JSON, Reply, World, bearer};
use super::{FIXTURES, line, outcome, scopes, token, world};

/// A request to a route that holds all that it needs.
pub(super) struct Wanted {
    pub(super) name: String,
    method: &'static str,
    path: String,
    lines: &'static str,
    body: String,
    /// Whether it needs no credential.
    is_public: bool,
}

impl Wanted {
    fn of(route: &Route) -> Self {
        let kind = match route.action {
            RouteAction::Message(name) => name,
            _ => "export_session",
        };
        let fixture = FIXTURES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut members = fixture.into_iter().find(|message| message["type"] == kind).unwrap();
        let taken = members.as_object_mut().unwrap();
        taken.remove("type");
        taken.remove("requestId");
        taken.remove("confirm");
        let mut path = format!("{PREFIX}{}", route.path);
        for name in route.path_members() {
            let value = taken.remove(name).and_then(|value| value.as_str().map(str::to_owned));
            path = path.replace(&format!("{{{name}}}"), value.as_deref().unwrap_or("1"));
        }
        let mut body = String::new();
        match route.method.has_query() {
            true if matches!(route.action, RouteAction::Message(_)) => {
                let pairs: Vec<String> = taken
                    .iter()
                    .filter(|(_, value)| !value.is_object() && !value.is_array())
                    .map(|(name, value)| {
                        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                        format!("{name}={}", value.replace([' ', '"', '*'], "+"))
                    })
                    .collect();
                if !pairs.is_empty() {
                    path = format!("{path}?{}", pairs.join("&"));
                }
            }
            true => {}
            false => {
                body = match route.action {
                    RouteAction::Pair => r#"{"code":"0000-0000-0000-0000"}"#.to_owned(),
                    RouteAction::Challenge => r#"{"deviceId":"d-1"}"#.to_owned(),
                    RouteAction::AccessToken => {
                        r#"{"deviceId":"d-1","challenge":"c","signature":"s"}"#.to_owned()
                    }
                    RouteAction::Ticket => format!(r#"{{"path":"{PREFIX}/sessions/s-1/export/html"}}"#),
                    _ => members.to_string(),
                }
            }
        }
        let name = format!("{} {}", route.method.as_str(), route.path);
        let is_public = route.access() == RouteAccess::Public;
        Wanted { name, method: route.method.as_str(), path, lines: JSON, body, is_public }
    }

    /// Every route, and the other paths.
    pub(super) fn all() -> Vec<Self> {
        let place = |path: &str, lines: &'static str| Wanted {
            name: format!("GET {path}, outside {PREFIX}"),
            method: "GET",
            path: path.to_owned(),
            lines,
            body: String::new(),
            is_public: false,
        };
        let places = [
            place("/ws", Socket::HANDSHAKE),
            place("/metrics", ""),
            place("/healthz", ""),
            place("/readyz", ""),
            place("/", ""),
            place("/some/page", ""),
        ];
        ROUTES.iter().map(Wanted::of).chain(places).collect()
    }

    pub(super) async fn ask(&self, world: &World, lines: &str) -> Reply {
        let mut client = world.connect().await;
        let lines = format!("{lines}{}", self.lines);
        client.send(world.request(self.method, &self.path, &lines, &self.body)).await;
        let mut reply = client.head().await;
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        reply.body = client.take(length).await;
        reply
    }
}

/// What became of a request.
pub(super) fn outcome_of(wanted: &Wanted, reply: &Reply) -> String {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    match (reply.status, body["code"].as_str()) {
        // A route for those who have no credential fails for what is in the body: a wrong code, a wrong signature.
        (_, code) if wanted.is_public && code != Some("forbidden") => "public".to_owned(),
        (401, _) | (429, _) => "401".to_owned(),
        (403, Some("forbidden")) if body["scope"].is_null() && body["type"] != "input_rejected" => {
            format!("403 {}", body["message"])
        }
        _ => outcome(&body).to_owned(),
    }
}

/// Credentials that count for nothing, and one of each scope.
pub(super) async fn credentials(world: &World) -> Vec<(String, String)> {
    let expired = Grant { expires: Some(Time(Time::now().0 - 1)), ..Grant::full() };
    let revoked = token(world, Grant::full()).await;
    let devices = world.hub.auth().devices("").await.unwrap();
    world.hub.auth().revoke(&devices[0].device_id, Time::now()).await.unwrap();
    let mut all = vec![
        ("none".to_owned(), String::new()),
        ("unknown".to_owned(), bearer("aq_a-token-that-was-never-made")),
        ("revoked".to_owned(), bearer(&revoked)),
        ("expired".to_owned(), bearer(&token(world, expired).await)),
    ];
    for (name, scope) in scopes().into_iter().zip(Scope::ALL) {
        all.push((name, bearer(&token(world, Grant::of(*scope)).await)));
    }
    all
}

#[tokio::test]
async fn every_route_with_every_credential() {
    let world = world().await;
    let credentials = credentials(&world).await;
    let names: Vec<String> = credentials.iter().map(|(name, _)| name.clone()).collect();
    let mut matrix = line("", &names);
    for wanted in Wanted::all() {
        let mut outcomes = Vec::new();
        for (_, lines) in &credentials {
            outcomes.push(outcome_of(&wanted, &wanted.ask(&world, lines).await));
        }
        matrix.push_str(&line(&wanted.name, &outcomes));
    }
    insta::assert_snapshot!(matrix);
}
