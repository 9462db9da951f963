//! Who may come in: tokens, devices, pairing codes, and which pages and host names are ours.
//!
//! Two questions are asked of every request, and neither answer makes up for the other. [`Gate`] asks whether
//! the request was meant for this bridge and not made by a page from elsewhere: `Host`, `Origin`, what browsers
//! say about where a request is from, and whether a token stands in the URL. [`Door`] asks who it is.
//!
//! # What must stay true
//!
//! - **Tokens are kept as hashes.** A token is told once, to whom it belongs, and is in no log, no error and no
//!   `Debug`.
//! - **A right token always comes in.** Wrong ones are counted by where they come from, and who sends too many is
//!   told to wait; but a flood of them from behind the same proxy shuts nobody out.
//! - **No credential is ambient.** A browser attaches cookies to requests to every port of a host, so no cookie holds a
//!   credential. A browser has a key that never leaves it and belongs to one origin, port included: it signs a
//!   [challenge](Challenges), and gets an [access token](AccessTokens) that its page holds in memory. Where a page can
//!   set no header, a [ticket](Tickets) reads one path once.
//! - **A page is ours by its whole origin**: scheme, host and port.
//! - **Parsers are pure and total**: [`Authority`], [`Origin`], [`cookies`], [`bearer`] and [`subprotocols`] take
//!   text and give a value, whatever the text is.

mod access_token;
mod admit;
mod attempts;
mod authority;
mod challenge;
mod code;
mod confirmation;
mod cookie;
mod credential;
mod devices;
mod error;
mod gate;
mod grant;
mod issued;
mod key;
mod known_host;
mod origin;
mod peer;
mod qr;
mod sign_in;
mod ticket;
mod token;

pub use crate::log::Grant;
pub use access_token::{ACCESS_TIME, AccessTokens};
pub use admit::{Door, PAIRING_TIME};
pub use attempts::Attempts;
pub use authority::{Authority, HostName};
pub use challenge::{CHALLENGE_TIME, Challenges, Issued};
pub use code::PairingCode;
pub use cookie::{cookies, expired_cookie, has_old_cookie};
pub use credential::{bearer, subprotocols};
pub use error::DoorError;
pub use gate::{Checked, Errand, Gate, Ground};
pub use key::{PublicKey, sign_in_message};
pub use known_host::KnownHost;
pub use origin::Origin;
pub use peer::Peer;
pub use ticket::{TICKET_KEY, TICKET_TIME, Tickets};
pub use token::{TOKEN_PREFIX, Token};
