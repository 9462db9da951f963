//! Wire types from JSON text and back.

use aqueduct_wire::json::{Json, Raw, Reader};

/// A value of the wire from its text; `None` where the text has another shape.
pub(crate) fn read<'a, T: Json<'a>>(text: &'a str) -> Option<T> {
    T::read(&mut Reader::new(text)).ok()
}

/// The text of a value of the wire.
pub(crate) fn to_raw<'a>(value: &impl Json<'a>) -> Raw<'static> {
    Raw::written(value)
}
