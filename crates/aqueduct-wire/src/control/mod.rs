//! Control messages: requests that one side makes of the other, and their answers.
//!
//! A request has an id that its sender chooses and a `subtype` for its kind: a [`HostRequest`]
//! goes to the agent, an [`AgentRequest`] to the host. The answer carries the id and either a payload or an
//! error; the payload's type follows from the request, as [`HOST_REPLIES`] and [`AGENT_REPLIES`] list. A
//! sender that no longer needs an answer sends a [`ControlCancelFrame`].
//!
//! Neither side may wait in silence: what it can't serve it refuses, except where [`unhandled_agent_request`]
//! states otherwise.

mod agent_request;
mod envelope;
mod host_request;
mod reply;
mod unhandled;

pub use crate::elicitation::{ElicitationAction, ElicitationMode};
pub use agent_request::*;
pub use envelope::{
    AgentRequestFrame, ControlCancelFrame, ControlResponse, ControlResponseFrame, ErrorResponse,
    HostRequestFrame, PendingRequest, SuccessResponse,
};
pub use host_request::*;
pub use reply::*;
pub use unhandled::{UNHANDLED_AGENT_REQUESTS, Unhandled, unhandled_agent_request, unhandled_host_request};
