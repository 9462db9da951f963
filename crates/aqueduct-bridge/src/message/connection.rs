//! What connections have in common: where they lead, how a token comes along, why they are closed.

/// The path of the WebSocket.
pub const WEBSOCKET_PATH: &str = "/ws";

/// The subprotocol that the bridge answers with.
pub const SUBPROTOCOL: &str = "aqueduct";

/// What the subprotocol begins with that brings a token along, for clients that can't set headers.
pub const BEARER_SUBPROTOCOL: &str = "bearer.";

/// The cookie in which earlier versions kept a browser's token. It is never set, only removed.
pub const COOKIE: &str = "aqueduct";

/// The version of the API. It changes only where a client of the old one would break.
pub const PROTOCOL: u64 = 1;

/// Makes the list of codes with which the bridge closes a WebSocket.
macro_rules! close_codes {
    ($( $(#[doc = $doc:literal])* $name:ident = $code:literal ),* $(,)?) => {
        /// Why the bridge closes a WebSocket.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum CloseCode {
            $( $(#[doc = $doc])* $name = $code, )*
        }

        /// The codes with which the bridge closes a WebSocket, and when it does, as lines.
        pub const CLOSE_CODES: &[(u16, &[&str])] = &[$(($code, &[$($doc),*])),*];
    };
}

close_codes! {
    /// The bridge shuts down. Connect again.
    GoingAway = 1001,
    /// The message is not text.
    NotText = 1003,
    /// The message is larger than `limits.messageBytes` of `hello`.
    TooLarge = 1009,
    /// The token was revoked or has expired. Pair the device again.
    Revoked = 4401,
    /// The client does not read what is sent to it. Connect again.
    NotReading = 4408,
}
