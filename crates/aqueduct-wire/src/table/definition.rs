use super::{Definition, Names, Shape};
use crate::json::Json;

/// What the kinds of a union never are: a type without a name.
static UNNAMED: Definition = Definition::Names(Names { name: "", doc: &[], values: &[], docs: &[] });

/// The definition of a type that has one.
#[doc(hidden)]
pub fn definition_of<'a, T: Json<'a>>() -> &'static Definition {
    match T::shape() {
        Shape::Defined(definition) => definition,
        _ => &UNNAMED,
    }
}
