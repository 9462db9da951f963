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
//! - **Parsers are pure and total**: [`Authority`], [`Origin`], [`cookies`], [`bearer`] and [`subprotocols`] take
//!   text and give a value, whatever the text is.

mod admit;
mod attempts;
mod authority;
mod code;
mod confirmation;
mod cookie;
mod credential;
mod devices;
mod error;
mod gate;
mod grant;
mod origin;
mod peer;
mod qr;
mod token;

pub use crate::log::Grant;
pub use admit::{Door, PAIRING_TIME};
pub use attempts::Attempts;
pub use authority::{Authority, HostName};
pub use code::PairingCode;
pub use cookie::{cookies, set_cookie};
pub use credential::{Credential, Via, bearer, subprotocols};
pub use error::DoorError;
pub use gate::{Errand, Gate, Ground};
pub use origin::Origin;
pub use peer::Peer;
pub use token::{TOKEN_PREFIX, Token};
