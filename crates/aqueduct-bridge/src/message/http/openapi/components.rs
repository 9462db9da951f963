use aqueduct_wire::table::{Definition, Field, Names, Presence, Record, Shape, Union, Variant};
use serde_json::{Map, Value, json};

use super::paragraph;
use super::reach::{Direction, Reach, is_certain, is_opaque, takes_others};
use crate::message::Constraint;

const SCHEMAS: &str = "#/components/schemas/";

/// The schemas that the document refers to, made as they are referred to.
pub(super) struct Components {
    reach: Reach,
    schemas: Map<String, Value>,
}

impl Components {
    pub(super) fn new() -> Self {
        Components { reach: Reach::new(), schemas: Map::new() }
    }

    pub(super) fn into_schemas(self) -> Map<String, Value> {
        self.schemas
    }

    /// A reference to a type's schema.
    pub(super) fn reference(&mut self, definition: &'static Definition, direction: Direction) -> Value {
        let name = self.reach.name(definition, direction);
        self.add(&name, |components| match definition {
            _ if is_opaque(definition) => {
                json!({ "type": "object", "description": "A frame of the agent, as it came.", "additionalProperties": {} })
            }
            Definition::Record(record) => {
                let kind = components.reach.only_kind(record.name);
                components.record(record, kind, direction)
            }
            Definition::Union(union) => components.union(definition, union, direction),
            Definition::Names(names) => names_schema(names, direction),
            _ => json!({}),
        })
    }

    /// A reference to the schema of a kind of a union: the record's members and the discriminator.
    pub(super) fn kind(
        &mut self,
        definition: &'static Definition,
        union: &'static Union,
        variant: &'static Variant,
        direction: Direction,
    ) -> Value {
        let name = self.reach.kind_name(definition, variant, direction);
        self.add(&name, |components| match (variant.definition)() {
            Definition::Record(record) => components.record(record, Some((union, variant)), direction),
            inner => components.reference(inner, direction),
        })
    }

    /// A reference to a schema of this name, which is made if it is new.
    pub(super) fn add(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.schemas.contains_key(name) {
            // A type may refer to itself.
            self.schemas.insert(name.to_owned(), Value::Null);
            let schema = make(self);
            self.schemas.insert(name.to_owned(), schema);
        }
        json!({ "$ref": format!("{SCHEMAS}{name}") })
    }

    /// Adds a keyword to a member of an object.
    pub(super) fn restrict(&mut self, name: &str, member: &str, keyword: &str, value: Value) {
        if let Some(schema) = self.schemas.get_mut(name) {
            schema["properties"][member][keyword] = value;
        }
    }

    fn record(
        &mut self,
        record: &'static Record,
        kind: Option<(&'static Union, &'static Variant)>,
        direction: Direction,
    ) -> Value {
        let mut object = self.object(record.name, record.fields.iter(), direction);
        if let Value::Object(members) = &mut object {
            members.insert("description".into(), paragraph(record.doc).into());
        }
        if let Some((union, variant)) = kind {
            object["properties"][union.tag] = json!({ "type": "string", "const": variant.tag });
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.insert(0, union.tag.into());
            }
        }
        object
    }

    /// An object with some members of a record.
    pub(super) fn object(
        &mut self,
        record: &str,
        fields: impl Iterator<Item = &'static Field>,
        direction: Direction,
    ) -> Value {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for field in fields {
            if is_required(field, direction) {
                required.push(field.key);
            }
            properties.insert(field.key.to_owned(), self.member(record, field, direction));
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// A member of a record, with its description.
    fn member(&mut self, record: &str, field: &'static Field, direction: Direction) -> Value {
        let mut schema = self.value(record, field, direction);
        if is_nullable(field, direction) {
            schema = nullable(schema);
        }
        if let (Value::Object(schema), false) = (&mut schema, field.doc.is_empty()) {
            schema.insert("description".into(), paragraph(field.doc).into());
        }
        schema
    }

    /// The value of a member of a record.
    pub(super) fn value(&mut self, record: &str, field: &'static Field, direction: Direction) -> Value {
        let constraint = Constraint::of(record, field.key).filter(|_| direction == Direction::Taken);
        match constraint {
            Some(Constraint::OneOf(names)) => json!({ "type": "string", "enum": names }),
            Some(constraint) => {
                let mut schema = self.shape(&(field.shape)(), direction);
                let (keyword, value) = constraint.keyword();
                schema[keyword] = value;
                schema
            }
            None => self.shape(&(field.shape)(), direction),
        }
    }

    fn shape(&mut self, shape: &Shape, direction: Direction) -> Value {
        match shape {
            Shape::Text => json!({ "type": "string" }),
            Shape::Number => json!({ "type": "number" }),
            Shape::Whole if direction == Direction::Taken => {
                json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX })
            }
            Shape::Whole => json!({ "type": "integer", "minimum": 0 }),
            Shape::Bool => json!({ "type": "boolean" }),
            Shape::List(item) => json!({ "type": "array", "items": self.shape(item, direction) }),
            Shape::Map(item) => {
                json!({ "type": "object", "additionalProperties": self.shape(item, direction) })
            }
            Shape::Either(shapes) => {
                let shapes: Vec<Value> = shapes.iter().map(|shape| self.shape(shape, direction)).collect();
                json!({ "anyOf": shapes })
            }
            Shape::Defined(definition) => self.reference(definition, direction),
            _ => json!({}),
        }
    }

    /// The known kinds, and for what is sent an object of a kind that is unknown.
    fn union(
        &mut self,
        definition: &'static Definition,
        union: &'static Union,
        direction: Direction,
    ) -> Value {
        let mut kinds = Vec::new();
        let mut mapping = Map::new();
        for variant in union.variants {
            let reference = self.kind(definition, union, variant, direction);
            mapping.insert(variant.tag.to_owned(), reference["$ref"].clone());
            kinds.push(reference);
        }
        if direction == Direction::Sent {
            let known: Vec<&str> = union.variants.iter().map(|variant| variant.tag).collect();
            kinds.push(self.add(&format!("Unknown{}", union.name), |_| {
                json!({
                    "description": "A kind that this version of the document does not know. Ignore it, or show it as it is.",
                    "type": "object",
                    "properties": { union.tag: { "type": "string", "not": { "enum": known } } },
                    "required": [union.tag],
                })
            }));
        }
        json!({
            "description": paragraph(union.doc),
            "oneOf": kinds,
            "discriminator": { "propertyName": union.tag, "mapping": mapping },
        })
    }
}

/// Names that are sent are strings, to which later versions add; those that are taken are an enum.
fn names_schema(names: &Names, direction: Direction) -> Value {
    let is_open = direction == Direction::Sent || takes_others(names.name);
    let known = if is_open { "Known values, to which later versions add:" } else { "Values:" };
    let mut description = format!("{}\n\n{known}\n", paragraph(names.doc));
    for (value, doc) in names.values.iter().zip(names.docs) {
        description.push_str(&format!("\n- `{value}`"));
        if !doc.is_empty() {
            description.push_str(&format!(": {}", paragraph(doc)));
        }
    }
    let list = if is_open { "x-extensible-enum" } else { "enum" };
    json!({ "type": "string", "description": description, list: names.values })
}

/// Whether an object has the member in any case.
pub(super) fn is_required(field: &Field, direction: Direction) -> bool {
    match field.presence {
        Presence::Essential => true,
        Presence::Always => direction == Direction::Sent && is_certain(field.since),
        _ => false,
    }
}

/// Whether `null` is a value of the member. A request may have it in place of every member that can be absent.
fn is_nullable(field: &Field, direction: Direction) -> bool {
    let is_exact = matches!(field.presence, Presence::Always | Presence::Optional) && is_certain(field.since);
    field.presence != Presence::Essential && !(direction == Direction::Sent && is_exact)
}

/// A schema that also takes `null`.
fn nullable(schema: Value) -> Value {
    let Value::Object(mut members) = schema else { return schema };
    match members.get("type") {
        _ if members.is_empty() => Value::Object(members),
        Some(Value::String(kind)) if !members.contains_key("enum") => {
            members.insert("type".into(), json!([kind, "null"]));
            Value::Object(members)
        }
        _ => json!({ "anyOf": [members, { "type": "null" }] }),
    }
}
