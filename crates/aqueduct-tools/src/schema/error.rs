//! What is wrong with a schema.

use super::sound::TYPES;

/// What is wrong with a schema, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", if place.is_empty() { "root" } else { place })]
pub struct SchemaError {
    /// A JSON pointer; empty for the schema itself.
    pub(super) place: String,
    pub(super) fault: SchemaFault,
}

/// What is wrong with a part of a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum SchemaFault {
    #[error("it is nested too deeply")]
    TooDeep,
    #[error("a schema must be an object, true or false")]
    NotASchema,
    #[error("type must be one of {}", TYPES.join(", "))]
    UnknownType,
    #[error("required must be a list of names")]
    RequiredNames,
    #[error("enum must be a list")]
    EnumList,
    #[error("pattern must be a regular expression of ECMAScript")]
    SchemaPattern,
    /// A name in `patternProperties` is not a regular expression.
    #[error("{0:?} must be a regular expression of ECMAScript")]
    PatternProperty(String),
    /// This keyword is not supported.
    #[error("{0} is not supported: refer to parts of the schema with $ref, such as #/$defs/name")]
    Unsupported(&'static str),
    #[error("$ref must lead to a part of this schema, such as #/$defs/name")]
    Reference,
    /// The value of this keyword is not a list of schemas.
    #[error("{0} must be a list of schemas")]
    SchemaList(String),
    /// The value of this keyword is not an object of schemas.
    #[error("{0} must be an object of schemas")]
    SchemaObject(String),
}
