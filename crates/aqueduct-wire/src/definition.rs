//! The contents of the tables, for generators.

/// The shape of a value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Shape {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A whole number that is not negative.
    Whole,
    /// A boolean.
    Bool,
    /// Any JSON value.
    Any,
    /// An array.
    List(Box<Shape>),
    /// An object with arbitrary names.
    Map(Box<Shape>),
    /// One of several shapes, distinguished by their JSON type.
    Either(Vec<Shape>),
    /// A type with a name and a table of its own.
    Defined(&'static Definition),
}

/// A type with a name.
#[derive(Debug)]
#[non_exhaustive]
pub enum Definition {
    /// An object with members.
    Record(Record),
    /// Objects distinguished by a discriminator.
    Union(Union),
    /// Strings with a list of known values.
    Names(Names),
}

impl Definition {
    /// The type's name in Rust and TypeScript.
    pub fn name(&self) -> &'static str {
        match self {
            Definition::Record(record) => record.name,
            Definition::Union(union) => union.name,
            Definition::Names(names) => names.name,
        }
    }
}

/// An object with members. Unknown ones are always allowed beside them.
#[derive(Debug)]
pub struct Record {
    /// The type's name.
    pub name: &'static str,
    /// What it is, as lines.
    pub doc: &'static [&'static str],
    /// The members, in the order in which they are written.
    pub fields: &'static [Field],
}

/// A member of a record.
#[derive(Debug)]
pub struct Field {
    /// The name on the wire.
    pub key: &'static str,
    /// What it means, as lines; empty if the name is sufficient.
    pub doc: &'static [&'static str],
    /// When it is there.
    pub presence: Presence,
    /// The oldest version of the reference CLI in which it is known to exist; empty for an essential member,
    /// which is as old as its kind.
    pub since: &'static str,
    /// The shape of its value.
    pub shape: fn() -> Shape,
}

/// When a member is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// Always; without it the object is not of this kind.
    Essential,
    /// In every frame of the versions that know it.
    Always,
    /// In every frame of the versions that know it, as a value or `null`.
    Nullable,
    /// Sometimes.
    Optional,
}

/// Objects distinguished by a discriminator. Unknown ones are always allowed.
#[derive(Debug)]
pub struct Union {
    /// The type's name.
    pub name: &'static str,
    /// What it is, as lines.
    pub doc: &'static [&'static str],
    /// The discriminating member.
    pub tag: &'static str,
    /// The kinds.
    pub variants: &'static [Variant],
}

/// One kind of a union.
#[derive(Debug)]
pub struct Variant {
    /// The discriminator's value.
    pub tag: &'static str,
    /// The oldest version of the reference CLI in which it is known to exist.
    pub since: &'static str,
    /// The record or inner union that holds the rest.
    pub definition: fn() -> &'static Definition,
}

/// Strings with a list of known values. Others are always allowed.
#[derive(Debug)]
pub struct Names {
    /// The type's name.
    pub name: &'static str,
    /// What they name, as lines.
    pub doc: &'static [&'static str],
    /// The values.
    pub values: &'static [&'static str],
    /// What each value means, as lines; empty if the name is sufficient.
    pub docs: &'static [&'static [&'static str]],
}
