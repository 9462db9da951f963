use super::Definition;
use crate::json::{Fault, Leftover};

/// A value whose type follows from something outside it: the answer to a request, the input of a hook or
/// a tool.
#[derive(Debug, Clone, Copy)]
pub struct Payload {
    /// The request's subtype, the hook's event, the tool's name.
    pub name: &'static str,
    /// The type's table.
    pub definition: &'static Definition,
    /// Reads the value, visits what has no type in it, and writes it back.
    pub survey: Survey,
}

/// Reads a value, visits what has no type in it, and writes it back.
pub type Survey = fn(&str, &mut dyn FnMut(Leftover<'_>)) -> Result<String, Fault>;

/// Makes a table of payloads.
macro_rules! payloads {
    ($(#[doc = $doc:literal])* $table:ident { $( $name:literal => $ty:ident ),* $(,)? }) => {
        $(#[doc = $doc])*
        pub const $table: &[$crate::table::Payload] = &[
            $($crate::table::Payload {
                name: $name,
                definition: $ty::DEFINITION,
                survey: |text, visit| {
                    let value = <$ty<'_> as $crate::json::Json>::read(&mut $crate::json::Reader::new(text))?;
                    $crate::json::Json::leftovers(&value, &mut $crate::json::Walk::new(visit));
                    let mut out = String::with_capacity(text.len());
                    $crate::json::Json::write(&value, &mut out);
                    Ok(out)
                },
            }),*
        ];
    };
}

pub(crate) use payloads;
