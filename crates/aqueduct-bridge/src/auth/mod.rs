//! Authentication and access: tokens, devices, pairing codes, and checks of `Host` and `Origin`.
//!
//! Every request passes two checks, and neither replaces the other. [`OriginPolicy`] checks that the request is meant
//! for this bridge and was not made by a page of another origin. [`Authenticator`] determines the [`Principal`].
//!
//! | file | contents |
//! |---|---|
//! | `authenticator.rs`, `principal.rs` | [`Authenticator`]: from a credential to a [`Principal`]; pairing |
//! | `devices.rs`, `grant.rs`, `confirmation.rs` | devices and tokens; what a [`Grant`] allows and may pass on; requests that must be confirmed |
//! | `origin_policy.rs`, `authority.rs`, `origin.rs`, `known_host.rs` | [`OriginPolicy`]: `Host`, `Origin`, Fetch metadata, tokens in URLs |
//! | `credential.rs`, `attempts.rs`, `peer.rs` | credentials in headers; rate limits of wrong attempts by address |
//! | `token.rs`, `code.rs`, `qr.rs` | tokens and pairing codes, of which only hashes are stored; QR codes |
//! | `sign_in.rs`, `key.rs`, `challenge.rs`, `access_token.rs`, `ticket.rs`, `issued.rs` | how a browser signs in with a key: challenges, access tokens in memory, tickets for one path |
//! | `cookie.rs` | removes the cookie of earlier versions |
//!
//! # Invariants
//!
//! - **Tokens are stored as hashes.** A token is shown once, to its owner, and appears in no log, error or `Debug` output.
//! - **A valid token is always accepted.** Wrong ones are counted by address, and a client that sends too many must wait;
//!   but wrong tokens from behind a shared proxy lock no client out.
//! - **A credential never creates one that allows more**, and what is outside its root does not exist for it.
//! - **No credential is ambient.** A browser attaches cookies to requests to every port of a host, so no cookie holds a
//!   credential. A browser has a key that never leaves it and belongs to one origin, port included: it signs a
//!   [challenge](Challenges), and gets an [access token](AccessTokens) that its page holds in memory. Where a page can
//!   set no header, a [ticket](Tickets) reads one path once.
//! - **A page is identified by its whole origin**: scheme, host and port.
//! - **Parsers are pure and total**: [`Authority`], [`RequestOrigin`], [`cookies`], [`bearer`] and
//!   [`subprotocols`] accept any text and never fail otherwise than by their return value.

mod access_token;
mod attempts;
mod authenticator;
mod authority;
mod challenge;
mod code;
mod confirmation;
mod cookie;
mod credential;
mod devices;
mod error;
mod grant;
mod issued;
mod key;
mod known_host;
mod origin;
mod origin_policy;
mod peer;
mod principal;
mod qr;
mod sign_in;
mod ticket;
mod token;

pub use crate::log::Grant;
pub use access_token::{ACCESS_TIME, AccessTokens};
pub use attempts::Attempts;
pub use authenticator::{Authenticator, PAIRING_TIME};
pub use authority::{Authority, HostName};
pub use challenge::{CHALLENGE_TIME, Challenges, IssuedChallenge};
pub use code::PairingCode;
pub use cookie::{cookies, expired_cookie, has_old_cookie};
pub use credential::{bearer, subprotocols};
pub use error::AuthError;
pub use key::{PublicKey, sign_in_message};
pub use known_host::KnownHost;
pub use origin::RequestOrigin;
pub use origin_policy::{CheckedRequest, ConnectionInfo, OriginPolicy, RequestTarget};
pub use peer::Peer;
pub use principal::Principal;
pub use ticket::{TICKET_KEY, TICKET_TIME, Tickets};
pub use token::{TOKEN_PREFIX, Token};
