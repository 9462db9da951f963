//! The same powers over HTTP: a table of routes, nearly all of which are a client's message in another dress.
//!
//! Members of the message that stand in the path are taken from there; the others come in the query of a GET
//! or DELETE and in the JSON body of the rest. What the message would be answered with is the body of the
//! answer, and an `error` comes with the status of its code.

mod bodies;
mod compose;
mod method;
mod openapi;
mod pairing;
mod route;
mod routes;
mod sign_in;

pub use bodies::BODIES;
pub use method::Method;
pub use openapi::openapi;
pub use pairing::{PairRequest, Paired};
pub use route::{Access, Action, Route};
pub use routes::{PLACES, PREFIX, ROUTES};
pub use sign_in::{AccessToken, AccessTokenRequest, Challenge, ChallengeRequest, Ticket, TicketRequest};
