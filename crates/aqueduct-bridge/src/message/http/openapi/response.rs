use aqueduct_wire::table::{Definition, Variant};
use serde_json::{Map, Value, json};

use super::components::Components;
use super::link;
use super::operation::operation_id;
use super::paragraph;
use super::reach::Direction;
use crate::message::bridge::{ErrorReply, Hello};
use crate::message::http::{
    AccessToken, Challenge, DOCUMENT_TYPES, IMAGE_TYPES, Paired, Route, RouteAccess, RouteAction, Ticket,
};
use crate::message::{BridgeMessage, ClientMessage, ERROR_CODES};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Errors that have a name in the document: status, name, and what it means. `default` is for all others.
const ERRORS: &[(u16, &str, &str)] = &[
    (400, "BadRequest", "The request is not valid."),
    (401, "Unauthorized", "The credential is missing or does not count."),
    (403, "Forbidden", "The credential, the origin or the path does not allow it."),
    (404, "NotFound", "Something that the request names does not exist."),
    (409, "Conflict", "The state of the session, of the folder or of the client is another one."),
    (413, "PayloadTooLarge", "The body is too large."),
    (429, "TooManyRequests", "Too much at once."),
];

/// The responses of an operation.
pub(super) fn responses(route: &Route, components: &mut Components) -> Value {
    let mut success = success(route, components);
    let links = link::links(operation_id(route));
    if !links.is_empty() {
        success["links"] = links.into();
    }
    let mut responses = Map::from_iter([("200".to_owned(), success)]);
    // `input` is refused with a message of its own.
    let rejection = match route.action {
        RouteAction::Message(name) => replies(name).get(1).copied(),
        _ => None,
    };
    for status in statuses(route) {
        let Some((_, name, about)) = ERRORS.iter().find(|row| row.0 == status) else { continue };
        let response = match rejection {
            None => json!({ "$ref": format!("#/components/responses/{name}") }),
            Some(kind) => error(&described(about, status), rejected(kind, components), status),
        };
        responses.insert(status.to_string(), response);
    }
    let others = "Another error, with the status of its code";
    let default = match rejection {
        None => json!({ "$ref": "#/components/responses/Error" }),
        Some(kind) => error(others, rejected(kind, components), 0),
    };
    responses.insert("default".to_owned(), default);
    Value::Object(responses)
}

/// The errors that responses refer to.
pub(super) fn errors(components: &mut Components) -> Value {
    let schema = kind("error", components);
    let mut errors: Map<String, Value> = ERRORS
        .iter()
        .map(|(status, name, about)| {
            ((*name).to_owned(), error(&described(about, *status), schema.clone(), *status))
        })
        .collect();
    let named = |status: u16| ERRORS.iter().any(|row| row.0 == status);
    let codes = ERROR_CODES.iter().filter(|row| !named(row.1));
    let codes: Vec<String> =
        codes.map(|(code, status, doc)| format!("- `{code}` ({status}): {}", paragraph(doc))).collect();
    let about = format!("Another error, with the status of its code.\n\n{}", codes.join("\n"));
    errors.insert("Error".to_owned(), error(&about, schema, 0));
    Value::Object(errors)
}

/// What a status means, with its codes.
fn described(about: &str, status: u16) -> String {
    let codes = ERROR_CODES.iter().filter(|row| row.1 == status);
    let codes: Vec<String> = codes.map(|(code, _, doc)| format!("- `{code}`: {}", paragraph(doc))).collect();
    format!("{about}\n\n{}", codes.join("\n"))
}

fn error(description: &str, schema: Value, status: u16) -> Value {
    let mut response = json!({ "description": description, "content": { JSON: { "schema": schema } } });
    let header = match status {
        401 => Some(("WWW-Authenticate", json!({ "type": "string" }), "`Bearer`.")),
        429 => Some((
            "Retry-After",
            json!({ "type": "integer", "minimum": 0 }),
            "After how many seconds it is worth another try.",
        )),
        _ => None,
    };
    if let Some((name, schema, description)) = header {
        response["headers"] = json!({ name: { "description": description, "schema": schema } });
    }
    response
}

/// The statuses of errors that an operation names.
fn statuses(route: &Route) -> Vec<u16> {
    let mut statuses = vec![400, 403];
    if route.access() != RouteAccess::Public || !route.method.has_query() {
        statuses.extend([401, 429]);
    }
    if !route.method.has_query() {
        statuses.push(413);
    }
    if matches!(route.action, RouteAction::Message(_)) {
        statuses.push(409);
    }
    if matches!(
        route.action,
        RouteAction::Message(_) | RouteAction::SessionEvents | RouteAction::Image | RouteAction::Document
    ) {
        statuses.push(404);
    }
    statuses
}

fn success(route: &Route, components: &mut Components) -> Value {
    let bytes = json!({ "type": "string", "format": "binary" });
    let of_types = |types: &[&str], schema: Value| -> Value {
        types.iter().map(|name| ((*name).to_owned(), json!({ "schema": schema }))).collect()
    };
    let (description, content) = match route.action {
        RouteAction::Message(name) => {
            let reply = replies(name).first().copied().unwrap_or("ok");
            let schema = kind(reply, components);
            return json!({ "description": format!("`{reply}`"), "content": { JSON: { "schema": schema } } });
        }
        RouteAction::SessionEvents | RouteAction::Events => {
            let schema = components.reference(BridgeMessage::DEFINITION, Direction::Sent);
            (
                "Messages as server-sent events: `event` is the message's type, `data` the message, `id` the number of a \
                 stored one. The response does not end. The schema is that of `data`.",
                json!({ EVENTS: { "schema": schema } }),
            )
        }
        RouteAction::Image => ("The bytes", of_types(IMAGE_TYPES, bytes)),
        RouteAction::Document => ("The document", of_types(DOCUMENT_TYPES, json!({ "type": "string" }))),
        RouteAction::OpenApi => {
            let schema = json!({ "type": "object", "additionalProperties": {} });
            ("This document", json!({ JSON: { "schema": schema } }))
        }
        RouteAction::Hello => ("`hello`", body(Hello::DEFINITION, components)),
        RouteAction::Pair => ("The device has access", body(Paired::DEFINITION, components)),
        RouteAction::Challenge => ("The challenge", body(Challenge::DEFINITION, components)),
        RouteAction::AccessToken => ("The access token", body(AccessToken::DEFINITION, components)),
        RouteAction::Ticket => ("The ticket", body(Ticket::DEFINITION, components)),
    };
    json!({ "description": description, "content": content })
}

fn body(definition: &'static Definition, components: &mut Components) -> Value {
    json!({ JSON: { "schema": components.reference(definition, Direction::Sent) } })
}

/// What a client's message is answered with.
fn replies(name: &str) -> &'static [&'static str] {
    ClientMessage::REPLIES.iter().find(|row| row.0 == name).map(|row| row.1).unwrap_or_default()
}

/// An error, or the kind that refuses the request in its place.
fn rejected(rejection: &str, components: &mut Components) -> Value {
    let kinds = ["error", rejection].map(|name| (name.to_owned(), kind(name, components)));
    let mapping: Map<String, Value> =
        kinds.iter().map(|(name, reference)| (name.clone(), reference["$ref"].clone())).collect();
    let kinds: Vec<&Value> = kinds.iter().map(|kind| &kind.1).collect();
    json!({ "oneOf": kinds, "discriminator": { "propertyName": "type", "mapping": mapping } })
}

/// A kind of message of the bridge.
fn kind(name: &str, components: &mut Components) -> Value {
    let Definition::Union(union) = BridgeMessage::DEFINITION else {
        return components.reference(ErrorReply::DEFINITION, Direction::Sent);
    };
    let variant: Option<&'static Variant> = union.variants.iter().find(|variant| variant.tag == name);
    match variant {
        Some(variant) => components.kind(BridgeMessage::DEFINITION, union, variant, Direction::Sent),
        None => components.reference(ErrorReply::DEFINITION, Direction::Sent),
    }
}
