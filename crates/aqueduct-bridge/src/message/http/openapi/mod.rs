//! The OpenAPI document.
//!
//! | file | contents |
//! |---|---|
//! | `components.rs` | schemas of the types that the tables define |
//! | `reach.rs` | which types the bridge sends and which it takes, and how they are used |
//! | `operation.rs` | operations with their parameters and bodies |
//! | `response.rs` | responses, errors by status |
//! | `link.rs` | where the values of parameters come from |
//!
//! Generators of clients read the document, so it has what they understand: no boolean schemas, a name for every kind of a
//! union, a discriminator with a mapping. Lists of names and kinds grow, so what the bridge sends is open: names are strings
//! with their known values in `x-extensible-enum`, and a union has a kind for what is unknown. What the bridge takes is
//! closed, since it refuses what it does not know.

mod components;
mod link;
mod operation;
mod reach;
mod response;

use serde_json::{Map, Value, json};

use self::components::Components;
use super::{PREFIX, ROUTES, TAGS};
use crate::message::PROTOCOL;

/// The HTTP API as an OpenAPI document.
pub fn openapi() -> Value {
    let mut components = Components::new();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let operation = operation::operation(route, &mut components);
        let path = paths.entry(format!("{PREFIX}{}", route.path)).or_insert_with(|| json!({}));
        if let Value::Object(path) = path {
            path.insert(route.method.as_str().to_lowercase(), operation);
        }
    }
    let tags: Vec<Value> =
        TAGS.iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
    let responses = response::errors(&mut components);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Aqueduct bridge",
            "version": PROTOCOL.to_string(),
            "description": "Sessions of coding agents over HTTP. Every answer is a message of the WebSocket API; \
                            docs/bridge-api.md describes each.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }],
        "tags": tags,
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "A token of a device or a program." },
                "ticket": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "ticket",
                    "description": "A ticket for this path, from `request_ticket`.",
                },
            },
            "responses": responses,
            "schemas": components.into_schemas(),
        },
        "paths": paths,
    })
}

/// A doc comment as one paragraph.
fn paragraph(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
