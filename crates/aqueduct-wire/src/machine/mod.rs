//! The protocol machine: keeps the control requests of both directions for one peer.
//!
//! It does no I/O and has no clock: frames go in, events and lines come out, and deadlines are numbers that
//! the caller compares with its own time. [`Machine<Host>`] drives an agent, [`Machine<Agent>`] serves a host;
//! both keep the same promises:
//!
//! - A request gets one fate: an answer, a cancel or an expired deadline. What comes later for it is reported
//!   as [`Incoming::Ignored`].
//! - A request of the peer is served once, however often it arrives, and answered once, however often
//!   [`Machine::answer`] is called.
//! - The peer never waits in vain: what can't be served is refused at once, with a code, except for the few
//!   kinds where silence is the answer.
//! - Requests are served at any time, also before `initialize` is answered.
//! - Memory is bounded by [`MachineLimits`], and by what the caller itself asks.
//!
//! ```
//! use aqueduct_wire::FromAgent;
//! use aqueduct_wire::control::{HostRequest, InitializeRequest};
//! use aqueduct_wire::machine::{Host, Incoming, Machine};
//!
//! let mut machine: Machine<Host> = Machine::new("7f");
//! let hello = machine.request(HostRequest::Initialize(Box::new(InitializeRequest::new())), Some(60_000));
//! assert_eq!(
//!     hello.line,
//!     r#"{"type":"control_request","request_id":"7f-h1","request":{"subtype":"initialize"}}"#
//! );
//!
//! let line = r#"{"type":"control_response","response":{"subtype":"success","request_id":"7f-h1","response":{}}}"#;
//! let events = machine.receive(&FromAgent::parse(line)?);
//! assert!(matches!(&events[..], [Incoming::Answer { id, outcome: Ok(_), .. }] if *id == hello.id));
//! assert!(machine.initialized());
//! # Ok::<(), aqueduct_wire::ParseError>(())
//! ```

mod error;
mod id;
mod incoming;
mod line;
mod outgoing;
mod receive;
mod recent;
mod role;
mod serving;

pub use error::{
    ControlError, INVALID_MODE, INVALID_REQUEST, MALFORMED_RESPONSE, TOO_MANY_REQUESTS, UNSUPPORTED_REQUEST,
};
pub use id::RequestId;
pub use incoming::{Ignored, Incoming};
pub use outgoing::{ExpiredRequest, SentRequest};
pub use role::{Agent, Host, Role};

use std::marker::PhantomData;

use crate::control::Unhandled;
use crate::json::{Json, Raw};
use outgoing::OutgoingRequests;
use serving::IncomingRequests;

/// How many requests of the peer may be open at once by default. A peer that asks more is broken or hostile.
pub const MAX_OPEN_REQUESTS: usize = 4096;

/// How many ids of settled requests are remembered by default, for each direction, to know a duplicate when
/// it comes.
pub const MAX_RECENT_IDS: usize = 1024;

/// How long an id of the peer may be. Ids are kept; one beyond this is refused.
pub const MAX_ID_BYTES: usize = 1024;

/// How much a machine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineLimits {
    /// Requests of the peer that are open at once; further ones are refused.
    pub open_requests: usize,
    /// Ids of settled requests that are remembered, for each direction.
    pub recent_ids: usize,
}

impl Default for MachineLimits {
    fn default() -> Self {
        MachineLimits { open_requests: MAX_OPEN_REQUESTS, recent_ids: MAX_RECENT_IDS }
    }
}

/// How far the `initialize` request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// It has not been made, or it failed.
    Before,
    /// It has been made and waits for its answer.
    Asked,
    /// It has been answered.
    Done,
}

/// The name of the request that opens a session.
const INITIALIZE: &str = "initialize";

/// The control requests of one connection, seen from one of its sides.
#[derive(Debug)]
pub struct Machine<R: Role> {
    outgoing: OutgoingRequests,
    serving: IncomingRequests,
    handshake: Handshake,
    serves_unknown: bool,
    role: PhantomData<R>,
}

impl<R: Role> Machine<R> {
    /// A machine whose request ids begin with `prefix`. Make the prefix unique where the peer may have seen
    /// another connection's ids, for example after a restart.
    pub fn new(prefix: impl Into<String>) -> Self {
        Machine::with_limits(prefix, MachineLimits::default())
    }

    /// A machine with limits of its own.
    pub fn with_limits(prefix: impl Into<String>, limits: MachineLimits) -> Self {
        Machine {
            outgoing: OutgoingRequests::new(prefix.into(), R::MARK, limits.recent_ids),
            serving: IncomingRequests::new(limits),
            handshake: Handshake::Before,
            serves_unknown: false,
            role: PhantomData,
        }
    }

    /// Reports requests of unknown subtypes as [`Incoming::Request`] as well, for those who pass them on or
    /// have subtypes of their own. By default they are refused.
    pub fn serving_unknown(mut self) -> Self {
        self.serves_unknown = true;
        self
    }

    /// Makes a request. The line is to be sent; the answer comes as [`Incoming::Answer`] under the id. The
    /// deadline is a time on the caller's clock, which [`Machine::expire`] looks at.
    pub fn request(&mut self, request: R::Asks<'_>, deadline: Option<u64>) -> SentRequest {
        let subtype = R::subtype(&request).to_owned();
        if subtype == INITIALIZE && self.handshake == Handshake::Before {
            self.handshake = Handshake::Asked;
        }
        let kept = R::is_offered_again(&subtype).then(|| {
            let mut text = String::new();
            request.write(&mut text);
            text
        });
        let id = self.outgoing.open(subtype, deadline, kept);
        let line = R::request_line(&id, request);
        SentRequest { id, line }
    }

    /// The requests that wait for an answer, oldest first, each with its subtype.
    pub fn pending(&self) -> Vec<(&RequestId, &str)> {
        self.outgoing.pending()
    }

    /// Withdraws a request. The line notifies the peer; `None` if the request is settled already.
    pub fn cancel(&mut self, id: &RequestId) -> Option<String> {
        let subtype = self.outgoing.close(id)?;
        self.undo_handshake(&subtype);
        Some(line::cancel(id))
    }

    /// Withdraws the requests whose deadline is `now` or earlier, earliest first. Each line notifies the
    /// peer.
    pub fn expire(&mut self, now: u64) -> Vec<ExpiredRequest> {
        let due = self.outgoing.due(now);
        due.into_iter().filter_map(|id| self.cancel(&id).map(|line| ExpiredRequest { id, line })).collect()
    }

    /// The earliest deadline of the requests that wait.
    pub fn next_deadline(&self) -> Option<u64> {
        self.outgoing.next_deadline()
    }

    /// The peer's requests that are being served, oldest first, each with its subtype.
    pub fn serving(&self) -> Vec<(&RequestId, &str)> {
        self.serving.open()
    }

    /// Answers a request of the peer. The line is to be sent; `None` if the request was answered or withdrawn
    /// before.
    ///
    /// An agent's answer to `initialize` also lists the permission requests, dialogs and elicitations that
    /// are still open, so that a host that attaches to a running session can serve them.
    pub fn answer<'p>(&mut self, id: &RequestId, payload: &impl Json<'p>) -> Option<String> {
        let subtype = self.serving.close(id)?;
        let mut text = String::new();
        payload.write(&mut text);
        let payload = Raw::checked(&text);
        if subtype != INITIALIZE {
            return Some(line::success(id, Some(payload), None));
        }
        self.handshake = Handshake::Done;
        Some(line::success(id, Some(payload), Some(&self.outgoing)))
    }

    /// Answers a request of the peer with nothing but a yes. The line is to be sent; `None` if the request was
    /// answered or withdrawn before.
    pub fn acknowledge(&mut self, id: &RequestId) -> Option<String> {
        self.serving.close(id)?;
        Some(line::success(id, None, None))
    }

    /// Answers a request of the peer with an error. The line is to be sent; `None` if the request was answered
    /// or withdrawn before.
    pub fn refuse(&mut self, id: &RequestId, error: &ControlError) -> Option<String> {
        let subtype = self.serving.close(id)?;
        self.undo_handshake(&subtype);
        Some(line::error(id, error))
    }

    /// Answers a request of the peer that has no handler here, as its kind requires: with an error, with a
    /// payload that declines, or not at all. `None` if nothing must be sent.
    pub fn decline(&mut self, id: &RequestId) -> Option<String> {
        let subtype = self.serving.subtype(id)?.to_owned();
        match R::unhandled(&subtype) {
            Unhandled::Refuse => self.refuse(id, &ControlError::unsupported(&subtype)),
            Unhandled::Decline(payload) => self.answer(id, &Raw::checked(payload)),
            Unhandled::StaySilent => {
                self.serving.close(id);
                None
            }
        }
    }

    /// How far `initialize` has come: the one that this side sent or got.
    pub fn handshake(&self) -> Handshake {
        self.handshake
    }

    /// Whether `initialize` has been answered.
    pub fn initialized(&self) -> bool {
        self.handshake == Handshake::Done
    }

    /// An `initialize` request came to nothing. A session that was opened before stays so.
    fn undo_handshake(&mut self, subtype: &str) {
        if subtype == INITIALIZE && self.handshake == Handshake::Asked {
            self.handshake = Handshake::Before;
        }
    }
}
