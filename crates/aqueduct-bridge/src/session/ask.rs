//! What can be asked of a session.

use std::sync::Arc;

use aqueduct_wire::control::{HostRequest, InitializeReply};
use aqueduct_wire::json::{Map, Raw};
use aqueduct_wire::permission::PermissionUpdate;
use aqueduct_wire::question::{Answer, AnswerAnnotation};
use tokio::sync::oneshot;

use super::watchers::Watcher;
use crate::failure::Failure;
use crate::message::Scope;
use crate::message::bridge::{Actor, InputAck, SessionSnapshot};
use crate::message::client::{InputImage, InputPriority, SendInput};

/// Where an answer goes.
pub(crate) type Answering<T> = oneshot::Sender<Result<T, Failure>>;

/// Something asked of a session.
#[derive(Debug)]
pub(crate) enum Ask {
    /// Hear all that happens from now on, and before that what `watch` says.
    Watch { watcher: Watcher, watch: Watch, reply: Answering<()> },
    /// Hear no more.
    Unwatch { client: u64 },
    /// How it stands.
    Snapshot { reply: Answering<SessionSnapshot<'static>> },
    /// Say something to the agent.
    Input {
        input: Box<SendInput<'static>>,
        client: Option<u64>,
        by: Actor<'static>,
        reply: Answering<InputAck<'static>>,
    },
    /// Change an input that waits.
    UpdateQueued { id: String, text: String, images: Option<Vec<InputImage<'static>>>, reply: Answering<()> },
    /// Take an input out of the queue.
    CancelQueued { id: String, reply: Answering<()> },
    /// Move an input in the queue.
    MoveQueued { id: String, position: usize, reply: Answering<()> },
    /// Give the agent a waiting input now.
    SendQueued { id: String, priority: InputPriority<'static>, by: Actor<'static>, reply: Answering<()> },
    /// Decide about what was asked.
    Decide {
        /// The question's id, or that of the call it is about.
        id: String,
        /// The hash of the input that the decision is about.
        input_hash: Option<String>,
        verdict: Box<Verdict>,
        /// What the credential allows that decides.
        scope: Scope,
        by: Actor<'static>,
        reply: Answering<()>,
    },
    /// Stop the turn; with `hard` the agent is ended.
    Interrupt { hard: bool, by: Actor<'static>, reply: Answering<()> },
    /// End the agent.
    Stop { reply: Answering<()> },
    /// Ask the agent something, if it runs.
    Request { request: Box<HostRequest<'static>>, reply: Answering<Raw<'static>> },
    /// Enter a permission mode.
    SetMode { mode: String, by: Actor<'static>, reply: Answering<()> },
    /// Use another model.
    SetModel { model: String, by: Actor<'static>, reply: Answering<()> },
    /// Name it; without a name the title that was found counts.
    Rename { title: Option<String>, by: Actor<'static>, reply: Answering<()> },
    /// Change what it may cost.
    SetBudget { budget: Option<f64>, reply: Answering<()> },
    /// Put it aside, or back.
    Archive { archived: bool, reply: Answering<()> },
    /// It goes on: with another agent, model or mode where those are named.
    Resume {
        agent: Option<String>,
        model: Option<String>,
        mode: Option<String>,
        by: Actor<'static>,
        reply: Answering<()>,
    },
    /// What the agent told at its start, if it runs.
    Initialized { reply: Answering<Option<Arc<InitializeReply<'static>>>> },
    /// Let go of it: it is deleted, or the bridge goes down.
    Leave { end_agent: bool, reply: oneshot::Sender<()> },
}

/// What a client wants to hear first.
#[derive(Debug, Clone)]
pub(crate) enum Watch {
    /// How the session stands now: for a client that hears all sessions.
    Now,
    /// What was stored behind this place; the newest only, where there is a limit. None for nothing old.
    Since { seq: Option<u64>, limit: Option<u64>, request_id: Option<String>, plain: bool },
    /// The client fell behind: what it missed since this place.
    Again(u64),
}

/// What somebody decides.
#[derive(Debug, Clone)]
pub(crate) enum Verdict {
    Allow {
        input: Option<Raw<'static>>,
        mode: Option<String>,
        budget: Option<f64>,
    },
    AllowAlways {
        input: Option<Raw<'static>>,
        /// None given: the narrowest suggestion.
        updates: Option<Vec<PermissionUpdate<'static>>>,
    },
    Deny {
        message: Option<String>,
        interrupt: bool,
    },
    Answer {
        /// The answer to the only question, where `answers` are not given.
        result: Option<String>,
        answers: Option<Map<'static, Answer<'static>>>,
        annotations: Option<Map<'static, AnswerAnnotation<'static>>>,
        content: Option<Raw<'static>>,
    },
}

impl Verdict {
    /// Whether it rejects with words.
    pub(super) fn says_something(&self) -> bool {
        matches!(self, Verdict::Deny { message: Some(message), .. } if !message.trim().is_empty())
    }

    /// Whether it allows what was asked for.
    pub(super) fn approves(&self) -> bool {
        matches!(self, Verdict::Allow { .. } | Verdict::AllowAlways { .. })
    }
}
