//! What generators of clients need of the OpenAPI document.

use std::collections::BTreeSet;

use aqueduct_bridge::message::http::{PREFIX, ROUTES, RouteAccess, RouteAction, TAGS, openapi};
use aqueduct_bridge::message::{CONSTRAINTS, ClientMessage, ERROR_CODES};
use aqueduct_wire::table::Definition;
use serde_json::{Value, json};

/// Members of a schema that hold one schema, and those that hold several by name or in a list.
const ONE: &[&str] = &["additionalProperties", "items", "not", "if", "then", "schema"];
const LISTS: &[&str] = &["oneOf", "anyOf", "allOf"];

/// Visits every schema of the document with its place.
fn visit_schemas(value: &Value, place: &str, visit: &mut dyn FnMut(&Value, &str)) {
    let Value::Object(members) = value else {
        if let Value::Array(items) = value {
            items.iter().for_each(|item| visit_schemas(item, place, visit));
        }
        return;
    };
    for (name, member) in members {
        let place = format!("{place}/{name}");
        if ONE.contains(&name.as_str()) {
            visit(member, &place);
        }
        let several: Vec<&Value> = match member {
            Value::Array(items) if LISTS.contains(&name.as_str()) => items.iter().collect(),
            Value::Object(members) if matches!(name.as_str(), "properties" | "schemas") => {
                members.values().collect()
            }
            _ => Vec::new(),
        };
        several.into_iter().for_each(|schema| visit(schema, &place));
        visit_schemas(member, &place, visit);
    }
}

/// Every operation, with its route.
fn operations(document: &Value) -> Vec<(&'static aqueduct_bridge::message::http::Route, &Value)> {
    let operation = |route: &aqueduct_bridge::message::http::Route| {
        &document["paths"][format!("{PREFIX}{}", route.path)][route.method.as_str().to_lowercase()]
    };
    ROUTES.iter().map(|route| (route, operation(route))).collect()
}

#[test]
fn no_schema_is_a_boolean() {
    let document = openapi();
    let mut count = 0;
    visit_schemas(&document, "", &mut |schema, place| {
        count += 1;
        assert!(schema.is_object(), "{place} is {schema}");
    });
    assert!(count > 1000, "only {count} schemas were found");
}

#[test]
fn every_union_has_named_kinds_and_a_discriminator() {
    let document = openapi();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut unions = 0;
    visit_schemas(&document, "", &mut |schema, place| {
        if let Some(kinds) = schema["oneOf"].as_array() {
            unions += 1;
            let tag = schema["discriminator"]["propertyName"].as_str().unwrap_or_else(|| panic!("{place}"));
            let mapping = schema["discriminator"]["mapping"].as_object().unwrap();
            for (value, reference) in mapping {
                assert!(kinds.contains(&json!({ "$ref": reference })), "{place}: {value}");
                let name = reference.as_str().unwrap().rsplit('/').next().unwrap();
                assert_eq!(schemas[name]["properties"][tag]["const"], *value, "{name}");
                assert!(schemas[name]["required"].as_array().unwrap().contains(&json!(tag)), "{name}");
            }
            for kind in kinds {
                let name =
                    kind["$ref"].as_str().unwrap_or_else(|| panic!("{place} has a kind without a name"));
                let name = name.rsplit('/').next().unwrap();
                let is_mapped = mapping.values().any(|reference| kind["$ref"] == *reference);
                assert!(is_mapped || name.starts_with("Unknown"), "{place}: {name}");
            }
        }
    });
    assert!(unions >= 5, "{unions}");
    let refused = &document["paths"]["/api/v1/sessions/{sessionId}/inputs"]["post"]["responses"]["404"];
    let mapping = &refused["content"]["application/json"]["schema"]["discriminator"]["mapping"];
    assert_eq!(mapping["input_rejected"], "#/components/schemas/InputRejected");
}

#[test]
fn sent_names_are_open_and_taken_names_are_not() {
    let document = openapi();
    let schemas = &document["components"]["schemas"];
    let sent = &schemas["AccessScope"];
    assert_eq!((&sent["type"], &sent["enum"]), (&json!("string"), &Value::Null));
    assert_eq!(sent["x-extensible-enum"], json!(["watch", "decide", "operate", "admin"]));
    assert!(sent["description"].as_str().unwrap().contains("- `decide`: Also answer open questions"));
    assert_eq!(schemas["AccessScopeParam"]["enum"], json!(["watch", "decide", "operate", "admin"]));
    assert_eq!(schemas["PermissionMode"]["enum"], Value::Null, "agents add modes");
    let export = &document["paths"]["/api/v1/sessions/{sessionId}/export/{format}"]["get"]["parameters"][1];
    assert_eq!(export["schema"]["$ref"], "#/components/schemas/ExportFormatParam");
}

#[test]
fn members_that_are_always_sent_are_required() {
    let document = openapi();
    let schemas = &document["components"]["schemas"];
    let required = |name: &str| -> BTreeSet<&str> {
        schemas[name]["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
    };
    let result = required("TurnResult");
    assert!(
        ["type", "subtype", "isError", "sessionId", "seq", "time"].iter().all(|key| result.contains(key))
    );
    assert!(!required("PermissionRequest").contains("seq"), "a snapshot has none");
    assert_eq!(schemas["Done"]["properties"]["sessionId"]["type"], "string", "absent, and not null");
    assert_eq!(schemas["StartBody"]["properties"]["title"]["type"], json!(["string", "null"]));
}

#[test]
fn streams_have_the_schema_of_their_messages() {
    let document = openapi();
    let mut streams = 0;
    for (route, operation) in operations(&document) {
        if matches!(route.action, RouteAction::Events | RouteAction::SessionEvents) {
            let content = &operation["responses"]["200"]["content"]["text/event-stream"];
            assert_eq!(content["schema"]["$ref"], "#/components/schemas/BridgeMessage", "{}", route.path);
            streams += 1;
        }
    }
    assert_eq!(streams, 2);
}

#[test]
fn operations_have_tags_and_the_errors_that_credentials_get() {
    let document = openapi();
    let tags: Vec<&str> = TAGS.iter().map(|tag| tag.0).collect();
    let listed = document["tags"].as_array().unwrap();
    assert_eq!(listed.iter().map(|tag| tag["name"].as_str().unwrap()).collect::<Vec<_>>(), tags);
    assert!(listed.iter().all(|tag| !tag["description"].as_str().unwrap().is_empty()));
    for (route, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        assert_eq!(operation["tags"], json!([route.tag]), "{id}");
        let has = |status: &str| operation["responses"].get(status).is_some();
        assert!(has("400") && has("403") && has("default"), "{id}");
        assert_eq!(has("401"), has("429"), "{id}");
        match route.access() {
            RouteAccess::Public => assert_eq!(operation["security"], json!([]), "{id}"),
            RouteAccess::Scope(_) => assert!(has("401"), "{id}"),
        }
        assert_eq!(operation.get("requestBody").is_some() || !route.method.has_query(), has("413"), "{id}");
    }
    let document_route = &document["paths"]["/api/v1/openapi.json"]["get"];
    assert_eq!(document_route["security"], json!([]));
    let limited = &document["components"]["responses"]["TooManyRequests"];
    assert!(limited["headers"]["Retry-After"].is_object());
}

/// Every code is described where its status is.
#[test]
fn every_error_code_is_described() {
    let document = openapi();
    let responses = document["components"]["responses"].as_object().unwrap();
    let all: String = responses.values().map(|response| response["description"].as_str().unwrap()).collect();
    for (code, _, _) in ERROR_CODES {
        assert!(all.contains(&format!("- `{code}`")), "{code}");
    }
}

#[test]
fn links_lead_to_operations_with_their_parameters() {
    let document = openapi();
    let operations = operations(&document);
    let mut links = 0;
    for (_, operation) in &operations {
        let own = operation["responses"]["200"]["links"].as_object();
        for (name, link) in own.into_iter().flatten() {
            links += 1;
            let (target, _) = operations
                .iter()
                .find(|(_, other)| other["operationId"] == link["operationId"])
                .unwrap_or_else(|| panic!("{name} leads nowhere"));
            let given: BTreeSet<&str> =
                link["parameters"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(given, target.path_members().collect::<BTreeSet<_>>(), "{name}");
        }
    }
    assert!(links > 20, "{links}");
    let started = &document["paths"]["/api/v1/sessions"]["post"]["responses"]["200"]["links"];
    assert_eq!(started["input"]["parameters"]["sessionId"], "$response.body#/sessionId");
}

/// A constraint is stated, and what does not meet it is refused.
#[test]
fn constraints_are_stated_and_enforced() {
    let document = openapi();
    let Definition::Union(union) = ClientMessage::DEFINITION else { panic!() };
    for (record, member, constraint) in CONSTRAINTS {
        let variant = union.variants.iter().find(|variant| (variant.definition)().name() == *record).unwrap();
        let route = ROUTES
            .iter()
            .find(|route| route.action == RouteAction::Message(variant.tag))
            .unwrap_or_else(|| panic!("{record} has no route"));
        let operation =
            &document["paths"][format!("{PREFIX}{}", route.path)][route.method.as_str().to_lowercase()];
        let in_query = || {
            let parameters = operation["parameters"].as_array().unwrap();
            parameters.iter().find(|parameter| parameter["name"] == *member).map(|found| &found["schema"])
        };
        let body = &document["components"]["schemas"][format!("{record}Body")]["properties"][*member];
        let schema = in_query().unwrap_or(body).to_string();
        let (keyword, value) = constraint.keyword();
        assert!(schema.contains(&format!("\"{keyword}\":{value}")), "{record}.{member}: {schema}");

        let mut message = json!({
            "type": variant.tag, "sessionId": "6f1c0b9e-4a52-4d8e-9a4e-0f6a3c1d2b3a", "projectPath": "/proj",
            "id": "p-1", "deviceId": "d-1", "name": "Phone",
        });
        assert!(ClientMessage::parse(&message.to_string()).is_ok(), "{message}");
        message[*member] = if *member == "budgetUsd" { json!(0) } else { json!(" ") };
        let refusal = ClientMessage::parse(&message.to_string()).unwrap_err();
        assert_eq!((refusal.code.as_str(), refusal.member.as_deref()), ("invalid_message", Some(*member)));
        assert!(!refusal.message.is_empty());
    }
}

#[test]
fn numbers_have_their_least_value() {
    let document = openapi();
    let history = &document["paths"]["/api/v1/sessions/{sessionId}/messages"]["get"]["parameters"];
    let limit = history.as_array().unwrap().iter().find(|parameter| parameter["name"] == "limit").unwrap();
    assert_eq!((&limit["schema"]["type"], &limit["schema"]["minimum"]), (&json!("integer"), &json!(0)));
    let image = &document["paths"]["/api/v1/sessions/{sessionId}/messages/{seq}/images/{index}"]["get"];
    assert_eq!(image["parameters"][1]["schema"]["minimum"], 1);
}
