use std::fmt::Debug;

use super::{RequestId, line};
use crate::control::{
    AgentRequest, AgentRequestFrame, HostRequest, HostRequestFrame, Unhandled, unhandled_agent_request,
    unhandled_host_request,
};
use crate::json::Json;

/// Which side of the connection a machine is on.
pub trait Role: sealed::Sealed + Debug + 'static {
    /// The requests that this side makes.
    type Asks<'a>: Json<'a>;

    /// The requests that this side serves.
    type Serves: Debug + Clone + PartialEq + 'static;

    /// A letter in this side's ids, by which they differ from the other side's.
    const MARK: char;

    /// The request's subtype.
    fn subtype<'r>(request: &'r Self::Asks<'_>) -> &'r str;

    /// The line of a request.
    fn request_line(id: &RequestId, request: Self::Asks<'_>) -> String;

    /// Whether open requests of this kind are listed in the answer to a later `initialize`.
    fn is_offered_again(subtype: &str) -> bool;

    /// What this side does with a request without a handler.
    fn unhandled(subtype: &str) -> Unhandled;
}

/// The side that drives an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {}

/// The side that serves a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {}

impl Role for Host {
    type Asks<'a> = HostRequest<'a>;
    type Serves = AgentRequest<'static>;

    const MARK: char = 'h';

    fn subtype<'r>(request: &'r HostRequest<'_>) -> &'r str {
        request.tag()
    }

    fn request_line(id: &RequestId, request: HostRequest<'_>) -> String {
        line::frame("control_request", &HostRequestFrame::new(id.as_str().to_owned(), request))
    }

    fn is_offered_again(_subtype: &str) -> bool {
        false
    }

    fn unhandled(subtype: &str) -> Unhandled {
        unhandled_agent_request(subtype)
    }
}

impl Role for Agent {
    type Asks<'a> = AgentRequest<'a>;
    type Serves = HostRequest<'static>;

    const MARK: char = 'a';

    fn subtype<'r>(request: &'r AgentRequest<'_>) -> &'r str {
        request.tag()
    }

    fn request_line(id: &RequestId, request: AgentRequest<'_>) -> String {
        line::frame("control_request", &AgentRequestFrame::new(id.as_str().to_owned(), request))
    }

    fn is_offered_again(subtype: &str) -> bool {
        matches!(subtype, "can_use_tool" | "request_user_dialog" | "elicitation")
    }

    fn unhandled(subtype: &str) -> Unhandled {
        unhandled_host_request(subtype)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Host {}
    impl Sealed for super::Agent {}
}
