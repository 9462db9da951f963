//! The OpenAPI document and the TypeScript types describe the same messages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aqueduct_bridge::message::ClientMessage;
use aqueduct_bridge::message::http::{ROUTES, RouteAction, openapi};
use aqueduct_wire::table::Definition;
use serde_json::Value;

/// What a TypeScript module declares.
#[derive(Default)]
struct Types {
    /// By the interface: its members, and whether each is optional.
    interfaces: BTreeMap<String, BTreeMap<String, bool>>,
    /// By the union: the discriminator's values, with the interface of each.
    unions: BTreeMap<String, BTreeMap<String, String>>,
    /// By the list of names: its values.
    names: BTreeMap<String, BTreeSet<String>>,
}

impl Types {
    fn read(&mut self, path: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let text = std::fs::read_to_string(path).unwrap();
        let mut name = String::new();
        for line in text.lines() {
            let trimmed = line.trim();
            if let Some(rest) = line.strip_prefix("export interface ") {
                name = rest.split_whitespace().next().unwrap().to_owned();
                self.interfaces.insert(name.clone(), BTreeMap::new());
            } else if let Some(rest) = line.strip_prefix("export type ") {
                name = rest.split_whitespace().next().unwrap().to_owned();
            } else if let Some(kind) = trimmed.strip_prefix("| ({ ") {
                let value = kind.split('"').nth(1).unwrap().to_owned();
                let record = kind.split("& ").nth(1).unwrap().trim_end_matches([')', ';']).to_owned();
                self.unions.entry(name.clone()).or_default().insert(value, record);
            } else if let Some(value) = trimmed.strip_prefix("| \"") {
                let value = value.split('"').next().unwrap().to_owned();
                self.names.entry(name.clone()).or_default().insert(value);
            } else if line.starts_with("  ") && !trimmed.starts_with(['/', '|', '*']) {
                let Some((key, _)) = trimmed.split_once(": ") else { continue };
                let members = self.interfaces.entry(name.clone()).or_default();
                members.insert(key.trim_end_matches('?').trim_matches('"').to_owned(), key.ends_with('?'));
            }
        }
    }

    fn new() -> Self {
        let mut types = Types::default();
        types.read("crates/aqueduct-wire/generated/stream-json.ts");
        types.read("crates/aqueduct-web/ui/src/generated/messages.ts");
        types
    }
}

fn last(reference: &Value) -> &str {
    reference.as_str().unwrap().rsplit('/').next().unwrap()
}

/// An object's members, and whether each is optional; without the discriminator.
fn members(schema: &Value) -> BTreeMap<String, bool> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().unwrap();
    let is_tag = |member: &Value| member.get("const").is_some();
    let members = properties.iter().filter(|(_, member)| !is_tag(member));
    members.map(|(key, _)| (key.clone(), !required.contains(&key.as_str().into()))).collect()
}

#[test]
fn both_have_the_same_types_and_members() {
    let (document, types) = (openapi(), Types::new());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut compared = 0;
    // The interface of a schema: the one that a union maps to, or the one of its name.
    let mut interfaces: BTreeMap<&str, String> = BTreeMap::new();
    for (name, schema) in schemas.iter().filter(|(_, schema)| schema.get("oneOf").is_some()) {
        let plain = name.strip_suffix("Param").unwrap_or(name);
        let mapping = schema["discriminator"]["mapping"].as_object().unwrap();
        let union = types.unions.get(plain).unwrap_or_else(|| panic!("{plain} is no union in TypeScript"));
        assert_eq!(mapping.keys().collect::<Vec<_>>(), union.keys().collect::<Vec<_>>(), "{name}");
        for (value, reference) in mapping {
            interfaces.insert(last(reference), union[value].clone());
        }
        compared += 1;
    }
    for (name, schema) in schemas {
        if name.starts_with("Unknown") || name == "FromAgent" || name.ends_with("Body") {
            continue;
        }
        let plain = name.strip_suffix("Param").unwrap_or(name);
        if schema["type"] == "object" {
            let own = interfaces.get(name.as_str()).map_or(plain, String::as_str);
            let interface =
                types.interfaces.get(own).unwrap_or_else(|| panic!("{own} is no interface in TypeScript"));
            assert_eq!(members(schema), *interface, "{name}");
            compared += 1;
        }
        let values = schema.get("x-extensible-enum").or(schema.get("enum"));
        if let Some(values) = values {
            let values: BTreeSet<String> =
                values.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect();
            let names = types.names.get(plain).unwrap_or_else(|| panic!("{plain} is no list in TypeScript"));
            assert_eq!(values, *names, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 150, "only {compared} types were compared");
}

/// A body has the members of the message that are not in the path.
#[test]
fn bodies_and_parameters_have_the_members_of_their_messages() {
    let (document, types) = (openapi(), Types::new());
    let Definition::Union(union) = ClientMessage::DEFINITION else { panic!() };
    for route in ROUTES {
        let RouteAction::Message(kind) = route.action else { continue };
        let variant = union.variants.iter().find(|variant| variant.tag == kind).unwrap();
        let name = (variant.definition)().name();
        let mut expected = types.interfaces[name].clone();
        expected.retain(|key, _| key != "requestId" && !route.path_members().any(|member| member == key));
        let operation =
            &document["paths"][format!("/api/v1{}", route.path)][route.method.as_str().to_lowercase()];
        let found: BTreeMap<String, bool> = match route.method.has_query() {
            true => {
                let parameters = operation["parameters"].as_array().unwrap().iter();
                let query = parameters.filter(|parameter| parameter["in"] == "query");
                query
                    .map(|one| (one["name"].as_str().unwrap().to_owned(), one["required"] == false))
                    .collect()
            }
            false if operation.get("requestBody").is_none() => BTreeMap::new(),
            false => members(&document["components"]["schemas"][format!("{name}Body")]),
        };
        assert_eq!(found, expected, "{kind}");
    }
}
