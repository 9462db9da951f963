//! The macros that give messages what all of their sort have, so that a table has only what is specific to it.

/// A message from a client: a record with `requestId`.
macro_rules! request {
    ($(#[doc = $doc:literal])* $name:ident<$a:lifetime> { $($members:tt)* }) => {
        aqueduct_wire::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                $($members)*
                "1" {
                    /// Any string; the reply, or the error, repeats it.
                    optional request_id = "requestId": aqueduct_wire::json::Str<$a>,
                }
            }
        }
    };
}

/// A message to the client that asked: a record with the request's `requestId`.
macro_rules! reply {
    ($(#[doc = $doc:literal])* $name:ident<$a:lifetime> { $($members:tt)* }) => {
        aqueduct_wire::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                $($members)*
                "1" {
                    /// The request's, where it had one.
                    optional request_id = "requestId": aqueduct_wire::json::Str<$a>,
                }
            }
        }
    };
}

/// A message of a session that is kept: a record with its place in the session's sequence.
macro_rules! stored {
    ($(#[doc = $doc:literal])* $name:ident<$a:lifetime> { $($members:tt)* }) => {
        aqueduct_wire::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                $($members)*
                "1" {
                    always session_id = "sessionId": aqueduct_wire::json::Str<$a>,
                    /// The place in the session's sequence, from 1, without gaps.
                    always seq: u64,
                    /// When it was stored, in milliseconds since 1970.
                    always time: u64,
                }
            }
        }
    };
}

/// A message of a session that is not kept.
macro_rules! live {
    ($(#[doc = $doc:literal])* $name:ident<$a:lifetime> { $($members:tt)* }) => {
        aqueduct_wire::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                $($members)*
                "1" {
                    always session_id = "sessionId": aqueduct_wire::json::Str<$a>,
                }
            }
        }
    };
}

pub(super) use {live, reply, request, stored};
