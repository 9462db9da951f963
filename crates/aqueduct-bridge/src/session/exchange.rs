//! Control requests between the bridge and a session's agent.

use aqueduct_client::Version;
use aqueduct_wire::FromAgent;
use aqueduct_wire::control::{
    AgentRequest, HostRequest, InitializeReply, InterruptRequest, SetModelRequest, SetPermissionModeRequest,
};
use aqueduct_wire::json::{IntoOwned, Raw, Str};
use aqueduct_wire::machine::Incoming;
use aqueduct_wire::permission::PermissionMode;

use super::absorb::{Batch, Unexplained};
use super::actor::SessionActor;
use super::command::ReplySender;
use super::details;
use super::live::{AgentChange as Wanted, Awaiting};
use super::pending;
use super::translate::SessionOutput;
use crate::failure::Failure;
use crate::keeper::InputId;
use crate::log::SessionChange;
use crate::message::ErrorCode;
use crate::message::bridge::{Actor as Who, PermissionRequest, SystemNote, SystemSubtype};
use crate::outbox::Stored;
use crate::trace;

impl SessionActor {
    /// A control frame of the agent.
    pub(super) fn control(&mut self, frame: FromAgent<'static>, batch: &mut Batch) {
        match frame {
            FromAgent::ControlRequest(frame) if pending::is_asked(&frame.request) => {
                self.asked(&frame.request_id, frame.request, batch);
            }
            frame => {
                if let FromAgent::ControlCancelRequest(cancel) = &frame
                    && let Some(id) = self.pending_of_agent(&cancel.request_id)
                {
                    let (outputs, change) = self.withdraw(&id);
                    batch.outputs.extend(outputs);
                    batch.changes.push(change);
                    return;
                }
                let incoming =
                    self.live.as_mut().map(|live| live.machine().receive(&frame)).unwrap_or_default();
                for incoming in incoming {
                    self.incoming(incoming, batch);
                }
            }
        }
    }

    fn incoming(&mut self, incoming: Incoming<AgentRequest<'static>>, batch: &mut Batch) {
        match incoming {
            // An agent that is initialized again offers again what is open.
            Incoming::Request { id, request } if pending::is_asked(&request) => {
                self.asked(id.as_str(), request, batch);
            }
            // The bridge serves no hooks and no MCP: the agent would wait for an answer.
            Incoming::Request { id, .. } => {
                batch.answers.extend(self.live.as_mut().and_then(|live| live.machine().decline(&id)));
            }
            Incoming::Refused { line, .. } => batch.answers.push(line),
            Incoming::Answer { id, outcome, .. } => {
                if let Some(awaiting) = self.live.as_mut().and_then(|live| live.answered(&id)) {
                    batch.answered.push((awaiting, outcome.map_err(Failure::from)));
                }
            }
            _ => {}
        }
    }

    /// The agent asks for a decision. One that it offers again is open already, or decided. Its own id of the request
    /// only serves to know that, and to answer it: clients get an id of the bridge.
    fn asked(&mut self, agent_id: &str, mut request: AgentRequest<'static>, batch: &mut Batch) {
        if let AgentRequest::CanUseTool(request) = &mut request {
            self.profile().normalize(request);
        }
        let is_open = self.pending_of_agent(agent_id).is_some();
        if is_open || self.live.as_mut().is_some_and(|live| live.was_asked(agent_id)) {
            return;
        }
        self.is_at_work(batch);
        let id = pending::fresh_id();
        if let Some(message) = pending::message(&id, request) {
            self.ask_people(&id, Some(agent_id), message, batch);
        }
    }

    /// An answer of the agent came.
    pub(super) async fn answered(&mut self, awaiting: Awaiting, answer: Result<Raw<'static>, Failure>) {
        match (awaiting, answer) {
            (Awaiting::Start, answer) => {
                let reply = answer
                    .ok()
                    .and_then(|answer| answer.view::<InitializeReply<'_>>().map(IntoOwned::into_owned));
                let Some(live) = &mut self.live else { return };
                // One that was started by another bridge may report that it was initialized before.
                live.is_ready = true;
                self.was_restarted = false;
                live.initialized = reply.map(Into::into);
                self.trouble = None;
                if let Some(reply) = &live.initialized {
                    self.services.host.store_agent_info(&self.row.agent, reply.clone());
                }
            }
            (Awaiting::Client(reply), answer) => drop(reply.send(answer)),
            (Awaiting::Change(change, reply), Ok(_)) => {
                let done = self.changed(change).await;
                // The requester may have disconnected.
                let _ = reply.send(done);
            }
            (awaiting, Err(failure)) => awaiting.fail(failure),
        }
    }

    async fn changed(&mut self, change: Wanted) -> Result<(), Failure> {
        match change {
            Wanted::Mode(mode, by) => {
                let mut batch = Batch::default();
                self.mode_changed(mode, Some(by), &mut batch);
                self.append_and_publish(batch.outputs, batch.changes).await?;
                self.show_row();
                Ok(())
            }
            Wanted::Model(model, by) => self.model_changed(model, by).await,
            Wanted::Interrupt => Ok(()),
        }
    }

    async fn model_changed(&mut self, model: String, by: Who<'static>) -> Result<(), Failure> {
        self.row.model = Some(model.clone());
        self.options.model = Some(model.clone());
        let mut note = SystemNote::new(SystemSubtype::ModelChanged);
        note.model = Some(model.clone().into());
        note.by = Some(by);
        let changes =
            vec![SessionChange::Model(Some(model)), SessionChange::Options(details::write(&self.options))];
        self.note(Stored::new(&note), changes).await?;
        self.show_row();
        Ok(())
    }

    /// Enters a permission mode: at once where an agent runs, else with the next.
    pub(super) async fn set_mode(&mut self, mode: String, by: Who<'static>, reply: ReplySender<()>) {
        if mode == "bypassPermissions" && !self.services.settings.bypass {
            let failure = Failure::new(ErrorCode::Forbidden, "bypassPermissions is not allowed here")
                .clause("start the bridge with --allow-bypass");
            // The requester may have disconnected.
            let _ = reply.send(Err(failure));
            return;
        }
        let request = SetPermissionModeRequest::new(PermissionMode::from(Str::from(mode.clone())));
        let request = match self.profile().translate(HostRequest::SetPermissionMode(request)) {
            Ok(request) => request,
            Err(error) => {
                let _ = reply.send(Err(Failure::of(ErrorCode::NotSupported, &error)));
                return;
            }
        };
        match &mut self.live {
            Some(live) => {
                let awaiting = Awaiting::Change(Wanted::Mode(mode, by), reply);
                live.ask(request, awaiting).await;
            }
            None => drop(reply.send(self.changed(Wanted::Mode(mode, by)).await)),
        }
    }

    /// Uses another model: at once where an agent runs, else with the next.
    pub(super) async fn set_model(&mut self, model: String, by: Who<'static>, reply: ReplySender<()>) {
        match &mut self.live {
            Some(live) => {
                let mut request = SetModelRequest::new();
                request.model = Some(model.clone().into());
                let awaiting = Awaiting::Change(Wanted::Model(model, by), reply);
                live.ask(HostRequest::SetModel(request), awaiting).await;
            }
            None => drop(reply.send(self.changed(Wanted::Model(model, by)).await)),
        }
    }

    /// Stops the turn: the agent is asked, or ended.
    pub(super) async fn interrupt(&mut self, hard: bool, by: Who<'static>, reply: ReplySender<()>) {
        let is_busy = self.live.as_ref().is_some_and(|live| live.is_running) || !self.sent.is_empty();
        let mut note = SystemNote::new(SystemSubtype::Interrupted);
        note.by = Some(by);
        let note = Stored::new(&note);
        // The agent is interrupted before that is noted: it must work also where the log can't be written.
        let is_there = self.live.is_some() || self.row.keeper.is_some();
        match &mut self.live {
            _ if hard && is_there => {
                let stopped = self.stop().await;
                let noted = match is_busy && stopped.is_ok() {
                    true => self.note(note, Vec::new()).await,
                    false => Ok(()),
                };
                // The requester may have disconnected.
                let _ = reply.send(stopped.and(noted));
            }
            None if is_there => {
                let message =
                    "the process that holds the agent does not answer, so nothing can be interrupted";
                let failure = Failure::new(ErrorCode::AgentTimeout, message)
                    .clause("wait until it continues, or stop the session");
                let _ = reply.send(Err(failure));
            }
            Some(live) if is_busy => {
                live.was_interrupted = true;
                let request = HostRequest::Interrupt(InterruptRequest::new());
                live.ask(request, Awaiting::Change(Wanted::Interrupt, reply)).await;
                // A failure is returned to the requester.
                let _ = self.note(note, Vec::new()).await;
            }
            _ => drop(reply.send(Ok(()))),
        }
    }

    /// Asks a running agent something for a client.
    pub(super) async fn request(&mut self, request: HostRequest<'static>, reply: ReplySender<Raw<'static>>) {
        let request = match self.profile().translate(request) {
            Ok(request) => request,
            Err(error) => {
                // The requester may have disconnected.
                let _ = reply.send(Err(Failure::of(ErrorCode::NotSupported, &error)));
                return;
            }
        };
        let version = self.details.agent_version.as_deref();
        // The oldest agents leave what they don't know without an answer.
        let knows = version.and_then(|version| version.parse::<Version>().ok()?.knows(request.tag()));
        match &mut self.live {
            Some(_) if knows == Some(false) => {
                let message =
                    format!("agents of version {} don't know {}", version.unwrap_or_default(), request.tag());
                let failure = Failure::new(ErrorCode::NotSupported, message).clause("use a newer one");
                let _ = reply.send(Err(failure));
            }
            Some(live) => live.ask(request, Awaiting::Client(reply)).await,
            None => {
                let failure = Failure::new(ErrorCode::AgentNotRunning, "the session's agent does not run")
                    .clause("send an input first");
                let _ = reply.send(Err(failure));
            }
        }
    }

    /// Writes a line to the agent that needs no name: one that is lost with a crash is not missed.
    pub(super) async fn write(&mut self, line: String) {
        if let Some(live) = &self.live {
            // A lost keeper is reported by its events.
            let _ = live.write(InputId::fresh(), line).await;
        }
    }

    /// Asks the clients, and stores the question until one decides.
    pub(super) fn ask_people(
        &mut self,
        id: &str,
        agent_id: Option<&str>,
        mut message: PermissionRequest<'static>,
        batch: &mut Batch,
    ) {
        let (pending, stored) = pending::keep(id, agent_id, &mut message);
        batch.unexplained.push(Unexplained {
            outputs: batch.outputs.len(),
            change: batch.changes.len(),
            message,
        });
        batch.outputs.push(SessionOutput::Stored(stored));
        batch.changes.push(SessionChange::Ask(pending.request.clone()));
        self.pending.push(pending);
        self.services.metrics.asked.add(1);
        trace::decision_asked(&self.id);
    }
}
