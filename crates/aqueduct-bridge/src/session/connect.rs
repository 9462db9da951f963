//! The way to the keeper that holds a session's agent.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_wire::control::{HostRequest, InitializeRequest};
use aqueduct_wire::hint::HintedError as _;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::absorb::notice;
use super::actor::SessionActor;
use super::live::{Awaiting, LiveAgent};
use crate::failure::Failure;
use crate::failures::FailureKind;
use crate::fault::{FaultPoint, pass};
use crate::keeper::{
    self, AttachError, AttachedKeeper, InputDelivery as WriteState, KeeperState, OffsetError,
};
use crate::log::{SessionChange, StoredInputState};
use crate::telemetry::SessionEvent;
use crate::trace;

/// After how long a keeper that does not answer is reported. It answers within microseconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// How long to wait at first, and at most, before a keeper is tried again that lives and has no socket: it is starting
/// or ending.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));

/// A keeper that has been called and has not answered yet.
pub(super) struct Connecting {
    folder: PathBuf,
    since: Instant,
    attaching: JoinHandle<Result<(AttachedKeeper, u64), AttachError>>,
}

impl Drop for Connecting {
    fn drop(&mut self) {
        self.attaching.abort();
    }
}

impl Connecting {
    /// When it is reported that the keeper does not answer; none if that has happened.
    pub(super) fn patience_end(&self) -> Option<Instant> {
        let end = self.since + PATIENCE;
        (Instant::now() < end).then_some(end)
    }

    /// The keeper's answer, or that it is gone.
    pub(super) async fn done(&mut self) -> Result<(AttachedKeeper, u64), AttachError> {
        match (&mut self.attaching).await {
            Ok(attached) => attached,
            Err(error) => Err(AttachError::Dead(std::io::Error::other(error))),
        }
    }
}

impl SessionActor {
    /// Where the keeper is that holds the agent. The log keeps the name alone, so that a data folder can be moved;
    /// earlier versions kept the whole path.
    pub(super) fn keeper_folder(&self) -> Option<PathBuf> {
        keeper_folder(&self.services.settings.data, self.row.keeper.as_deref()?)
    }

    /// Finds the agent that a former bridge has left, or what became of it.
    pub(super) async fn recover(&mut self) {
        let Some(folder) = self.keeper_folder() else { return self.without_keeper().await };
        match find(&folder).await {
            Ok(KeeperState::Alive) => self.connect(folder),
            Ok(KeeperState::Dead(remains)) => self.process_remains(folder, remains).await,
            Ok(KeeperState::Gone) => self.keeper_vanished().await,
            Err(error) => {
                self.keeper_unusable(&error);
                self.retry_later(format!("can't look for the session's agent: {error}"));
            }
        }
    }

    pub(super) fn keeper_unusable(&self, error: &dyn Display) {
        self.report(FailureKind::KeeperUnusable, error);
    }

    /// Calls a keeper that lives. It may take any time to answer; no other agent is started meanwhile.
    pub(super) fn connect(&mut self, folder: PathBuf) {
        let cursor = self.row.cursor;
        let anchor = self.details.anchor.min(cursor);
        let pause = std::mem::take(&mut self.was_brief).then_some(PAUSES.1);
        let reached = reach(folder.clone(), anchor, cursor);
        let attaching = tokio::spawn(async move {
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
            reached.await
        });
        self.connecting = Some(Connecting { folder, since: Instant::now(), attaching });
    }

    /// Whether a keeper was called that is about to answer.
    pub(super) fn is_answering(&self) -> bool {
        self.connecting.as_ref().is_some_and(|connecting| connecting.patience_end().is_some())
    }

    /// Whether the keeper has not answered for so long that clients are notified.
    pub(super) fn is_unreachable(&self) -> bool {
        self.connecting.as_ref().is_some_and(|connecting| connecting.patience_end().is_none())
    }

    /// A keeper has answered, or is gone.
    pub(super) async fn connected(&mut self, attached: Result<(AttachedKeeper, u64), AttachError>) {
        let Some(connecting) = self.connecting.take() else { return };
        match attached {
            Ok((attached, from)) => self.attached(attached, connecting.folder.clone(), from).await,
            Err(AttachError::Dead(_)) => self.recover().await,
            Err(error) => {
                self.keeper_unusable(&error);
                self.retry_later(error.advised());
            }
        }
        self.pump().await;
    }

    async fn attached(&mut self, attached: AttachedKeeper, folder: PathBuf, from: u64) {
        pass(FaultPoint::KeeperAttached);
        trace::keeper_attached(&self.id, attached.hello.agent.into(), from);
        self.trouble = None;
        self.was_ending = false;
        self.translator.reset();
        if from > self.row.cursor {
            // The log was set back: the messages since then are in the agent's own transcript.
            let message = "The log is older than the agent's output: a part of the output is missing here.";
            if self.note(notice(message.to_owned()), Vec::new()).await.is_err() {
                return;
            }
        } else if attached.hello.next < self.row.cursor {
            let name = self.row.keeper.clone();
            if self.append_and_publish(Vec::new(), vec![SessionChange::Keeper(name)]).await.is_err() {
                return;
            }
            self.row.cursor = 0;
        }
        let cursor = self.row.cursor;
        if let Err(failure) = self.recall_given(&folder, from > cursor).await {
            return self.retry_later(failure.advised());
        }
        let mut live = LiveAgent::new(attached, folder, cursor);
        live.was_introduced = self.row.agent_id.is_some() && cursor > 0;
        live.was_ready_before = cursor > 0 || !self.sent.is_empty();
        for agent_id in self.pending.iter().filter_map(|pending| pending.request.agent_request_id.as_deref())
        {
            live.was_asked(agent_id);
        }
        self.live = Some(live);
        self.observe(SessionEvent::AgentRunning);
        self.ask_journal().await;
        self.plan_unattended().await;
        self.deliver_again().await;
        // Behind the decisions, since the answer lists what is open.
        if let Some(live) = &mut self.live {
            live.ask(HostRequest::Initialize(Box::new(InitializeRequest::new())), Awaiting::Start).await;
        }
        if self.details.held {
            // The session was stopped before the keeper answered.
            self.end_agent().await;
        }
    }

    /// Notes which inputs this keeper has given to its agent. The others are offered to it again, under their names.
    async fn ask_journal(&mut self) {
        let Some(live) = &self.live else { return };
        let write_states = self.write_states(live.folder.clone()).await;
        for (place, sent) in self.sent.iter_mut().enumerate() {
            let write_state = write_states.as_ref().and_then(|write_states| write_states.get(place));
            sent.is_given = match sent.input.state {
                StoredInputState::Returned => false,
                StoredInputState::Taken => true,
                // The keeper itself knows, where its file does not have it.
                _ => matches!(write_state, Some(WriteState::Written | WriteState::Unconfirmed)),
            };
        }
    }

    /// Ends a keeper that has not answered in time, if the session was stopped meanwhile.
    pub(super) async fn end_unreachable(&mut self) {
        if self.details.held && self.is_unreachable() {
            self.kill_keeper().await;
        }
    }

    /// Ends a keeper that does not answer, and its agent. What it has spooled is read.
    pub(super) async fn kill_keeper(&mut self) {
        let Some(folder) = self.keeper_folder() else { return };
        self.connecting = None;
        if let Some(mut live) = self.live.take() {
            self.was_ending = live.is_ending;
            for awaiting in live.abandoned() {
                awaiting.fail(Failure::agent("the agent did not end in time, and was killed"));
            }
        }
        if let Err(error) = kill(folder.clone()).await {
            self.keeper_unusable(&error);
            return self.retry_later(format!("the keeper of the session's agent can't be ended: {error}"));
        }
        // Its socket closes when it is gone.
        self.connect(folder);
    }
}

/// The folder of a keeper by what the log has of it.
pub(crate) fn keeper_folder(data: &Path, kept: &str) -> Option<PathBuf> {
    Path::new(kept).file_name().map(|name| data.join("keepers").join(name))
}

/// Kills the keeper in a folder, and with it the agent.
pub(super) async fn kill(folder: PathBuf) -> std::io::Result<()> {
    let killed = tokio::task::spawn_blocking(move || keeper::kill(&folder)).await;
    killed.map_err(std::io::Error::other).flatten().map(drop)
}

/// What is in a keeper's folder.
pub(super) async fn find(folder: &Path) -> std::io::Result<KeeperState> {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || keeper::find(&folder)).await.map_err(std::io::Error::other)?
}

/// Attaches to a keeper, however long it takes to answer; returns the offset from which its output comes. An error is
/// that it is dead, or none that this bridge can use.
async fn reach(folder: PathBuf, anchor: u64, cursor: u64) -> Result<(AttachedKeeper, u64), AttachError> {
    let (mut pause, longest) = PAUSES;
    loop {
        match attach(&folder, anchor, cursor).await {
            Err(AttachError::Dead(_)) if matches!(find(&folder).await, Ok(KeeperState::Alive)) => {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
            attached => return attached,
        }
    }
}

/// Attaches where the oldest answer begins that is not complete, or else behind what the log has; or, if the log was
/// set back or the keeper's folder replaced, at the beginning of what there is.
async fn attach(folder: &Path, anchor: u64, cursor: u64) -> Result<(AttachedKeeper, u64), AttachError> {
    let mut places = vec![0, cursor, anchor];
    while let Some(from) = places.pop() {
        match keeper::attach(folder, from).await {
            Err(AttachError::Misplaced(OffsetError::Gone { oldest }))
                if places.is_empty() && from != oldest =>
            {
                places.push(oldest);
            }
            Err(AttachError::Misplaced(_)) if !places.is_empty() => {}
            attached => return attached.map(|attached| (attached, from)),
        }
    }
    Err(AttachError::OutOfTurn)
}
