//! Python types of both directions, for the package `aqueduct-client`: a `TypedDict` for each record, with the
//! discriminators of the union that it is a kind of.

use std::collections::BTreeMap;

use aqueduct_bridge::message::http::BODIES;
use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use aqueduct_wire::table::{Definition, Field, Names, Presence, Record, Shape, Union};

use super::definitions;

/// The discriminators that a record has as a kind of a union, and their values.
type Tags = Vec<(&'static str, &'static str)>;

/// The package that the module is in.
pub(crate) const PACKAGE: &str = "\"\"\"Modules that `cargo xtask gen` makes. Do not edit.\"\"\"\n";

/// The module.
pub(crate) fn module() -> String {
    let all = definitions::all();
    let classes = Classes::of(&all);
    let wire = definitions::wire();
    let mut out = String::from(
        "# Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.\n\
         \"\"\"What the bridge and its clients say to each other.\n\n\
         Messages are dictionaries, as they are on the wire. The bridge adds kinds, members and names as it grows:\n\
         pass over what you don't know.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n",
    );
    for definition in &all {
        if let Definition::Names(names) = definition {
            out.push_str(&names_alias(names));
        }
    }
    for definition in &all {
        if let Definition::Record(record) = definition {
            let certain = !wire.contains(&record.name);
            for class in classes.made_of(record.name) {
                out.push_str(&class_definition(class, record, certain));
            }
        }
    }
    for definition in &all {
        if let Definition::Union(union) = definition {
            out.push_str(&union_alias(union, &classes));
        }
    }
    out.push_str("\nDELIVERY: dict[str, Literal[\"stored\", \"live\", \"notice\", \"reply\"]] = {\n");
    for (kind, delivery) in BridgeMessage::DELIVERIES {
        out.push_str(&format!("    \"{kind}\": \"{}\",\n", delivery.as_str()));
    }
    out.push_str("}\n\"\"\"How each kind of message of the bridge is delivered.\"\"\"\n");
    out
}

/// A class: its name, and the discriminators that it has besides the members of its record.
struct Class {
    name: String,
    tags: Tags,
}

/// The classes of all records, and those that each union consists of.
#[derive(Default)]
struct Classes {
    records: BTreeMap<&'static str, Vec<Class>>,
    unions: BTreeMap<&'static str, Vec<String>>,
}

impl Classes {
    fn of(all: &[&'static Definition]) -> Self {
        let referred = referred(all);
        let is_referred = |name: &str| referred.contains(&name);
        // The kinds of each union that a member or the API itself refers to, with their discriminators. A union that is
        // only a kind of another one has the discriminators of both.
        let mut kinds: Vec<(&'static str, &'static Record, Tags)> = Vec::new();
        let mut unions: BTreeMap<&'static str, Vec<(&'static str, Tags)>> = BTreeMap::new();
        for definition in all {
            if let Definition::Union(union) = definition
                && is_referred(union.name)
            {
                collect(union, &Vec::new(), &mut kinds, &mut unions);
            }
        }
        let mut classes = Self::default();
        for definition in all {
            let Definition::Record(record) = definition else { continue };
            let own: Vec<_> = kinds.iter().filter(|(_, kind, _)| kind.name == record.name).collect();
            let made = classes.records.entry(record.name).or_default();
            if is_referred(record.name) || own.is_empty() {
                made.push(Class { name: record.name.to_owned(), tags: Vec::new() });
            }
            for (union, _, tags) in own {
                if made.iter().any(|class| class.tags == *tags) {
                    continue;
                }
                let value = tags.last().map_or("", |(_, value)| value);
                let names = [record.name.to_owned(), format!("{}{union}", record.name)];
                let last = format!("{}{union}{}", record.name, pascal(value));
                let mut names = names.into_iter().chain([last.clone()]);
                let free = |name: &String| !made.iter().any(|class| class.name == *name);
                made.push(Class { name: names.find(free).unwrap_or(last), tags: tags.clone() });
            }
        }
        for (union, kinds) in unions {
            let named = kinds.iter().filter_map(|(record, tags)| classes.name_of(record, tags)).collect();
            classes.unions.insert(union, named);
        }
        classes
    }

    fn made_of(&self, record: &str) -> &[Class] {
        self.records.get(record).map_or(&[], Vec::as_slice)
    }

    fn name_of(&self, record: &str, tags: &Tags) -> Option<String> {
        self.made_of(record).iter().find(|class| class.tags == *tags).map(|class| class.name.clone())
    }
}

/// Adds the kinds of a union, and of the unions among its kinds.
fn collect(
    union: &'static Union,
    outer: &Tags,
    kinds: &mut Vec<(&'static str, &'static Record, Tags)>,
    unions: &mut BTreeMap<&'static str, Vec<(&'static str, Tags)>>,
) -> Vec<(&'static str, Tags)> {
    let mut own = Vec::new();
    for variant in union.variants {
        let mut tags = outer.clone();
        tags.push((union.tag, variant.tag));
        match (variant.definition)() {
            Definition::Record(record) => {
                kinds.push((union.name, record, tags.clone()));
                own.push((record.name, tags));
            }
            Definition::Union(inner) => own.extend(collect(inner, &tags, kinds, unions)),
            _ => {}
        }
    }
    unions.entry(union.name).or_insert_with(|| own.clone());
    own
}

/// The names of the definitions that something refers to as they are, and not only as a kind of a union.
fn referred(all: &[&'static Definition]) -> Vec<&'static str> {
    let mut names = vec![ClientMessage::DEFINITION.name(), BridgeMessage::DEFINITION.name()];
    names.extend(BODIES.iter().map(|body| body.name()));
    for definition in all {
        if let Definition::Record(record) = definition {
            record.fields.iter().for_each(|field| refer(&(field.shape)(), &mut names));
        }
    }
    names
}

fn refer(shape: &Shape, names: &mut Vec<&'static str>) {
    match shape {
        Shape::List(item) | Shape::Map(item) => refer(item, names),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| refer(shape, names)),
        Shape::Defined(definition) => names.push(definition.name()),
        _ => {}
    }
}

fn names_alias(names: &Names) -> String {
    let values: Vec<String> = names.values.iter().map(|value| format!("\"{value}\"")).collect();
    let known = format!("Literal[\n    {},\n]", values.join(",\n    "));
    format!("\n{}: TypeAlias = {known} | str\n{}", names.name, doc("", names.doc))
}

fn union_alias(union: &Union, classes: &Classes) -> String {
    let kinds = classes.unions.get(union.name).map_or(&[][..], Vec::as_slice);
    let mut kinds = kinds.to_vec();
    kinds.dedup();
    format!("\n{}: TypeAlias = (\n    {}\n)\n{}", union.name, kinds.join("\n    | "), doc("", union.doc))
}

fn class_definition(class: &Class, record: &Record, certain: bool) -> String {
    let is_tag = |field: &&Field| class.tags.iter().any(|(tag, _)| *tag == field.key);
    let fields: Vec<&Field> = record.fields.iter().filter(|field| !is_tag(field)).collect();
    let tags = class.tags.iter().map(|(tag, value)| (*tag, format!("Literal[\"{value}\"]"), &[][..]));
    let members = tags.chain(fields.iter().map(|field| (field.key, member_type(field, certain), field.doc)));
    let members: Vec<(&str, String, &[&str])> = members.collect();
    if members.iter().all(|(key, ..)| is_identifier(key)) {
        let mut out = format!("\n\nclass {}(TypedDict):\n{}", class.name, doc("    ", record.doc));
        if members.is_empty() && record.doc.is_empty() {
            out.push_str("    pass\n");
        }
        for (key, shape, text) in members {
            out.push_str(&format!("\n    {key}: {shape}\n{}", doc("    ", text)));
        }
        return out;
    }
    // A class can't have a member whose name is a keyword or no identifier.
    let mut out = format!("\n\n{0} = TypedDict(\n    \"{0}\",\n    {{\n", class.name);
    for (key, shape, text) in members {
        if !text.is_empty() {
            out.push_str(&format!("        # {}\n", paragraph(text)));
        }
        out.push_str(&format!("        \"{key}\": {},\n", quoted(&shape)));
    }
    out.push_str("    },\n)\n");
    out.push_str(&doc("", record.doc));
    out
}

/// A type as a string that is evaluated later.
fn quoted(shape: &str) -> String {
    format!("'{shape}'")
}

fn member_type(field: &Field, certain: bool) -> String {
    let shape = shape_type(&(field.shape)());
    let is_certain = certain && field.since == "1";
    match field.presence {
        Presence::Essential => shape,
        Presence::Always if is_certain => shape,
        Presence::Optional if is_certain => format!("NotRequired[{shape}]"),
        _ if shape == "Any" => "NotRequired[Any]".to_owned(),
        _ => format!("NotRequired[{shape} | None]"),
    }
}

fn shape_type(shape: &Shape) -> String {
    match shape {
        Shape::Text => "str".into(),
        Shape::Number => "float".into(),
        Shape::Whole => "int".into(),
        Shape::Bool => "bool".into(),
        Shape::List(item) => format!("list[{}]", shape_type(item)),
        Shape::Map(item) => format!("dict[str, {}]", shape_type(item)),
        Shape::Either(shapes) => shapes.iter().map(shape_type).collect::<Vec<_>>().join(" | "),
        Shape::Defined(definition) => definition.name().into(),
        _ => "Any".into(),
    }
}

/// A docstring, if there is something to document.
fn doc(indent: &str, lines: &[&str]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let text = paragraph(lines).replace('\\', "\\\\").replace('"', "\\\"");
    format!("{indent}\"\"\"{text}\"\"\"\n")
}

fn paragraph(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn pascal(value: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).map(word).collect()
}

fn is_identifier(key: &str) -> bool {
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !KEYWORDS.contains(&key)
}

/// Python's keywords.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
