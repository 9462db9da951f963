//! JSON Schema: whether a value is what a host asked for.
//!
//! The part of it is read that describes data: types, members, items, limits, choices and references within the
//! schema. What is not known is passed over, as the standard wants it. Nothing is fetched.

mod check;
mod error;
mod sound;

use std::cell::Cell;

use serde_json::Value;

use check::Checker;
pub(crate) use error::SchemaError;

/// How deep a schema or a value may be nested, references included.
const MAX_DEPTH: usize = 64;

/// How many comparisons a value is worth: a schema that leads back to itself in several ways could take for ever.
const MAX_WORK: usize = 100_000;

/// How many errors of a value are reported.
const MAX_FAULTS: usize = 8;

/// A schema that makes sense.
#[derive(Debug, Clone)]
pub(crate) struct Schema {
    root: Value,
}

impl Schema {
    /// Reads a schema, or returns the first error in it.
    pub(crate) fn new(root: Value) -> Result<Self, SchemaError> {
        sound::check(&root)?;
        Ok(Schema { root })
    }

    /// What is wrong with a value: places and faults, the first ones.
    pub(crate) fn faults(&self, value: &Value) -> Vec<String> {
        let work = Cell::new(MAX_WORK);
        let mut checker = Checker { root: &self.root, work: &work, faults: Vec::new() };
        checker.check(&self.root, value, "", 0);
        checker.faults.truncate(MAX_FAULTS);
        checker.faults
    }
}

#[cfg(test)]
mod tests;
