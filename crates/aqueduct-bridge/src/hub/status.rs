//! The state of the bridge, and the stderr of its agents.

use std::time::Duration;

use aqueduct_os::resources;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Hub;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::failures::FailureKind;
use crate::keeper;
use crate::log::Time;
use crate::message::ErrorCode;
use crate::message::bridge::{
    AgentStderr, BridgeLoad, BridgeStatus, BridgeStorage, ClientCount, FailureNote, FailureTotal,
    PendingDecision, PermissionKind, SessionInfo, StderrLine,
};
use crate::message::client::GetStderr;
use crate::session::{SessionCommand, keeper_folder};

/// How long a session may take to report what it waits for. One that does not answer is listed without it.
const PATIENCE: Duration = Duration::from_secs(1);

impl Hub {
    /// The state of the bridge, as far as the credential can see it.
    pub(super) async fn status(&self, principal: &Principal) -> BridgeStatus<'static> {
        let sessions = self.list_sessions(principal).sessions;
        let waiting = self.waiting(&sessions).await;
        let sizes = self.storage().await;
        let mut storage = BridgeStorage::new(sizes.database, sizes.spools);
        storage.available_bytes = sizes.disk.map(|disk| disk.available);
        storage.total_bytes = sizes.disk.map(|disk| disk.total);
        let queued: u64 = sessions.iter().filter_map(|session| session.queued).sum();
        let mut load = BridgeLoad::new(self.shared.log.waiting_bytes() as u64, queued);
        load.memory_bytes = resources::resident_memory();
        load.open_files = resources::open_files();
        load.open_files_limit = resources::open_files_limit();
        let readiness = self.readiness().await;
        let failures = self.failure_notes(principal);
        let mut status = BridgeStatus::new(
            self.shared.settings.version.clone(),
            self.shared.started.0.unsigned_abs(),
            Time::now().0.unsigned_abs(),
            readiness,
            sessions,
            waiting,
            self.client_counts(),
            load,
            storage,
        );
        status.failures = Some(self.failure_totals());
        status.recent_failures = Some(failures);
        status
    }

    /// How often each kind of failure happened.
    fn failure_totals(&self) -> Vec<FailureTotal<'static>> {
        let counted = FailureKind::ALL.iter().map(|kind| (kind, self.shared.failures.count(*kind)));
        let totals = counted.filter(|(_, count)| *count > 0).map(|(kind, count)| {
            let mut total = FailureTotal::new(kind.name(), count);
            total.message = Some(kind.message().into());
            total
        });
        totals.collect()
    }

    /// The latest failures. A credential with a root only sees those of sessions in it.
    fn failure_notes(&self, principal: &Principal) -> Vec<FailureNote<'static>> {
        let recent = self.shared.failures.recent();
        let registry = self.shared.registry();
        let is_visible = |session: &Option<String>| match session {
            _ if principal.grant.root.is_none() => true,
            Some(id) => {
                registry.sessions.get(id.as_str()).is_some_and(|held| principal.grant.holds(&held.folder))
            }
            None => false,
        };
        let notes = recent.into_iter().filter(|failure| is_visible(&failure.session_id)).map(|failure| {
            let time = failure.time.0.unsigned_abs();
            let mut note = FailureNote::new(time, failure.kind.name(), failure.error);
            note.session_id = failure.session_id.map(Into::into);
            note
        });
        notes.collect()
    }

    /// What sessions wait for, oldest first.
    async fn waiting(&self, sessions: &[SessionInfo<'static>]) -> Vec<PendingDecision<'static>> {
        let mut asked = JoinSet::new();
        for session in sessions.iter().filter(|session| session.pending.is_some_and(|count| count > 0)) {
            let (hub, id) = (self.clone(), session.session_id.as_str().to_owned());
            asked.spawn(async move {
                let snapshot = hub.ask(&id, |reply| SessionCommand::Snapshot { reply });
                Some((timeout(PATIENCE, snapshot).await.ok()?.ok()?, id))
            });
        }
        let mut waiting = Vec::new();
        for (snapshot, session) in asked.join_all().await.into_iter().flatten() {
            waiting.extend(snapshot.pending.into_iter().map(|request| {
                let id = request.id.unwrap_or_else(|| request.tool_use_id.clone());
                let kind = request.kind.unwrap_or(PermissionKind::Permission);
                let since = request.time.unwrap_or_default();
                let mut waits = PendingDecision::new(session.clone(), id, kind, request.tool_name, since);
                waits.title = request.title;
                waits
            }));
        }
        waiting.sort_by(|a, b| (a.since, a.id.as_str()).cmp(&(b.since, b.id.as_str())));
        waiting
    }

    /// The number of connected clients of each kind.
    pub(crate) fn client_counts(&self) -> Vec<ClientCount<'static>> {
        let registry = self.shared.registry();
        let counted = |kind: &'static str, transport: &'static str| {
            let is_such = |client: &&super::registry::ClientEntry| {
                client.kind == kind && client.transport.name() == transport
            };
            ClientCount::new(kind, transport, registry.clients.values().filter(is_such).count() as u64)
        };
        let kinds = ["device", "token"];
        kinds.iter().flat_map(|kind| [counted(kind, "websocket"), counted(kind, "events")]).collect()
    }

    /// What a session's agent wrote to its stderr.
    pub(super) async fn stderr(&self, message: GetStderr<'static>) -> Result<AgentStderr<'static>, Failure> {
        let id = message.session_id.into_string();
        let name = self.shared.log.session(id.as_str()).await?.keeper;
        let folder = name.as_deref().and_then(|name| keeper_folder(&self.shared.settings.data, name));
        let Some(folder) = folder else { return Ok(AgentStderr::new(id, Vec::new(), 0_u64)) };
        let run = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_same = message.run.as_deref().is_none_or(|known| known == run);
        let from = message.since_offset.filter(|_| is_same).unwrap_or_default();
        let page = tokio::task::spawn_blocking(move || keeper::read_stderr(&folder, from)).await;
        let page = page.map_err(std::io::Error::other).flatten().map_err(|error| {
            Failure::new(ErrorCode::StorageFailed, format!("the agent's stderr can't be read: {error}"))
        })?;
        let lines = page.lines.into_iter().map(|line| StderrLine::new(line.time, line.text));
        let mut reply = AgentStderr::new(id, lines.collect::<Vec<_>>(), page.next);
        reply.run = Some(run.into());
        reply.more = Some(page.more);
        Ok(reply)
    }
}
