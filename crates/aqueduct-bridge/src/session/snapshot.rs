//! A session as clients see it.

use aqueduct_wire::json::{IntoOwned, Number, Raw, Str};
use aqueduct_wire::permission::PermissionMode;

use super::actor::SessionActor;
use super::command::WatchStart;
use super::details::{self, Details};
use super::watchers::Watcher;
use crate::log::{self, PendingState};
use crate::message::BridgeMessage;
use crate::message::bridge::{
    PermissionRequest, Queue, SessionInfo, SessionSnapshot, SessionSource, SessionStatus, Subscribed,
};
use crate::outbox::{CatchUp, OutboxItem};

/// How long a title is that is made from the first prompt.
const TITLE_CHARS: usize = 80;

impl SessionActor {
    /// What lists show of it.
    pub(super) fn info(&self) -> SessionInfo<'static> {
        let mut info = info_of_row(&self.row);
        fill(&mut info, &self.details);
        info.status = self.status();
        info.pending =
            Some(self.pending.iter().filter(|pending| pending.state == PendingState::Open).count() as u64);
        info.queued = Some(self.queue.len() as u64);
        info.watchers = Some(self.watchers.attending() as u64);
        info.turn_since = self.turn_since.map(|time| time.0.unsigned_abs());
        info.error = self.reason().map(Into::into);
        info
    }

    pub(super) fn title(&self) -> String {
        title(&self.row)
    }

    /// The state that a new client needs.
    pub(super) fn snapshot(&self) -> SessionSnapshot<'static> {
        SessionSnapshot::new(self.info(), self.row.last_seq, self.requests(), self.queued_inputs())
    }

    /// What is to be decided.
    pub(super) fn requests(&self) -> Vec<PermissionRequest<'static>> {
        let open = self.pending.iter().filter(|pending| pending.state == PendingState::Open);
        open.filter_map(|pending| {
            let raw = Raw::parse(pending.request.details.as_deref()?).ok()?;
            let mut request = raw.view::<PermissionRequest<'_>>().map(IntoOwned::into_owned)?;
            request.session_id = Some(self.id.to_string().into());
            request.time = Some(pending.created.0.unsigned_abs());
            Some(request)
        })
        .collect()
    }

    /// A client watches the session from now on: first what it lacks, then what grows, then everything.
    pub(super) fn watch(&mut self, watcher: Watcher, watch: WatchStart) {
        let upto = self.row.last_seq;
        let outbox = watcher.outbox.clone();
        let mut items = Vec::new();
        let live = |mut message: BridgeMessage<'static>| {
            message.stamp(self.id.to_string(), || (upto, 0));
            OutboxItem::Live { session: self.id.clone(), text: message.to_json().into() }
        };
        let catch_up = |since: u64, cut: bool, request_id: Option<String>, plain: bool| {
            OutboxItem::CatchUp(Box::new(CatchUp {
                session: self.id.clone(),
                since,
                upto,
                cut,
                request_id,
                plain,
            }))
        };
        match watch {
            WatchStart::Now => {
                items.push(catch_up(upto, false, None, false));
                items.push(live(self.status_message()));
                for request in self.requests() {
                    items.push(OutboxItem::Live {
                        session: self.id.clone(),
                        text: BridgeMessage::from(request).to_json().into(),
                    });
                }
                if !self.queue.is_empty() {
                    items.push(live(Queue::new(self.queued_inputs()).into()));
                }
            }
            WatchStart::Since { seq, limit, request_id, plain } => {
                let wanted = match (seq, limit) {
                    (Some(seq), _) => seq.min(upto),
                    (None, Some(_)) => 0,
                    (None, None) => upto,
                };
                let since = limit.map_or(wanted, |limit| wanted.max(upto.saturating_sub(limit)));
                if !plain {
                    let mut subscribed = Subscribed::new(self.id.to_string(), self.snapshot());
                    subscribed.request_id = request_id.clone().map(Into::into);
                    items.push(OutboxItem::Other(BridgeMessage::from(subscribed).to_json().into()));
                }
                items.push(catch_up(since, since > wanted, request_id, plain));
            }
            WatchStart::Again(seq) => items.push(catch_up(seq.min(upto), false, None, false)),
        }
        for partial in self.translator.partials() {
            items.push(live(partial.into()));
        }
        outbox.resume(&self.id, items);
        let attends = watcher.attends;
        self.watchers.add(watcher);
        if attends {
            self.show_row();
        }
    }
}

/// What lists show of a session that no actor holds.
pub(crate) fn info_of_row(row: &log::SessionRecord) -> SessionInfo<'static> {
    let status = SessionStatus::Stopped;
    let mut info = SessionInfo::new(row.id.clone(), row.project.clone(), status);
    info.source = Some(SessionSource::Bridge);
    info.title = Some(title(row).into());
    info.created_at = Some(row.created.0.unsigned_abs());
    info.updated_at = Some(row.updated.0.unsigned_abs());
    info.last_seq = Some(row.last_seq);
    info.pending = Some(row.open);
    info.queued = Some(row.queued);
    info.watchers = Some(0);
    info.agent = Some(row.agent.clone().into());
    info.agent_session_id = row.agent_id.clone().filter(|id| *id != row.id).map(Into::into);
    info.model = row.model.clone().map(Into::into);
    info.permission_mode = row.permission_mode.clone().map(|mode| PermissionMode::from(Str::from(mode)));
    info.first_prompt = row.first_prompt.clone().map(Into::into);
    info.turns = Some(row.turns);
    info.cost_usd = Number::from_f64(row.cost);
    info.budget_usd = row.budget.and_then(Number::from_f64);
    info.archived = row.archived.then_some(true);
    fill(&mut info, &details::read(row.details.as_deref()));
    info
}

fn fill(info: &mut SessionInfo<'static>, details: &Details) {
    info.agent_version = details.agent_version.clone().map(Into::into);
    info.last_text = details.last_text.clone().map(Into::into);
    info.context_tokens = details.context_tokens;
    info.context_window = details.context_window;
}

/// The name that a user gave it, or that was found, or the beginning of the first prompt.
fn title(row: &log::SessionRecord) -> String {
    let named = row.name.as_ref().or(row.title.as_ref()).filter(|title| !title.trim().is_empty());
    if let Some(title) = named {
        return title.clone();
    }
    let first = row.first_prompt.as_deref().unwrap_or_default();
    let line = first.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    match line.is_empty() {
        true => row.project.rsplit('/').next().unwrap_or("session").to_owned(),
        false => line.chars().take(TITLE_CHARS).collect(),
    }
}
