//! JSON Schema: whether a value is what a host asked for.
//!
//! The drafts are 2020-12 and 7: keywords of both are read, and `$schema` decides where they differ. `format`,
//! `contentEncoding` and the like are annotations, and unknown keywords have no effect, as the standard specifies.
//! Nothing is fetched: a schema that refers to another document, or that gives a part of itself an address of its own
//! (`$id`, `$dynamicRef`), is refused. `cargo xtask conformance schema` runs the official tests.
//!
//! | file | contents |
//! |---|---|
//! | `sound.rs`, `error.rs` | the check of a schema before it is used |
//! | `check.rs`, `seen.rs` | a value held against it |
//! | `number.rs`, `pattern.rs` | numbers by value; regular expressions of ECMAScript |

mod check;
mod error;
mod number;
mod pattern;
mod seen;
mod sound;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use check::Checker;
pub(crate) use error::SchemaError;
use pattern::{MatchTime, SchemaPattern};

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
    /// Its patterns, by their text.
    patterns: Arc<BTreeMap<String, SchemaPattern>>,
    /// Places with names, as JSON pointers.
    anchors: BTreeMap<String, String>,
    /// Whether it is of draft 7 or older: what is beside a `$ref` has no effect there.
    is_legacy: bool,
    /// Whether something depends on what other parts looked at.
    collects: bool,
}

impl Schema {
    /// Reads a schema, or returns the first error in it.
    pub(crate) fn new(root: Value) -> Result<Self, SchemaError> {
        let draft = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        let is_legacy = ["draft-07", "draft-06", "draft-04"].iter().any(|name| draft.contains(name));
        let mut schema =
            Schema { root, patterns: Arc::default(), anchors: BTreeMap::new(), is_legacy, collects: false };
        sound::check(&mut schema)?;
        Ok(schema)
    }

    /// What is wrong with a value: places and faults, the first ones.
    pub(crate) fn faults(&self, value: &Value) -> Vec<String> {
        let (work, time) = (Cell::new(MAX_WORK), MatchTime::new());
        let mut checker = Checker { schema: self, work: &work, time: &time, faults: Vec::new() };
        checker.check(&self.root, value, "", 0);
        checker.faults.truncate(MAX_FAULTS);
        checker.faults
    }

    /// The part of the schema that a reference leads to.
    fn find(&self, name: &str) -> Option<&Value> {
        let own = self.root.get("$id").and_then(Value::as_str).map(|id| id.trim_end_matches('#'));
        let name = own.filter(|own| !own.is_empty()).and_then(|own| name.strip_prefix(own)).unwrap_or(name);
        if name.is_empty() {
            return Some(&self.root);
        }
        let fragment = percent_decoded(name.strip_prefix('#')?)?;
        match self.anchors.get(&fragment) {
            Some(pointer) => self.root.pointer(pointer),
            None if fragment.is_empty() => Some(&self.root),
            None => self.root.pointer(&fragment),
        }
    }
}

/// The fragment of an address as text.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(behind.get(..2)?, 16).ok()?);
        rest = behind.get(2..)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod suite_tests;
#[cfg(test)]
mod tests;
