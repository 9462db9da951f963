//! From a type of the wire to the JSON that goes into a frame.

use aqueduct_wire::json::{IntoOwned, Json, Raw};

/// A value of the wire as its JSON.
pub(crate) fn written<'a>(value: &impl Json<'a>) -> Raw<'static> {
    let mut text = String::new();
    value.write(&mut text);
    // What the wire's types write is JSON.
    Raw::parse(&text).map_or(Raw::NULL, IntoOwned::into_owned)
}
