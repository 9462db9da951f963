use proptest::prelude::*;
use serde_json::json;

use super::*;

#[track_caller]
fn faults(schema: Value, value: Value) -> String {
    Schema::new(schema).expect("a schema").faults(&value).join(", ")
}

#[test]
fn faults_are_reported_with_their_places() {
    let schema = json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer", "minimum": 1 },
            "kind": { "enum": ["a", "b"] },
            "list": { "type": "array", "items": { "$ref": "#/$defs/item" }, "maxItems": 2 },
        },
        "required": ["n"],
        "additionalProperties": false,
        "$defs": { "item": { "type": ["string", "null"], "maxLength": 3 } },
    });
    let reported = |value: Value| faults(schema.clone(), value);
    assert_eq!(reported(json!({ "n": 1, "kind": "b", "list": ["x", null] })), "");
    assert_eq!(reported(json!({ "n": 2.0 })), "");
    assert_eq!(reported(json!({})), "root: must have required property 'n'");
    assert_eq!(
        reported(json!({ "n": "x", "z": 1 })),
        "/n: must be integer, root: must NOT have additional properties ('z' is not allowed)"
    );
    assert_eq!(
        reported(json!({ "n": 0, "kind": "c" })),
        "/kind: must be one of \"a\", \"b\", /n: must be >= 1"
    );
    assert_eq!(
        reported(json!({ "n": 1, "list": ["long", 1, "x"] })),
        "/list/0: must NOT have more than 3 characters, /list/1: must be string or null, /list: must NOT have more than 2 items"
    );
    assert_eq!(reported(json!([])), "root: must be object");
}

#[test]
fn schemas_are_combined() {
    let any = json!({ "anyOf": [{ "type": "string" }, { "type": "object", "required": ["a"] }] });
    assert_eq!(faults(any.clone(), json!("x")), "");
    assert!(faults(any, json!({})).contains("anyOf"));
    let one = json!({ "oneOf": [{ "multipleOf": 2 }, { "multipleOf": 3 }] });
    assert_eq!(faults(one.clone(), json!(4)), "");
    assert!(faults(one, json!(6)).contains("oneOf"));
    assert!(!faults(json!({ "not": { "const": 1 } }), json!(1.0)).is_empty());
    let when = json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] }, "else": false });
    assert_eq!(faults(when.clone(), json!({ "a": 1, "b": 1 })), "");
    assert!(!faults(when.clone(), json!({ "a": 1 })).is_empty() && !faults(when, json!({})).is_empty());
    let tuple = json!({ "prefixItems": [{ "type": "string" }], "items": false, "uniqueItems": true });
    assert_eq!(faults(tuple.clone(), json!(["x"])), "");
    assert!(!faults(tuple, json!(["x", 1])).is_empty());
    let named = json!({ "patternProperties": { "^x": { "type": "string" } }, "additionalProperties": { "type": "null" } });
    assert_eq!(faults(named.clone(), json!({ "x1": "a", "y": null })), "");
    assert!(!faults(named, json!({ "x1": 1 })).is_empty());
}

#[test]
fn what_makes_no_sense_is_refused_at_once() {
    for (schema, wrong) in [
        (json!({ "type": "nonsense" }), "root: type must be"),
        (json!({ "properties": { "a": 1 } }), "/properties/a: a schema must be"),
        (json!({ "$ref": "#/$defs/none" }), "root: $ref must lead"),
        (json!({ "$ref": "https://example.org/x" }), "root: $ref must lead"),
        (json!({ "anyOf": [] }), "root: anyOf must be"),
        (json!({ "pattern": "(" }), "root: pattern must be"),
        (json!({ "required": "a" }), "root: required must be"),
        (json!(1), "root: a schema must be"),
    ] {
        let error = Schema::new(schema).expect_err("no schema");
        assert!(error.to_string().starts_with(wrong), "{error}");
    }
}

#[test]
fn patterns_may_look_around() {
    let password = json!({ "pattern": "^(?=.*\\d)(?!.*\\s).{4,}$" });
    assert_eq!(faults(password.clone(), json!("ab1c")), "");
    assert!(faults(password.clone(), json!("abcd")).contains("must match pattern"));
    assert!(!faults(password, json!("a 1c")).is_empty());
    let names = json!({ "patternProperties": { "^(?!_)": { "type": "string" } } });
    assert_eq!(faults(names.clone(), json!({ "_a": 1, "a": "x" })), "");
    assert_eq!(faults(names, json!({ "a": 1 })), "/a: must be string");
}

#[test]
fn a_hostile_schema_comes_to_an_end() {
    let hostile = json!({ "items": { "pattern": "^(a|aa)+\\1c$" } });
    let text = "a".repeat(60);
    let started = std::time::Instant::now();
    let reported = faults(hostile, json!(vec![text; 1000]));
    assert!(reported.contains("takes too long to compare"), "{reported}");
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn what_is_not_supported_is_named() {
    let fault = |schema: Value| Schema::new(schema).expect_err("no schema").to_string();
    assert_eq!(
        fault(json!({ "not": { "$dynamicRef": "#a" } })),
        "/not: $dynamicRef is not supported: refer to parts of the schema with $ref, such as #/$defs/name"
    );
    assert!(fault(json!({ "$defs": { "a": { "$id": "b.json" } } })).contains("$id inside a schema"));
    assert!(fault(json!({ "patternProperties": { "(": {} } })).contains("regular expression"));
    let anchored = json!({ "$ref": "#a", "$defs": { "x": { "$anchor": "a", "type": "string" } } });
    assert_eq!(faults(anchored, json!(1)), "root: must be string");
}

#[test]
fn members_that_no_part_looked_at_are_found() {
    let schema = json!({
        "allOf": [{ "properties": { "a": true } }],
        "anyOf": [{ "properties": { "b": { "type": "string" } }, "required": ["b"] }, true],
        "unevaluatedProperties": false,
    });
    assert_eq!(faults(schema.clone(), json!({ "a": 1, "b": "x" })), "");
    assert!(faults(schema, json!({ "a": 1, "b": 2 })).contains("unevaluated properties ('b')"));
    let names = json!({ "propertyNames": { "maxLength": 1 }, "dependentRequired": { "a": ["b"] } });
    assert_eq!(faults(names.clone(), json!({ "a": 1, "b": 1 })), "");
    assert!(faults(names.clone(), json!({ "a": 1 })).contains("required property 'b'"));
    assert!(faults(names, json!({ "long": 1 })).contains("more than 1 characters"));
}

#[test]
fn a_reference_to_itself_comes_to_an_end() {
    let list =
        json!({ "type": "object", "properties": { "next": { "$ref": "#" } }, "additionalProperties": false });
    assert_eq!(faults(list.clone(), json!({ "next": { "next": {} } })), "");
    assert!(faults(list, json!({ "next": { "other": 1 } })).starts_with("/next: must NOT"));
    assert!(faults(json!({ "$ref": "#" }), json!(1)).contains("nested too deeply"));
    let tree = json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }, { "$ref": "#" }] });
    assert!(faults(tree, json!(1)).contains("anyOf"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z$]{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["object", "array", "string"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let key = prop::sample::select(vec![
            "type",
            "items",
            "properties",
            "anyOf",
            "not",
            "enum",
            "required",
            "a",
            "$ref",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_schema_and_any_value_get_an_answer(schema in any_json(), value in any_json()) {
        if let Ok(schema) = Schema::new(schema) {
            prop_assert!(schema.faults(&value).len() <= MAX_FAULTS);
        }
    }
}
