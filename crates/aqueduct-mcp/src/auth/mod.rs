//! Sign-ins to servers on the network, as OAuth 2.1 and the MCP specification describe them.
//!
//! ```text
//! 401 ─ challenge ─▶ metadata of the server ─▶ metadata of its authorization server ─▶ registration ─▶ page for the user
//!                                                                                                          │ code
//! requests ◀─ credentials ◀─ store ◀────────────────── tokens ◀─────────────────── callback, listener ◀────┘
//! ```
//!
//! Everything that a server publishes is untrusted: addresses are checked for where they lead before each request
//! (`address`), no redirect is followed and answers are bounded (`web`), documents must be about the server and the issuer
//! that were asked (`metadata`), and a callback must belong to the sign-in that began (`sign_in`).
//!
//! | file | contents |
//! |---|---|
//! | `sign_in.rs` | a sign-in from the link to the stored tokens |
//! | `credentials.rs` | the tokens of requests, renewed when they end |
//! | `store.rs`, `record.rs` | the files with sign-ins; what one holds |
//! | `challenge.rs`, `metadata.rs`, `discovery.rs` | what servers say about signing in |
//! | `client.rs`, `token.rs` | registration; tokens: issue, renew, revoke |
//! | `callback.rs`, `listener.rs` | the address that a browser comes back with; the port for it |
//! | `web.rs`, `address.rs`, `shown.rs`, `error.rs` | requests, where they may lead, texts of servers for people, errors |

mod address;
mod callback;
mod challenge;
mod client;
mod credentials;
mod discovery;
mod error;
mod listener;
mod metadata;
mod record;
mod shown;
mod sign_in;
mod store;
mod token;
mod web;

pub use callback::{CallbackRefusal, SignInCallback};
pub use challenge::SignInChallenge;
pub(crate) use credentials::ServerCredentials;
pub(crate) use discovery::challenge_of;
pub use error::{CallbackError, SignInError};
pub use sign_in::{SignIn, SignInSettings, SignInTarget, SignOut};
pub use store::SignInStore;
