use std::fmt::Write;

use super::{Definition, Presence, Shape};

/// A definition as an exported TypeScript type. A union lists the kinds that are known, so that a `switch`
/// narrows; at run time others occur. Members since one of the `certain` versions are there or not exactly as
/// the table states: for readers that need not support older ones.
pub fn typescript(definition: &Definition, certain: &[&str]) -> String {
    let mut out = String::new();
    // Writing to a String can't fail.
    let _ = write_definition(&mut out, definition, certain);
    out
}

fn write_definition(out: &mut String, definition: &Definition, certain: &[&str]) -> std::fmt::Result {
    match definition {
        Definition::Record(record) => {
            write_doc(out, "", record.doc);
            writeln!(out, "export interface {} {{", record.name)?;
            for field in record.fields {
                write_doc(out, "  ", field.doc);
                let shape = shape_type(&(field.shape)());
                match field.presence {
                    Presence::Essential => writeln!(out, "  {}: {shape};", member_name(field.key))?,
                    Presence::Always if certain.contains(&field.since) => {
                        writeln!(out, "  {}: {shape};", member_name(field.key))?;
                    }
                    Presence::Optional if certain.contains(&field.since) => {
                        writeln!(out, "  {}?: {shape};", member_name(field.key))?;
                    }
                    _ if shape == "unknown" => writeln!(out, "  {}?: unknown;", member_name(field.key))?,
                    _ => writeln!(out, "  {}?: {shape} | null;", member_name(field.key))?,
                }
            }
            writeln!(out, "}}")
        }
        Definition::Union(union) => {
            write_doc(out, "", union.doc);
            writeln!(out, "export type {} =", union.name)?;
            for (index, variant) in union.variants.iter().enumerate() {
                let end = if index + 1 == union.variants.len() { ";" } else { "" };
                let name = (variant.definition)().name();
                writeln!(out, "  | ({{ {}: \"{}\" }} & {name}){end}", member_name(union.tag), variant.tag)?;
            }
            Ok(())
        }
        Definition::Names(names) => {
            write_doc(out, "", names.doc);
            writeln!(out, "export type {} =", names.name)?;
            for (value, doc) in names.values.iter().zip(names.docs) {
                write_doc(out, "  ", doc);
                writeln!(out, "  | \"{value}\"")?;
            }
            writeln!(out, "  | (string & {{}});")
        }
    }
}

fn write_doc(out: &mut String, indent: &str, doc: &[&str]) {
    if doc.is_empty() {
        return;
    }
    let text: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
    out.push_str(&format!("{indent}/** {} */\n", text.join(" ").replace("*/", "* /")));
}

fn member_name(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { key.to_owned() } else { format!("\"{key}\"") }
}

fn shape_type(shape: &Shape) -> String {
    match shape {
        Shape::Text => "string".into(),
        Shape::Number | Shape::Whole => "number".into(),
        Shape::Bool => "boolean".into(),
        Shape::List(item) => format!("Array<{}>", shape_type(item)),
        Shape::Map(item) => format!("Record<string, {}>", shape_type(item)),
        Shape::Either(shapes) => shapes.iter().map(shape_type).collect::<Vec<_>>().join(" | "),
        Shape::Defined(definition) => definition.name().into(),
        Shape::Any => "unknown".into(),
    }
}
