//! The agent of a session, while it runs: the way to it, and what is being asked of it.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::control::{HostRequest, InitializeReply};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{Host, Machine, RequestId};
use tokio::time::Instant;

use super::command::ReplySender;
use super::translate::REMEMBERED_BYTES;
use crate::failure::Failure;
use crate::keeper::{AgentState, AttachedKeeper, InputId, KeeperEvents, KeeperHandle, Unattended};
use crate::message::ErrorCode;
use crate::message::bridge::Actor as Who;

/// How long an agent may take to answer a request.
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// How long a connection lasts that was of use.
const BRIEF: Duration = Duration::from_secs(1);

/// How many requests to the agent may be open.
const OPEN_REQUESTS: usize = 256;

/// How many requests of the agent are remembered. Few are ever open at once.
const REMEMBERED_REQUESTS: usize = 256;

/// Why an answer of the agent is awaited.
#[derive(Debug)]
pub(super) enum Awaiting {
    /// Its start.
    Start,
    /// A client asked.
    Client(ReplySender<Raw<'static>>),
    /// A client changed something, and what is noted if that works.
    Change(AgentChange, ReplySender<()>),
}

impl Awaiting {
    /// What was asked of the agent, for the operator.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Awaiting::Start => "no answer to initialize",
            Awaiting::Client(_) => "no answer to a client's request",
            Awaiting::Change(AgentChange::Mode(..), _) => "no answer to a change of the permission mode",
            Awaiting::Change(AgentChange::Model(..), _) => "no answer to a change of the model",
            Awaiting::Change(AgentChange::Interrupt, _) => "no answer to an interrupt",
        }
    }
}

/// Something that a client changes about a running agent.
#[derive(Debug, Clone)]
pub(super) enum AgentChange {
    Mode(String, Who<'static>),
    Model(String, Who<'static>),
    Interrupt,
}

/// A running agent.
pub(super) struct LiveAgent {
    pub(super) handle: KeeperHandle,
    pub(super) events: KeeperEvents,
    pub(super) folder: PathBuf,
    /// Up to which byte its output is in the log.
    pub(super) cursor: u64,
    /// Up to which byte it was read.
    pub(super) received: u64,
    machine: Machine<Host>,
    began: Instant,
    awaiting: HashMap<RequestId, Awaiting>,
    /// The newest requests of the agent that were asked: it offers one again that is decided, as long as it has not read
    /// the decision.
    asked: VecDeque<String>,
    /// It reported that it runs.
    pub(super) is_running: bool,
    pub(super) is_compacting: bool,
    /// Its end was requested.
    pub(super) is_ending: bool,
    /// When its keeper is killed if it has not ended.
    pub(super) end_by: Option<Instant>,
    /// It has to be started again before it gets the next input.
    pub(super) is_stale: bool,
    /// It takes prompts: its start was answered.
    pub(super) is_ready: bool,
    /// It had ended, or was about to, when this bridge came to it.
    pub(super) was_over: bool,
    /// It was ready before this bridge came to it.
    pub(super) was_ready_before: bool,
    /// The last instruction to the keeper for the time without a bridge.
    pub(super) plan: Option<Unattended>,
    /// Whether the keeper supports that.
    pub(super) takes_plans: bool,
    /// What it reported when it was initialized.
    pub(super) initialized: Option<Arc<InitializeReply<'static>>>,
    /// It reported that there is nothing to resume.
    pub(super) is_resume_fault: bool,
    /// The turn was interrupted: not every version's result reports it.
    pub(super) was_interrupted: bool,
    /// Its first `init` was sent to clients.
    pub(super) was_introduced: bool,
}

impl LiveAgent {
    pub(super) fn new(attached: AttachedKeeper, folder: PathBuf, cursor: u64) -> Self {
        let prefix = uuid::Uuid::new_v4().simple().to_string();
        LiveAgent {
            handle: attached.handle,
            events: attached.events,
            folder,
            cursor,
            received: cursor,
            machine: Machine::new(&prefix[..8]),
            began: Instant::now(),
            awaiting: HashMap::new(),
            asked: VecDeque::new(),
            is_running: false,
            is_compacting: false,
            is_ending: false,
            end_by: None,
            is_stale: false,
            was_over: attached.hello.state != AgentState::Running,
            is_ready: false,
            was_ready_before: false,
            plan: None,
            takes_plans: attached.hello.unattended,
            initialized: None,
            is_resume_fault: false,
            was_interrupted: false,
            was_introduced: false,
        }
    }

    /// Whether the connection has lasted for a short time only.
    pub(super) fn is_brief(&self) -> bool {
        self.began.elapsed() < BRIEF
    }

    /// Asks the agent something.
    pub(super) async fn ask(&mut self, request: HostRequest<'static>, awaiting: Awaiting) {
        if self.awaiting.len() >= OPEN_REQUESTS {
            return awaiting.fail(
                Failure::new(ErrorCode::AgentTimeout, "too many requests wait for the agent")
                    .clause("wait, or stop the session"),
            );
        }
        let deadline = self.now() + u64::try_from(REQUEST_TIME.as_millis()).unwrap_or(u64::MAX);
        let sent = self.machine.request(request, Some(deadline));
        match self.write(InputId::fresh(), sent.line).await {
            Ok(()) => drop(self.awaiting.insert(sent.id, awaiting)),
            Err(failure) => awaiting.fail(failure),
        }
    }

    /// Writes a line to the agent, once.
    pub(super) async fn write(&self, id: InputId, line: String) -> Result<(), Failure> {
        let written = self.handle.input(id, line.into_bytes()).await;
        written.map_err(|error| Failure::of(ErrorCode::AgentFailed, &error))
    }

    pub(super) fn machine(&mut self) -> &mut Machine<Host> {
        &mut self.machine
    }

    /// Whether a request was asked before; from now on it was.
    pub(super) fn was_asked(&mut self, id: &str) -> bool {
        if self.asked.iter().any(|asked| asked == id) {
            return true;
        }
        if id.len() <= REMEMBERED_BYTES {
            if self.asked.len() >= REMEMBERED_REQUESTS {
                self.asked.pop_front();
            }
            self.asked.push_back(id.to_owned());
        }
        false
    }

    /// Who waits for this answer.
    pub(super) fn answered(&mut self, id: &RequestId) -> Option<Awaiting> {
        self.awaiting.remove(id)
    }

    /// When the next request is given up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.machine.next_deadline().map(|at| self.began + Duration::from_millis(at))
    }

    /// Those whose requests are given up now.
    pub(super) fn expire(&mut self) -> Vec<Awaiting> {
        let now = self.now();
        self.machine.expire(now).into_iter().filter_map(|expired| self.awaiting.remove(&expired.id)).collect()
    }

    /// All who still wait.
    pub(super) fn abandoned(&mut self) -> Vec<Awaiting> {
        self.awaiting.drain().map(|(_, awaiting)| awaiting).collect()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Awaiting {
    /// Nothing comes any more.
    pub(super) fn fail(self, failure: Failure) {
        match self {
            Awaiting::Start => {}
            // The requester may have disconnected.
            Awaiting::Client(reply) => drop(reply.send(Err(failure))),
            // An agent that is gone is not at work.
            Awaiting::Change(AgentChange::Interrupt, reply) if failure.code == ErrorCode::AgentFailed => {
                drop(reply.send(Ok(())))
            }
            Awaiting::Change(_, reply) => drop(reply.send(Err(failure))),
        }
    }
}
