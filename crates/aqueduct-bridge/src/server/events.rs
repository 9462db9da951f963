use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use aqueduct_wire::json::{Reader, Str};
use aqueduct_wire::peek;
use bytes::{BufMut, Bytes, BytesMut};
use tokio::time::sleep;

use super::state::ServerState;
use crate::hub::ClientConnection;
use crate::outbox::Outgoing;

/// How much is put into one piece at most, as far as it is more than one message.
const PIECE: usize = 64 * 1024;

/// What comes first: how soon a browser comes back when the connection is lost, in milliseconds.
const OPENING: &[u8] = b"retry: 1000\n\n";

/// A comment, which keeps the connection open.
const KEEP_ALIVE: &[u8] = b":\n\n";

/// Messages as server-sent events.
pub(super) struct SseBody {
    next: Option<SseStep>,
}

/// The next piece, and the source for those behind it. `None` at the end.
type SseStep = Pin<Box<dyn Future<Output = Option<(Bytes, SseSource)>> + Send>>;

/// Where events come from.
pub(super) struct SseSource {
    /// The client.
    pub(super) client: ClientConnection,
    /// Whether stored messages have ids: those of one session have, so that a client can resume.
    pub(super) with_ids: bool,
    pub(super) server: Arc<ServerState>,
    /// Pieces that come next.
    pub(super) ready: VecDeque<Bytes>,
}

impl SseBody {
    pub(super) fn new(source: SseSource) -> Self {
        SseBody { next: Some(Box::pin(async { Some((Bytes::from_static(OPENING), source)) })) }
    }

    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        let step = ready!(next.as_mut().poll(cx));
        self.next = None;
        Poll::Ready(step.map(|(piece, source)| {
            self.next = Some(Box::pin(source.piece()));
            piece
        }))
    }
}

/// The type of a message. It comes first in all that the bridge writes.
fn kind(parts: [&str; 2]) -> Option<String> {
    let mut reader = Reader::new(parts[0]);
    let is_object = reader.open_object().is_ok();
    if is_object && matches!(reader.next_key(true), Ok(Some(key)) if key == "type") {
        return reader.string().ok().map(Str::into_string);
    }
    peek(&parts.concat()).ok().and_then(|peek| peek.kind).map(Str::into_string)
}

impl SseSource {
    /// Everything that is to be sent now, once there is something.
    async fn piece(mut self) -> Option<(Bytes, SseSource)> {
        if let Some(piece) = self.ready.pop_front() {
            return Some((piece, self));
        }
        let mut piece = BytesMut::new();
        let outgoing = tokio::select! {
            biased;
            () = self.server.stop.cancelled() => return None,
            outgoing = self.client.next() => Some(outgoing),
            () = sleep(self.server.options.pace.keep_alive) => None,
        };
        let Some(outgoing) = outgoing else { return Some((Bytes::from_static(KEEP_ALIVE), self)) };
        self.put(&mut piece, &outgoing)?;
        while self.ready.is_empty() && piece.len() < PIECE {
            let Some(outgoing) = self.client.next_if_ready().await else { break };
            if self.put(&mut piece, &outgoing).is_none() {
                break;
            }
        }
        self.ready.push_back(piece.freeze());
        let sent_bytes: usize = self.ready.iter().map(Bytes::len).sum();
        self.server.tally.sent_bytes.add(sent_bytes as u64);
        self.ready.pop_front().map(|piece| (piece, self))
    }

    /// Adds an event; `None` if it is the end.
    fn put(&mut self, piece: &mut BytesMut, outgoing: &Outgoing) -> Option<()> {
        let Outgoing::Message { text, seq } = outgoing else { return None };
        let parts = text.parts();
        if let Some(kind) = kind(parts) {
            piece.put_slice(b"event: ");
            piece.put_slice(kind.as_bytes());
            piece.put_u8(b'\n');
        }
        if let (Some(seq), true) = (seq, self.with_ids) {
            piece.put_slice(format!("id: {seq}\n").as_bytes());
        }
        piece.put_slice(b"data: ");
        // JSON has line ends between its parts only, where a space does as well; here they would end the event.
        let [body, place] = parts;
        match memchr::memchr2(b'\r', b'\n', body.as_bytes()) {
            Some(_) => piece.put_slice(body.replace(['\r', '\n'], " ").as_bytes()),
            // All clients share a large one.
            None if body.len() >= PIECE => {
                self.ready.push_back(std::mem::take(piece).freeze());
                self.ready.push_back(text.shared_body());
            }
            None => piece.put_slice(body.as_bytes()),
        }
        piece.put_slice(place.as_bytes());
        piece.put_slice(b"\n\n");
        Some(())
    }
}
