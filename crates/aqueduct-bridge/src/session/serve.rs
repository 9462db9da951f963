//! What clients ask of a session, done in the order in which it comes.

use tokio::time::Instant;

use super::actor::SessionActor;
use super::command::SessionCommand;
use super::connect::PATIENCE;
use super::details;
use crate::failure::Failure;
use crate::fault::{FaultPoint, pass};
use crate::log::SessionChange;
use crate::message::ErrorCode;
use crate::message::bridge::{Actor as Who, PermissionKind, SystemNote, SystemSubtype};
use crate::outbox::Stored;

impl SessionActor {
    /// Executes a command. The requester may have disconnected, so errors of the reply channel are ignored.
    pub(super) async fn serve(&mut self, ask: SessionCommand) {
        match ask {
            SessionCommand::Watch { watcher, watch, reply } => {
                self.watch(watcher, watch);
                let _ = reply.send(Ok(()));
            }
            SessionCommand::Unwatch { client } => self.watchers.remove(client),
            SessionCommand::Snapshot { reply } => drop(reply.send(Ok(self.snapshot()))),
            SessionCommand::Input { input, client, by, reply } => {
                self.retry_now().await;
                let taken = self.take_input(*input, client, by).await;
                pass(FaultPoint::InputAcknowledged);
                let _ = reply.send(taken);
                self.pump().await;
            }
            SessionCommand::UpdateQueued { id, text, images, reply } => {
                let _ = reply.send(self.update_queued(&id, text, images).await);
            }
            SessionCommand::CancelQueued { id, reply } => drop(reply.send(self.cancel_queued(&id).await)),
            SessionCommand::MoveQueued { id, position, reply } => {
                drop(reply.send(self.move_queued(&id, position).await))
            }
            SessionCommand::SendQueued { id, priority, by, reply } => {
                self.retry_now().await;
                let _ = reply.send(self.send_queued(&id, &priority, by).await);
                self.pump().await;
            }
            SessionCommand::Decide { decision, scope, by, reply } => {
                self.retry_now().await;
                let _ = reply.send(self.decide(decision, scope, by).await);
                self.pump().await;
            }
            SessionCommand::Interrupt { hard, by, reply } => {
                self.retry_now().await;
                self.interrupt(hard, by, reply).await;
            }
            SessionCommand::Stop { reply } => {
                self.retry_now().await;
                let _ = reply.send(self.stop().await);
            }
            SessionCommand::Request { request, reply } => self.request(*request, reply).await,
            SessionCommand::SetMode { mode, by, reply } => self.set_mode(mode, by, reply).await,
            SessionCommand::SetModel { model, by, reply } => self.set_model(model, by, reply).await,
            SessionCommand::Rename { title, by, reply } => drop(reply.send(self.rename(title, by).await)),
            SessionCommand::SetBudget { budget, reply } => {
                let _ = reply.send(self.set_budget(budget).await);
                self.pump().await;
            }
            SessionCommand::Archive { archived, reply } => drop(reply.send(self.archive(archived).await)),
            SessionCommand::Resume { agent, model, mode, by, reply } => {
                self.retry_now().await;
                let _ = reply.send(self.resume(agent, model, mode, by).await);
                self.pump().await;
            }
            SessionCommand::Initialized { reply } => {
                let known = self.live.as_ref().and_then(|live| live.initialized.clone());
                let _ = reply.send(Ok(known.or_else(|| self.services.host.agent_info(&self.row.agent))));
            }
            SessionCommand::Close { end_agent, reply } => {
                self.close();
                if end_agent {
                    self.retry_now().await;
                    self.end_now().await;
                }
                let _ = reply.send(());
            }
        }
    }

    /// Retries now, if a write to the log failed before.
    async fn retry_now(&mut self) {
        if self.retry_at.is_some() {
            self.start_over().await;
        }
    }

    /// Ends the agent and waits until it is gone.
    async fn end_now(&mut self) {
        self.end_agent().await;
        loop {
            if let Some(live) = &mut self.live {
                let end_by = live.end_by.unwrap_or_else(Instant::now);
                match tokio::time::timeout_at(end_by, live.events.next()).await {
                    Ok(event) => self.receive_event(event).await,
                    Err(_) => self.kill_keeper().await,
                }
            } else if let Some(connecting) = &mut self.connecting {
                match tokio::time::timeout(PATIENCE, connecting.done()).await {
                    Ok(attached) => {
                        self.connected(attached).await;
                        self.end_agent().await;
                    }
                    Err(_) => self.kill_keeper().await,
                }
            } else {
                // One that could not be attached to is not left behind either.
                return self.kill_keeper().await;
            }
        }
    }

    async fn rename(&mut self, title: Option<String>, by: Who<'static>) -> Result<(), Failure> {
        self.row.name = title.clone();
        let mut note = SystemNote::new(SystemSubtype::TitleChanged);
        note.title = Some(self.title().into());
        note.by = Some(by);
        self.note(Stored::new(&note), vec![SessionChange::Rename(title)]).await?;
        self.show_row();
        Ok(())
    }

    async fn set_budget(&mut self, budget: Option<f64>) -> Result<(), Failure> {
        self.row.budget = budget;
        let mut changes = vec![SessionChange::Budget(budget)];
        let mut outputs = Vec::new();
        if !self.is_paused() {
            let asked =
                self.pending.iter().find(|pending| pending.request.kind == PermissionKind::Budget.as_str());
            if let Some(id) = asked.map(|pending| pending.request.request_id.clone()) {
                let (withdrawn, change) = self.withdraw(&id);
                outputs.extend(withdrawn);
                changes.push(change);
            }
        }
        self.append_and_publish(outputs, changes).await?;
        self.show_budget();
        self.show_row();
        Ok(())
    }

    async fn archive(&mut self, archived: bool) -> Result<(), Failure> {
        self.row.archived = archived;
        self.append_and_publish(Vec::new(), vec![SessionChange::Archived(archived)]).await?;
        self.show_row();
        Ok(())
    }

    /// The session continues with the next input, with what is named here.
    async fn resume(
        &mut self,
        agent: Option<String>,
        model: Option<String>,
        mode: Option<String>,
        by: Who<'static>,
    ) -> Result<(), Failure> {
        let mut changes = Vec::new();
        if let Some(agent) = agent.filter(|agent| *agent != self.row.agent) {
            if self.live.is_some() {
                return Err(Failure::new(ErrorCode::SessionConflict, "the session's agent runs")
                    .clause("stop it, then resume with another"));
            }
            if self.services.settings.agent(&agent).is_none() {
                let message = format!("no agent named {agent} is set up");
                return Err(Failure::new(ErrorCode::AgentNotFound, message));
            }
            changes.push(SessionChange::Agent(agent.clone()));
            self.row.agent = agent;
        }
        if self.live.is_none() {
            if let Some(model) = model {
                self.row.model = Some(model.clone());
                self.options.model = Some(model.clone());
                changes.push(SessionChange::Model(Some(model)));
                changes.push(SessionChange::Options(details::write(&self.options)));
            }
            if let Some(mode) = mode {
                self.row.permission_mode = Some(mode.clone());
                changes.push(SessionChange::PermissionMode(Some(mode)));
            }
        }
        if self.row.archived {
            self.row.archived = false;
            changes.push(SessionChange::Archived(false));
        }
        if changes.is_empty() {
            return self.lift_hold().await;
        }
        changes.extend(self.release());
        let mut note = SystemNote::new(SystemSubtype::SessionResumed);
        note.by = Some(by);
        note.agent = Some(self.row.agent.clone().into());
        self.note(Stored::new(&note), changes).await?;
        self.released();
        self.show_row();
        Ok(())
    }
}
