use aqueduct_wire::FromAgent;
use aqueduct_wire::table::{Definition, Field, Presence, reachable, schema, shape_schema};
use serde_json::{Map, Value, json};

use super::{
    AccessToken, AccessTokenRequest, BODIES, Challenge, ChallengeRequest, PREFIX, PairRequest, Paired,
    ROUTES, Route, RouteAccess, RouteAction, Ticket, TicketRequest,
};
use crate::message::bridge::{ErrorReply, Hello};
use crate::message::{BridgeMessage, ClientMessage, ERROR_CODES, PROTOCOL};

const SCHEMAS: &str = "#/components/schemas/";

/// The HTTP API as an OpenAPI document.
pub fn openapi() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(format!("{PREFIX}{}", route.path)).or_insert_with(|| json!({}));
        if let Value::Object(path) = path {
            path.insert(route.method.as_str().to_lowercase(), operation(route));
        }
    }
    let paths = Value::Object(paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Aqueduct bridge",
            "version": PROTOCOL.to_string(),
            "description": "Sessions of coding agents over HTTP. Every answer is a message of the WebSocket API; \
                            docs/bridge-api.md describes each.",
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }],
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "ticket": { "type": "apiKey", "in": "query", "name": "ticket" },
            },
            "schemas": schemas(&paths),
        },
        "paths": paths,
    })
}

/// The schemas that the paths refer to, and those that these refer to.
fn schemas(paths: &Value) -> Map<String, Value> {
    let messages = [BridgeMessage::DEFINITION, ClientMessage::DEFINITION];
    let definitions = reachable(messages.iter().chain(BODIES).copied());
    let mut schemas = Map::new();
    let mut wanted = Vec::new();
    references(paths, &mut wanted);
    while let Some(name) = wanted.pop() {
        let Some(definition) = definitions.iter().find(|definition| definition.name() == name) else {
            continue;
        };
        if schemas.contains_key(&name) {
            continue;
        }
        let value = match name == FromAgent::DEFINITION.name() {
            // It has a schema of its own, and is passed on as it came.
            true => json!({ "type": "object", "description": "A frame of the agent, as it came." }),
            false => schema(definition, SCHEMAS),
        };
        references(&value, &mut wanted);
        schemas.insert(name, value);
    }
    schemas
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_str().and_then(|value| value.strip_prefix(SCHEMAS)) {
                    Some(name) if key == "$ref" => found.push(name.to_owned()),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.summary,
        "parameters": parameters(route),
        "responses": responses(route),
    });
    if let Value::Object(members) = &mut operation {
        if let Some(body) = body(route) {
            members.insert("requestBody".into(), body);
        }
        match route.access() {
            RouteAccess::Public => drop(members.insert("security".into(), json!([]))),
            RouteAccess::Scope(scope) => drop(members.insert("x-scope".into(), scope.as_str().into())),
        }
        if route.action.takes_ticket() {
            members.insert("security".into(), json!([{ "bearer": [] }, { "ticket": [] }]));
        }
    }
    operation
}

fn operation_id(route: &Route) -> &'static str {
    match route.action {
        RouteAction::Message(name) => name,
        RouteAction::Hello => "hello",
        RouteAction::SessionEvents => "session_events",
        RouteAction::Events => "events",
        RouteAction::Image => "image",
        RouteAction::Document => "export_session",
        RouteAction::Pair => "pair",
        RouteAction::Challenge => "request_challenge",
        RouteAction::AccessToken => "sign_in",
        RouteAction::Ticket => "request_ticket",
        RouteAction::OpenApi => "openapi",
    }
}

/// The members of the message that are not in the path. `requestId` has no use here: an answer belongs
/// to its request.
fn members(route: &Route) -> impl Iterator<Item = &'static Field> {
    let fields = route.record().map(|record| record.fields).unwrap_or_default();
    fields.iter().filter(move |field| {
        field.key != "requestId" && !route.path_members().any(|member| member == field.key)
    })
}

fn parameters(route: &Route) -> Vec<Value> {
    let mut parameters: Vec<Value> = route
        .path_members()
        .map(|name| {
            let whole = matches!(name, "seq" | "index");
            let kind = if whole { "integer" } else { "string" };
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": kind } })
        })
        .collect();
    if route.method.has_query() {
        parameters.extend(members(route).map(|field| {
            json!({
                "name": field.key,
                "in": "query",
                "required": field.presence == Presence::Essential,
                "description": paragraph(field.doc),
                "schema": shape_schema(&(field.shape)(), SCHEMAS),
            })
        }));
    }
    if route.action == RouteAction::SessionEvents {
        parameters.push(json!({
            "name": "Last-Event-ID",
            "in": "header",
            "required": false,
            "description": "The newest number that the client has.",
            "schema": { "type": "integer" },
        }));
        parameters.push(json!({
            "name": "sinceSeq",
            "in": "query",
            "required": false,
            "description": "The same, for a client that can't set headers.",
            "schema": { "type": "integer" },
        }));
    }
    parameters
}

fn body(route: &Route) -> Option<Value> {
    if route.method.has_query() {
        return None;
    }
    let request = match route.action {
        RouteAction::Pair => Some(PairRequest::DEFINITION),
        RouteAction::Challenge => Some(ChallengeRequest::DEFINITION),
        RouteAction::AccessToken => Some(AccessTokenRequest::DEFINITION),
        RouteAction::Ticket => Some(TicketRequest::DEFINITION),
        _ => None,
    };
    if let Some(request) = request {
        let content = json!({ "application/json": { "schema": reference(request) } });
        return Some(json!({ "required": true, "content": content }));
    }
    let fields: Vec<&Field> = members(route).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.presence == Presence::Essential).map(|field| field.key).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = shape_schema(&(field.shape)(), SCHEMAS);
            if let (Value::Object(schema), false) = (&mut schema, field.doc.is_empty()) {
                schema.insert("description".into(), paragraph(field.doc).into());
            }
            (field.key.to_owned(), schema)
        })
        .collect();
    let is_required = !required.is_empty();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    (!fields.is_empty())
        .then(|| json!({ "required": is_required, "content": { "application/json": { "schema": schema } } }))
}

fn responses(route: &Route) -> Value {
    let (description, media_type, schema) = match route.action {
        RouteAction::Message(name) => {
            let replies = ClientMessage::REPLIES.iter().find(|row| row.0 == name);
            let kinds = replies.map(|row| row.1).unwrap_or_default();
            // What refuses has the status of its code.
            let kind = kinds.first().copied().unwrap_or("ok");
            return answers(&format!("`{kind}`"), "application/json", message_schema(kind));
        }
        RouteAction::Hello => ("`hello`", "application/json", reference(Hello::DEFINITION)),
        RouteAction::SessionEvents | RouteAction::Events => (
            "Messages as server-sent events: `event` is the message's type, `data` the message, `id` the number of a stored one.",
            "text/event-stream",
            json!({ "type": "string" }),
        ),
        RouteAction::Image => ("The bytes", "image/*", json!({ "type": "string" })),
        RouteAction::Document => ("The document", "text/*", json!({ "type": "string" })),
        RouteAction::Pair => ("The device has access", "application/json", reference(Paired::DEFINITION)),
        RouteAction::Challenge => ("The challenge", "application/json", reference(Challenge::DEFINITION)),
        RouteAction::AccessToken => {
            ("The access token", "application/json", reference(AccessToken::DEFINITION))
        }
        RouteAction::Ticket => ("The ticket", "application/json", reference(Ticket::DEFINITION)),
        RouteAction::OpenApi => ("This document", "application/json", json!({ "type": "object" })),
    };
    answers(description, media_type, schema)
}

fn answers(description: &str, media_type: &str, schema: Value) -> Value {
    let codes: Vec<&str> = ERROR_CODES.iter().map(|code| code.0).collect();
    json!({
        "200": { "description": description, "content": { media_type: { "schema": schema } } },
        "default": {
            "description": format!("`error`, with the status of its code: {}", codes.join(", ")),
            "content": { "application/json": { "schema": reference(ErrorReply::DEFINITION) } },
        },
    })
}

/// A kind of message of the bridge: its record, and its `type`.
fn message_schema(kind: &str) -> Value {
    let Definition::Union(union) = BridgeMessage::DEFINITION else { return json!(true) };
    let record =
        union.variants.iter().find(|variant| variant.tag == kind).map(|variant| (variant.definition)());
    let tag = json!({ "properties": { "type": { "const": kind } }, "required": ["type"] });
    match record {
        Some(record) => json!({ "allOf": [tag, reference(record)] }),
        None => tag,
    }
}

fn reference(definition: &Definition) -> Value {
    json!({ "$ref": format!("{SCHEMAS}{}", definition.name()) })
}

fn paragraph(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
