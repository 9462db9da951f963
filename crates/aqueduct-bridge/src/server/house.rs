use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::Options;
use super::crowd::Crowd;
use super::metrics::Tally;
use crate::Failure;
use crate::door::{Attempts, Door, Gate, Peer};
use crate::hub::Hub;
use crate::message::http::openapi;

/// What all connections share.
pub(super) struct House {
    pub(super) hub: Hub,
    pub(super) gate: Gate,
    pub(super) options: Options,
    pub(super) crowd: Arc<Crowd>,
    pub(super) tally: Tally,
    /// Whether the server shuts down.
    pub(super) stop: CancellationToken,
    /// How often a peer gets lines in the journal.
    pub(super) lines: Attempts,
    pub(super) openapi: OnceLock<Bytes>,
}

impl House {
    /// Who may come in.
    pub(super) fn door(&self) -> &Door {
        self.hub.door()
    }

    /// Bytes of one message of a client.
    pub(super) fn message_bytes(&self) -> usize {
        self.hub.settings().limits.message_bytes
    }

    /// This API as a document. It is made once.
    pub(super) fn openapi(&self) -> Bytes {
        self.openapi.get_or_init(|| Bytes::from(openapi().to_string())).clone()
    }

    /// Notes that somebody was refused. A peer that is refused all the time does not fill the journal.
    pub(super) fn note_refusal(&self, peer: Peer, failure: &Failure) {
        if self.lines.count(peer).is_ok() {
            self.options.journal.note(format_args!("refused a request from {peer}: {failure}"));
        }
    }
}
