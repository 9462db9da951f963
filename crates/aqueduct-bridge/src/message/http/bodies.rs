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

/// Those of requests.
pub const TAKEN_BODIES: &[&Definition] = &[
    PairRequest::DEFINITION,
    ChallengeRequest::DEFINITION,
    AccessTokenRequest::DEFINITION,
    TicketRequest::DEFINITION,
];
