//! The routes and the document that describes them.

use std::collections::BTreeSet;

use aqueduct_bridge::message::ClientMessage;
use aqueduct_bridge::message::http::{Method, PREFIX, ROUTES, Route, RouteAction, openapi};
use aqueduct_wire::table::Definition;
use serde_json::{Value, json};

/// Messages that belong to a connection and have no route.
const CONNECTION_ONLY: &[&str] = &["subscribe", "unsubscribe"];

fn route(method: Method, path: &str) -> &'static Route {
    ROUTES.iter().find(|route| (route.method, route.path) == (method, path)).unwrap()
}

#[test]
fn every_message_has_a_route() {
    let Definition::Union(union) = ClientMessage::DEFINITION else { panic!() };
    let routed: Vec<&str> = ROUTES
        .iter()
        .filter_map(|route| match route.action {
            RouteAction::Message(name) => Some(name),
            RouteAction::Document => Some("export_session"),
            _ => None,
        })
        .collect();
    for variant in union.variants {
        let expected = usize::from(!CONNECTION_ONLY.contains(&variant.tag));
        let found = routed.iter().filter(|name| **name == variant.tag).count();
        assert_eq!(found, expected, "routes of {}", variant.tag);
    }
    for route in ROUTES {
        if let RouteAction::Message(name) = route.action {
            assert!(route.record().is_some(), "{name} is not a message");
        }
    }
}

#[test]
fn a_part_of_a_path_is_a_member() {
    for route in ROUTES {
        let Some(record) = route.record() else { continue };
        for member in route.path_members() {
            assert!(record.fields.iter().any(|field| field.key == member), "{member} in {}", route.path);
        }
    }
}

/// Routers refuse two names for one place of a path.
#[test]
fn a_place_in_a_path_has_one_name() {
    let mut names = BTreeSet::new();
    for route in ROUTES {
        for (at, _) in route.path.match_indices('{') {
            let before = &route.path[..at];
            let name = route.path[at..].split('}').next().unwrap();
            names.insert((before, name));
        }
    }
    let places: BTreeSet<&str> = names.iter().map(|(before, _)| *before).collect();
    assert_eq!(places.len(), names.len(), "{names:?}");
}

#[test]
fn a_request_is_a_message() {
    let input = route(Method::Post, "/sessions/{sessionId}/inputs");
    let text = input
        .compose(
            [("sessionId", "s \"1\"")],
            [("ignored", "x")],
            r#"{"text":"a","sessionId":"s-2","type":"ping"}"#,
        )
        .unwrap()
        .unwrap();
    let ClientMessage::Input(message) = ClientMessage::parse(&text).unwrap() else { panic!("{text}") };
    assert_eq!(message.session_id.as_deref(), Some("s \"1\""));
    assert_eq!(&*message.text, "a");

    let history = route(Method::Get, "/sessions/{sessionId}/messages");
    let text =
        history.compose([("sessionId", "7")], [("limit", "20"), ("beforeSeq", "9")], "").unwrap().unwrap();
    let ClientMessage::GetHistory(message) = ClientMessage::parse(&text).unwrap() else { panic!("{text}") };
    assert_eq!((message.limit, message.before_seq), (Some(20), Some(9)));
    assert_eq!(&*message.session_id, "7");

    let text = history.compose([("sessionId", "7")], [("limit", "many")], "").unwrap().unwrap();
    assert_eq!(ClientMessage::parse(&text).unwrap_err().member.as_deref(), Some("limit"));
    let text = history.compose([("sessionId", "7")], [("limit", "null")], "").unwrap().unwrap();
    assert_eq!(ClientMessage::parse(&text).unwrap_err().member.as_deref(), Some("limit"));
}

/// In JSON both are the same number.
#[test]
fn a_whole_number_may_have_a_fraction_of_zero() {
    let position = route(Method::Put, "/sessions/{sessionId}/queue/{inputId}/position");
    let path = [("sessionId", "s"), ("inputId", "i")];
    for (written, expected) in [("5", 5), ("5.0", 5), ("5e1", 50)] {
        let body = format!(r#"{{"position":{written}}}"#);
        let text = position.compose(path, [], &body).unwrap().unwrap();
        let ClientMessage::MoveQueuedInput(message) = ClientMessage::parse(&text).unwrap() else { panic!() };
        assert_eq!(message.position, expected, "{written}");
    }
    for wrong in ["5.5", "-5.0", "1e30", "\"5\"", "null"] {
        let text = position.compose(path, [], &format!(r#"{{"position":{wrong}}}"#)).unwrap().unwrap();
        assert_eq!(ClientMessage::parse(&text).unwrap_err().member.as_deref(), Some("position"), "{wrong}");
    }
}

#[test]
fn a_body_that_is_not_an_object_is_refused() {
    let stop = route(Method::Post, "/sessions/{sessionId}/stop");
    assert!(stop.compose([("sessionId", "s")], [], " ").unwrap().is_ok());
    for body in ["[]", "{", "{} {}", "null", "\"a\""] {
        let refusal = stop.compose([("sessionId", "s")], [], body).unwrap().unwrap_err();
        assert_eq!(refusal.code.as_str(), "invalid_json", "{body}");
    }
    assert!(route(Method::Get, "/events").compose([], [], "").is_none());
}

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if key == "$ref" {
                    found.insert(value.as_str().unwrap().to_owned());
                }
                references(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn the_document_has_the_shape_of_openapi() {
    let document = openapi();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());

    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }

    let mut ids = BTreeSet::new();
    for route in ROUTES {
        let operation =
            &document["paths"][format!("{PREFIX}{}", route.path)][route.method.as_str().to_lowercase()];
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{} is missing", route.path));
        assert!(ids.insert(id), "{id} is there twice");
        assert!(operation["responses"]["200"]["description"].is_string(), "{id}");
        let default = &operation["responses"]["default"];
        assert!(default["content"].is_object() || default["$ref"].is_string(), "{id}");

        let parameters = operation["parameters"].as_array().unwrap();
        let in_path: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| {
                assert_eq!(parameter["required"], true, "{id}");
                parameter["name"].as_str().unwrap()
            })
            .collect();
        assert_eq!(in_path, route.path_members().collect::<Vec<_>>(), "{id}");
        assert!(parameters.iter().all(|parameter| parameter["schema"] != json!(true)), "{id}");
        if route.method.has_query() {
            assert!(operation.get("requestBody").is_none(), "{id} has a body");
        }
    }
    assert_eq!(
        document["paths"]
            .as_object()
            .unwrap()
            .values()
            .map(|path| path.as_object().unwrap().len())
            .sum::<usize>(),
        ROUTES.len()
    );
}
