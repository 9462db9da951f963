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

/// Makes the family of what clients ask for: type, Rust name, record, the least scope, what it is about, where needed the
/// function of `need.rs` that raises the scope and the words for it, and the kind of the reply. A kind without a scope does
/// not compile, and neither does one that may have to be confirmed and has no member `confirm`.
macro_rules! client_messages {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $(
                $value:literal => $variant:ident($record:ident)
                    needs $scope:ident of $reach:ident $(, $raise:ident ($why:literal))?
                    replies $($reply:literal)|+
            ),* $(,)?
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

            /// The least scope that each kind needs, what it is about, and what needs more, in words.
            pub const SCOPES: &'static [(&'static str, Scope, MessageReach, &'static str)] = &[$((
                $value,
                Scope::$scope,
                client_messages!(@reach $reach),
                concat!($($why)?),
            )),*];

            /// The client's mark for the reply.
            pub fn request_id(&self) -> Option<&str> {
                match self {
                    $($name::$variant(message) => message.request_id.as_deref(),)*
                    $name::Unknown(_) => None,
                }
            }

            /// What it needs, with what it holds.
            pub fn need(&self) -> MessageNeed {
                match self {
                    $($name::$variant(message) => {
                        let least = MessageNeed::scope(Scope::$scope);
                        client_messages!(@raise least, message $(, $raise)?)
                    })*
                    $name::Unknown(_) => MessageNeed::scope(Scope::Admin),
                }
            }

            /// What it is about.
            pub fn reach(&self) -> MessageReach {
                match self {
                    $($name::$variant(_) => client_messages!(@reach $reach),)*
                    $name::Unknown(_) => MessageReach::Bridge,
                }
            }

            /// The session that it names.
            pub fn session_id(&self) -> Option<&str> {
                match self {
                    $($name::$variant(message) => client_messages!(@session $reach message),)*
                    $name::Unknown(_) => None,
                }
            }

            /// The confirmation that it brings.
            pub fn confirm(&self) -> Option<&str> {
                match self {
                    $($name::$variant(message) => client_messages!(@confirm message $(, $raise)?),)*
                    $name::Unknown(_) => None,
                }
            }

            /// The same request without what differs when it is repeated.
            pub(crate) fn unconfirmed(&self) -> Self {
                let mut message = self.clone();
                match &mut message {
                    $($name::$variant(message) => {
                        message.request_id = None;
                        client_messages!(@unconfirm message $(, $raise)?);
                    })*
                    $name::Unknown(_) => {}
                }
                message
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
    (@raise $least:ident, $message:ident) => {{ let _ = $message; $least }};
    (@raise $least:ident, $message:ident, $raise:ident) => { $least.and(need::$raise($message)) };
    (@confirm $message:ident) => {{ let _ = $message; None }};
    (@confirm $message:ident, $raise:ident) => { $message.confirm.as_deref() };
    (@unconfirm $message:ident) => {};
    (@unconfirm $message:ident, $raise:ident) => { $message.confirm = None };
    (@reach session) => { MessageReach::Session };
    (@reach files) => { MessageReach::Files };
    (@reach folder) => { MessageReach::Folder };
    (@reach records) => { MessageReach::Many };
    (@reach lists) => { MessageReach::Many };
    (@reach access) => { MessageReach::Access };
    (@reach bridge) => { MessageReach::Bridge };
    (@session session $message:ident) => { NamesSession::named(&$message.session_id) };
    (@session files $message:ident) => { NamesSession::named(&$message.session_id) };
    (@session records $message:ident) => { NamesSession::named(&$message.session_id) };
    (@session $other:ident $message:ident) => {{ let _ = $message; None }};
}

/// Defines the family of the bridge's messages: type, Rust name, record, how it is delivered, and for stored messages
/// whether searches find them.
macro_rules! bridge_messages {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $( $value:literal => $variant:ident($record:ident) $delivery:ident $($search:ident)? ),* $(,)?
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

            /// How it is delivered; `None` for an unknown kind.
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
        bridge_messages!(@stored [] $( ($delivery $value $variant $record $($search)?) )*);
    };
    (@stored [$($kept:tt)*] (stored $($row:tt)*) $($rest:tt)*) => {
        bridge_messages!(@stored [$($kept)* ($($row)*)] $($rest)*);
    };
    (@stored [$($kept:tt)*] ($($row:tt)*) $($rest:tt)*) => {
        bridge_messages!(@stored [$($kept)*] $($rest)*);
    };
    (@stored [$( ($value:literal $variant:ident $record:ident $($search:ident)?) )*]) => {
        /// The kinds of messages that the log stores.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum StoredKind {
            $(
                #[doc = concat!("`", $value, "`")]
                $variant
            ),*
        }

        impl StoredKind {
            /// All kinds.
            pub const ALL: &'static [StoredKind] = &[$(StoredKind::$variant),*];

            /// The `type` of the message.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(StoredKind::$variant => $value),*
                }
            }

            /// Whether searches find messages of this kind.
            pub fn is_searchable(self) -> bool {
                match self {
                    $(StoredKind::$variant => bridge_messages!(@searchable $($search)?)),*
                }
            }
        }

        $(
            impl<'a> StoredRecord<'a> for $record<'a> {
                const KIND: StoredKind = StoredKind::$variant;
            }
        )*
    };
    (@searchable searchable) => { true };
    (@searchable) => { false };
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
