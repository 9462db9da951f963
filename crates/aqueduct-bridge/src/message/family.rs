//! What the two families of messages have in common.

use aqueduct_wire::json::{Fault, Json, ParseError, Reader};

/// Reads a text that holds one object and nothing else.
pub(super) fn read_object<'a, T: Json<'a>>(text: &'a str) -> Result<T, ParseError> {
    let mut reader = Reader::new(text);
    if reader.peek() != Some(b'{') {
        reader.skip()?;
        return Err(ParseError::NotAnObject);
    }
    let value = T::read(&mut reader).map_err(|fault| match fault {
        Fault::Parse(error) => error,
        Fault::Misfit(_) | Fault::Retag => ParseError::NotAnObject,
    })?;
    reader.end()?;
    Ok(value)
}

/// Makes the family of what clients ask for: type, Rust name, record, and the kind of the reply.
macro_rules! client_messages {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $( $value:literal => $variant:ident($record:ident) replies $($reply:literal)|+ ),* $(,)?
        }
    ) => {
        aqueduct_wire::table::union! {
            $(#[doc = $doc])*
            $name<$a> by "type" {
                $( $value => $variant(Box<$record<$a>>) since "1" ),*
            }
        }

        impl<$a> $name<$a> {
            /// What each kind is answered with, where nothing goes wrong.
            pub const REPLIES: &'static [(&'static str, &'static [&'static str])] =
                &[$(($value, &[$($reply),+])),*];

            /// The client's mark for the reply.
            pub fn request_id(&self) -> Option<&str> {
                match self {
                    $($name::$variant(message) => message.request_id.as_deref(),)*
                    $name::Unknown(_) => None,
                }
            }
        }

        $(
            impl<$a> From<$record<$a>> for $name<$a> {
                fn from(message: $record<$a>) -> Self {
                    $name::$variant(Box::new(message))
                }
            }
        )*
    };
}

/// Makes the family of what the bridge says: type, Rust name, record, and how it is delivered.
macro_rules! bridge_messages {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $( $value:literal => $variant:ident($record:ident) $delivery:ident ),* $(,)?
        }
    ) => {
        aqueduct_wire::table::union! {
            $(#[doc = $doc])*
            $name<$a> by "type" {
                $( $value => $variant(Box<$record<$a>>) since "1" ),*
            }
        }

        impl<$a> $name<$a> {
            /// How each kind is delivered.
            pub const DELIVERIES: &'static [(&'static str, Delivery)] =
                &[$(($value, bridge_messages!(@delivery $delivery))),*];

            /// How it is delivered; `None` for a kind that nobody knows.
            pub fn delivery(&self) -> Option<Delivery> {
                match self {
                    $($name::$variant(_) => Some(bridge_messages!(@delivery $delivery)),)*
                    $name::Unknown(_) => None,
                }
            }

            /// Puts the session's mark on a message of a session, and its place and time on a stored one. Others
            /// stay as they are.
            pub fn stamp(&mut self, session_id: impl Into<Str<$a>>, place: impl FnOnce() -> (u64, u64)) {
                match self {
                    $($name::$variant(message) => bridge_messages!(@stamp $delivery message session_id place),)*
                    $name::Unknown(_) => {}
                }
            }
        }

        impl<$a> $name<$a> {
            /// Puts the request's mark on a reply. Others stay as they are.
            pub fn mark(&mut self, request_id: Option<String>) {
                match self {
                    $($name::$variant(message) => bridge_messages!(@mark $delivery message request_id),)*
                    $name::Unknown(_) => {}
                }
            }
        }
        $(
            impl<$a> From<$record<$a>> for $name<$a> {
                fn from(message: $record<$a>) -> Self {
                    $name::$variant(Box::new(message))
                }
            }
        )*
    };
    (@mark reply $message:ident $request_id:ident) => { $message.request_id = $request_id.map(Into::into) };
    (@mark $other:ident $message:ident $request_id:ident) => {{ let _ = ($message, $request_id); }};
    (@delivery stored) => { Delivery::Stored };
    (@delivery live) => { Delivery::Live };
    (@delivery notice) => { Delivery::Notice };
    (@delivery reply) => { Delivery::Reply };
    (@stamp stored $message:ident $session_id:ident $place:ident) => {{
        let (seq, time) = $place();
        $message.session_id = Some($session_id.into());
        $message.seq = Some(seq);
        $message.time = Some(time);
    }};
    (@stamp live $message:ident $session_id:ident $place:ident) => {
        $message.session_id = Some($session_id.into())
    };
    (@stamp $other:ident $message:ident $session_id:ident $place:ident) => {{ let _ = $message; }};
}

pub(super) use {bridge_messages, client_messages};
