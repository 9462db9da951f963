//! Sessions that begin, continue, or are deleted.

use std::path::Path;

use aqueduct_wire::json::Number;
use uuid::Uuid;

use super::dispatch::{ReplyFuture, input_command};
use super::{ClientConnection, Hub};
use crate::auth::Principal;
use crate::failure::Failure;
use crate::log::{Append, LogError, NewSession, Time};
use crate::message::bridge::{Done, SessionDeleted, SystemNote, SystemSubtype, TrustState};
use crate::message::client::{ListRecentSessions, ResumeSession, Start};
use crate::message::{BridgeMessage, ErrorCode};
use crate::outbox::Stored;
use crate::session::{SessionCommand, SessionHost, StoredOptions, WatchStart, info_of_row};
use crate::trace;

impl Hub {
    /// Starts a session, and gives it the first input where one came along.
    pub(super) async fn start(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        start: Start<'static>,
    ) -> ReplyFuture {
        let request_id = start.request_id.as_deref().map(str::to_owned);
        let (id, trust) = match self.open_session(connection, principal, &start).await {
            Ok(opened) => opened,
            Err(failure) => {
                let message = failure.to_message(request_id.as_deref(), None);
                return Box::pin(async move { vec![message] });
            }
        };
        let mut done = Done::new();
        done.session_id = Some(id.clone().into());
        done.seq = self.last_seq(&id);
        done.trust = trust;
        done.request_id = request_id.clone().map(Into::into);
        let mut replies: Vec<BridgeMessage<'static>> = Vec::new();
        if request_id.is_some() || connection.is_none() {
            replies.push(done.into());
        }
        let Some(input) = start.first_input() else { return Box::pin(async move { replies }) };
        let make = input_command(connection, principal, input);
        let work = self.order(&id, make).await;
        Box::pin(async move {
            let acknowledged = match work {
                Ok(work) => work.await,
                Err(failure) => Err(failure),
            };
            replies.push(match acknowledged {
                Ok(ack) => ack.into(),
                Err(failure) => failure.to_message(None, Some(&id)),
            });
            replies
        })
    }

    /// Makes a session, or finds the one that is meant.
    async fn open_session(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        start: &Start<'static>,
    ) -> Result<(String, Option<TrustState<'static>>), Failure> {
        let project = self.folder_for(principal, &start.project_path).await?;
        let agent = start.agent.as_deref().unwrap_or(&self.shared.settings.default_agent);
        let agent = self.shared.settings.agent(agent).ok_or_else(|| {
            let names: Vec<&str> =
                self.shared.settings.agents.iter().map(|agent| agent.name.as_str()).collect();
            Failure::new(ErrorCode::AgentNotFound, format!("no agent named {agent} is set up"))
                .clause(format!("there are {}", names.join(", ")))
        })?;
        let mode = start.permission_mode.as_ref().map(|mode| mode.as_str().to_owned());
        if mode.as_deref() == Some("bypassPermissions") && !self.shared.settings.bypass {
            return Err(Failure::new(ErrorCode::Forbidden, "bypassPermissions is not allowed here")
                .clause("start the bridge with --allow-bypass"));
        }
        let mut id = match start.session_id.as_deref() {
            Some(id) => Some(uuid(id)?),
            None => None,
        };
        if id.is_none() && start.continue_newest == Some(true) {
            id = self.newest_of(&project).await?;
        }
        if let Some(id) = &id {
            // An unknown one is created below.
            match self.adopt_if_needed(id, Some(&project), principal).await {
                Err(failure) if failure.code != ErrorCode::SessionNotFound => return Err(failure),
                _ => {}
            }
        }
        let id = id.unwrap_or_else(|| Uuid::new_v4().to_string());
        let trust = match self.shared.log.session(&id).await {
            // It may run already; whether it may start is decided then.
            Ok(_) => None,
            Err(_) => self.check_trust(&project, agent).await?,
        };
        let opening = self.create(principal, start, &id, &project, &agent.name, mode).await?;
        self.start_actor(&id, opening).await?;
        self.attend(connection, &id).await?;
        Ok((id, trust))
    }

    /// Writes a new session down; nothing where there is one of that id.
    async fn create(
        &self,
        principal: &Principal,
        start: &Start<'static>,
        id: &str,
        project: &str,
        agent: &str,
        mode: Option<String>,
    ) -> Result<Vec<Stored>, Failure> {
        match self.shared.log.session(id).await {
            Ok(found) if found.project == project => return Ok(Vec::new()),
            Ok(found) => {
                return Err(match principal.grant.holds(&found.project) {
                    true => Failure::new(
                        ErrorCode::SessionConflict,
                        format!("session {id} works in {}", found.project),
                    ),
                    false => Failure::new(ErrorCode::SessionConflict, format!("the id {id} is taken"))
                        .clause("choose another one"),
                });
            }
            Err(LogError::NoSession { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let model = start.model.as_deref().map(str::to_owned);
        let options = StoredOptions { model: model.clone(), ..StoredOptions::default() };
        let mut new = NewSession::new(id, project, agent, "stopped");
        new.model = model;
        new.permission_mode = mode;
        new.name = start.title.as_deref().map(str::to_owned).filter(|title| !title.trim().is_empty());
        new.budget = start.budget_usd.as_ref().map(Number::as_f64);
        new.options = serde_json::to_string(&options).ok();
        let mut note = SystemNote::new(SystemSubtype::SessionCreated);
        note.project_path = Some(project.to_owned().into());
        note.agent = Some(agent.to_owned().into());
        note.model = start.model.clone();
        note.permission_mode = start.permission_mode.clone();
        note.title = start.title.clone();
        note.by = Some(principal.actor());
        let stored = Stored::new(&note);
        let append = Append::new(Time::now()).event(stored.event());
        match self.shared.log.create_session(new, append).await {
            Ok(_) => {
                trace::session_created(id, agent);
                Ok(vec![stored])
            }
            Err(LogError::SessionExists { .. }) => {
                let message = format!("session {id} was deleted, or is being made");
                Err(Failure::new(ErrorCode::SessionConflict, message).clause("choose another id"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The newest session of a folder, wherever it was started.
    async fn newest_of(&self, project: &str) -> Result<Option<String>, Failure> {
        let mut request = ListRecentSessions::new();
        request.project_path = Some(project.to_owned().into());
        request.limit = Some(1);
        let recent = self.shared.recents.list(&request, None, info_of_row).await?;
        Ok(recent.sessions.into_iter().next().map(|session| session.session_id.into_string()))
    }

    /// A client uses a session: it subscribes to it, and later messages without a session refer to it.
    async fn attend(&self, connection: Option<&ClientConnection>, id: &str) -> Result<(), Failure> {
        self.resolve_session(connection, Some(id))?;
        let Some(connection) = connection else { return Ok(()) };
        let receives_all =
            self.shared.registry().clients.get(&connection.id()).is_some_and(|client| client.receives_all);
        match receives_all {
            // It watches the session already; once the session has answered, it has sent all earlier events.
            true => self.ask(id, |reply| SessionCommand::Snapshot { reply }).await.map(drop),
            false => {
                let seq = self.last_seq(id).map(|last| last.saturating_sub(1));
                connection
                    .watch(id, WatchStart::Since { seq, limit: None, request_id: None, plain: true })
                    .await
            }
        }
    }

    /// A session continues with the next input.
    pub(super) async fn resume(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        resume: ResumeSession<'static>,
    ) -> Result<ReplyFuture, Failure> {
        let id = resume.session_id.as_str().to_owned();
        if let Some(folder) = resume.project_path.as_deref().filter(|_| principal.grant.root.is_some()) {
            self.folder_for(principal, folder).await?;
        }
        self.adopt_if_needed(&id, resume.project_path.as_deref(), principal).await?;
        let by = principal.actor();
        let agent = resume.agent.as_deref().map(str::to_owned);
        let model = resume.model.as_deref().map(str::to_owned);
        let mode = resume.permission_mode.as_ref().map(|mode| mode.as_str().to_owned());
        let make = move |reply| SessionCommand::Resume {
            agent: agent.clone(),
            model: model.clone(),
            mode: mode.clone(),
            by: by.clone(),
            reply,
        };
        let work = self.order(&id, make).await?;
        self.attend(connection, &id).await?;
        Ok(self.done(work, id, resume.request_id.map(|id| id.into_string())))
    }

    /// Takes a session over that was started in a terminal, if the log has none of this id.
    pub(super) async fn adopt_if_needed(
        &self,
        id: &str,
        project: Option<&str>,
        principal: &Principal,
    ) -> Result<(), Failure> {
        match self.shared.log.session(id).await {
            Ok(_) => return Ok(()),
            Err(LogError::NoSession { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let agent = &self.shared.settings.default_agent;
        let adopted = self.shared.recents.adopt(id, project, agent, principal.actor()).await?;
        self.start_actor(id, adopted.opening).await?;
        Ok(())
    }

    /// Deletes a session for good. Its agent is ended first.
    pub(super) async fn delete(&self, id: &str) -> Result<(), Failure> {
        let folder = self.shared.log.session(id).await?.project;
        let mailbox = self.mailbox(id).await?;
        let (reply, left) = tokio::sync::oneshot::channel();
        if mailbox.send(SessionCommand::Close { end_agent: true, reply }).await.is_ok() {
            // One that leaves by itself is gone as well.
            let _ = left.await;
        }
        self.shared.log.delete_session(id).await?;
        trace::session_deleted(id);
        self.shared.broadcast(&folder, &SessionDeleted::new(id.to_owned()).into());
        Ok(())
    }

    /// The folder that is meant, with symlinks resolved. It must be under a root of the bridge, and in that
    /// of the credential.
    pub(super) async fn folder_for(&self, principal: &Principal, path: &str) -> Result<String, Failure> {
        text(&self.workspace_for(principal).project(path).await?)
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Failure::new(ErrorCode::PathNotAllowed, "the folder's name is not text").clause("rename it")
    })
}

fn uuid(text: &str) -> Result<String, Failure> {
    let parsed = Uuid::try_parse(text).map(|uuid| uuid.to_string());
    parsed.map_err(|_| Failure::new(ErrorCode::InvalidMessage, "`sessionId` must be a UUID"))
}
