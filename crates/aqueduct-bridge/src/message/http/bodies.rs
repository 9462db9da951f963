use aqueduct_wire::table::Definition;

use super::{
    AccessToken, AccessTokenRequest, Challenge, ChallengeRequest, PairRequest, Paired, Ticket, TicketRequest,
};

/// Bodies of requests and answers that are not messages.
pub const BODIES: &[&Definition] = &[
    PairRequest::DEFINITION,
    Paired::DEFINITION,
    ChallengeRequest::DEFINITION,
    Challenge::DEFINITION,
    AccessTokenRequest::DEFINITION,
    AccessToken::DEFINITION,
    TicketRequest::DEFINITION,
    Ticket::DEFINITION,
];
