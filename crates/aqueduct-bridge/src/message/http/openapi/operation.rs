use aqueduct_wire::table::{Definition, Field};
use serde_json::{Map, Value, json};

use super::components::{Components, is_required};
use super::paragraph;
use super::reach::Direction;
use super::response::responses;
use crate::message::client::ExportFormat;
use crate::message::http::ticket_path::ticket_path_pattern;
use crate::message::http::{
    AccessTokenRequest, ChallengeRequest, PairRequest, Route, RouteAccess, RouteAction, TicketRequest,
};

/// An operation.
pub(super) fn operation(route: &Route, components: &mut Components) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "tags": [route.tag],
        "summary": route.summary,
        "parameters": parameters(route, components),
        "responses": responses(route, components),
    });
    if let Some(body) = body(route, components) {
        operation["requestBody"] = body;
    }
    if let Some(record) = route.record() {
        operation["description"] = paragraph(record.doc).into();
    }
    match route.access() {
        RouteAccess::Public => operation["security"] = json!([]),
        RouteAccess::Scope(scope) => operation["x-scope"] = scope.as_str().into(),
    }
    if route.action.takes_ticket() {
        operation["security"] = json!([{ "bearer": [] }, { "ticket": [] }]);
    }
    operation
}

pub(super) fn operation_id(route: &Route) -> &'static str {
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

fn parameters(route: &Route, components: &mut Components) -> Vec<Value> {
    let mut parameters: Vec<Value> =
        route.path_members().map(|name| path_parameter(route, name, components)).collect();
    if route.method.has_query() {
        let record = route.record().map_or("", |record| record.name);
        parameters.extend(members(route).map(|field| {
            let mut parameter = json!({
                "name": field.key,
                "in": "query",
                "required": is_required(field, Direction::Taken),
                "schema": components.value(record, field, Direction::Taken),
            });
            describe(&mut parameter, field);
            parameter
        }));
    }
    if matches!(route.action, RouteAction::Challenge | RouteAction::AccessToken) {
        parameters.push(json!({
            "name": "Origin",
            "in": "header",
            "required": true,
            "description": "The page's origin, which the signature is for. Browsers send it by themselves.",
            "schema": { "type": "string" },
        }));
    }
    if route.action == RouteAction::SessionEvents {
        parameters.push(json!({
            "name": "Last-Event-ID",
            "in": "header",
            "required": false,
            "description": "The newest number that the client has.",
            "schema": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
        }));
        parameters.push(json!({
            "name": "sinceSeq",
            "in": "query",
            "required": false,
            "description": "The same, for a client that can't set headers.",
            "schema": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
        }));
    }
    parameters
}

fn path_parameter(route: &Route, name: &str, components: &mut Components) -> Value {
    let field = route.record().and_then(|record| record.fields.iter().find(|field| field.key == name));
    let schema = match name {
        "seq" => json!({ "type": "integer", "minimum": 1 }),
        "index" => json!({ "type": "integer", "minimum": 0 }),
        "format" => components.reference(ExportFormat::DEFINITION, Direction::Taken),
        _ => json!({ "type": "string", "minLength": 1 }),
    };
    let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema });
    if let Some(field) = field {
        describe(&mut parameter, field);
    }
    parameter
}

fn describe(parameter: &mut Value, field: &Field) {
    if !field.doc.is_empty() {
        parameter["description"] = paragraph(field.doc).into();
    }
}

fn body(route: &Route, components: &mut Components) -> Option<Value> {
    if route.method.has_query() {
        return None;
    }
    let request: Option<&'static Definition> = match route.action {
        RouteAction::Pair => Some(PairRequest::DEFINITION),
        RouteAction::Challenge => Some(ChallengeRequest::DEFINITION),
        RouteAction::AccessToken => Some(AccessTokenRequest::DEFINITION),
        RouteAction::Ticket => Some(TicketRequest::DEFINITION),
        _ => None,
    };
    if let Some(request) = request {
        let schema = components.reference(request, Direction::Taken);
        if route.action == RouteAction::Ticket {
            components.restrict(request.name(), "path", "pattern", ticket_path_pattern().into());
        }
        return Some(json_body(schema, true));
    }
    let record = route.record()?;
    let fields: Vec<&'static Field> = members(route).collect();
    if fields.is_empty() {
        return None;
    }
    let is_needed = fields.iter().any(|field| is_required(field, Direction::Taken));
    let condition = condition(record.name);
    let is_needed = is_needed || !condition.is_empty();
    let schema = components.add(&format!("{}Body", record.name), |components| {
        let mut schema = components.object(record.name, fields.iter().copied(), Direction::Taken);
        schema["description"] = paragraph(record.doc).into();
        for (keyword, value) in condition {
            schema[keyword] = value;
        }
        schema
    });
    Some(json_body(schema, is_needed))
}

fn json_body(schema: Value, required: bool) -> Value {
    json!({ "required": required, "content": { "application/json": { "schema": schema } } })
}

/// What a body needs that is not about one member, as `demand` checks it. Generators of clients ignore these keywords.
fn condition(record: &str) -> Map<String, Value> {
    let with = |name: &str, schema: Value| json!({ "required": [name], "properties": { name: schema } });
    let filled = |name: &str| with(name, json!({ "type": "array", "minItems": 1 }));
    let condition = match record {
        "SendInput" => json!({
            "if": { "properties": { "text": { "not": { "pattern": "\\S" } } } },
            "then": { "anyOf": [filled("images"), filled("blocks")] },
        }),
        "AnswerQuestion" => json!({
            "if": { "not": with("result", json!({ "type": "string" })) },
            "then": { "anyOf": [
                with("answers", json!({ "type": "object" })),
                with("content", json!({ "not": { "type": "null" } })),
            ] },
        }),
        _ => json!({}),
    };
    match condition {
        Value::Object(condition) => condition,
        _ => Map::new(),
    }
}
