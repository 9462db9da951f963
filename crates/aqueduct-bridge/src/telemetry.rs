//! What sessions report to an observer: for traces and metrics that another crate makes of it.
//!
//! The bridge sees every frame of every agent, so an observer works for all agents alike. Without one nothing is done. An
//! observer receives a line when it is read for the first time: one that was read but not stored when the bridge
//! ended is reported again by the next bridge.

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::ResultFrame;

use crate::keeper::AgentEnd;
use crate::log::{Time, TurnUsage};
use crate::message::bridge::{ActorKind, PermissionDecision};

/// Makes an observer for each session.
pub trait Telemetry: Send + Sync {
    /// An observer for a session. It is dropped when the bridge no longer holds the session.
    fn observe(&self, session: &ObservedSession<'_>) -> Box<dyn SessionObserver>;
}

/// Receives the events of one session, in order.
///
/// The session waits for it, so it must not block.
pub trait SessionObserver: Send + Sync {
    /// Something has happened.
    fn event(&mut self, event: SessionEvent<'_>);
}

/// A session that is to be observed.
#[derive(Debug, Clone, Copy)]
pub struct ObservedSession<'a> {
    /// Its id.
    pub id: &'a str,
    /// The agent, by its name in the settings.
    pub agent: &'a str,
}

/// What has happened in a session.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionEvent<'a> {
    /// An agent runs: it was started, or the bridge has found it running.
    AgentRunning,
    /// The agent's process has ended.
    AgentEnded {
        /// How; nothing if it was killed together with its keeper.
        end: Option<AgentEnd>,
        /// The end was requested.
        expected: bool,
    },
    /// No agent could be started.
    AgentNotStarted,
    /// An input was given to the agent.
    InputSent {
        /// When the bridge accepted it.
        accepted: Time,
    },
    /// The agent sent a frame.
    Frame(&'a FromAgent<'a>),
    /// A turn has ended. Its frame came before.
    TurnEnded {
        /// What the agent reported.
        result: &'a ResultFrame<'a>,
        /// What it took of each model.
        usage: &'a [TurnUsage],
        /// A user or a program stopped it.
        interrupted: bool,
    },
    /// A request for a decision is over.
    Decided(DecidedRequest<'a>),
}

/// A request for a decision that is over.
#[derive(Debug, Clone, Copy)]
pub struct DecidedRequest<'a> {
    /// What was to be decided: `permission`, `question`, `plan` and so on.
    pub kind: &'a str,
    /// The tool.
    pub tool: Option<&'a str>,
    /// The call, by the agent's id.
    pub call: Option<&'a str>,
    /// What was decided.
    pub decision: &'a PermissionDecision<'a>,
    /// The kind of principal that decided.
    pub by: &'a ActorKind<'a>,
    /// When it was asked.
    pub asked: Time,
}
