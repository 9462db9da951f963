//! The HTTP API: a table of routes, nearly all of which correspond to a client's message.
//!
//! Members of the message in the path are taken from there; the others are in the query of a GET
//! or DELETE and in the JSON body of the rest. The reply to the message is the body of the
//! response, and an `error` has the status of its code.

mod bodies;
mod compose;
mod media_type;
mod method;
mod openapi;
mod pairing;
mod route;
mod routes;
mod sign_in;
mod ticket_path;

pub use bodies::{BODIES, TAKEN_BODIES};
pub use media_type::{DOCUMENT_TYPES, IMAGE_TYPES};
pub use method::Method;
pub use openapi::openapi;
pub use pairing::{PairRequest, Paired};
pub use route::{Route, RouteAccess, RouteAction};
pub use routes::{PLACES, PREFIX, ROUTES, TAGS};
pub use sign_in::{AccessToken, AccessTokenRequest, Challenge, ChallengeRequest, Ticket, TicketRequest};
pub use ticket_path::is_ticket_path;
