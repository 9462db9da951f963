//! Reports to the observer of a session.

use super::actor::SessionActor;
use crate::log::StoredRequest;
use crate::message::bridge::{ActorKind, PermissionDecision};
use crate::telemetry::{DecidedRequest, SessionEvent, SessionObserver};

impl SessionActor {
    /// Reports an event to the observer, if there is one.
    pub(super) fn observe(&mut self, event: SessionEvent<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.event(event);
        }
    }
}

/// Reports to an observer that a request is over.
pub(super) fn decided(
    observer: &mut Option<Box<dyn SessionObserver>>,
    pending: &StoredRequest,
    decision: &PermissionDecision<'_>,
    by: &ActorKind<'_>,
) {
    let Some(observer) = observer else { return };
    let request = &pending.request;
    observer.event(SessionEvent::Decided(DecidedRequest {
        kind: &request.kind,
        tool: request.tool_name.as_deref(),
        call: request.tool_use_id.as_deref(),
        decision,
        by,
        asked: pending.created,
    }));
}
