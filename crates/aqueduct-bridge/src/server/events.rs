use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use aqueduct_wire::json::{Reader, Str};
use aqueduct_wire::peek;
use bytes::{BufMut, Bytes, BytesMut};
use tokio::time::sleep;

use super::house::House;
use crate::hub::{Parcel, Visit};

/// How much is put into one piece at most, as far as it is more than one message.
const PIECE: usize = 64 * 1024;

/// What comes first: how soon a browser comes back when the connection is lost, in milliseconds.
const OPENING: &[u8] = b"retry: 1000\n\n";

/// A comment, which says that the connection is there.
const KEEP_ALIVE: &[u8] = b":\n\n";

/// Messages as server-sent events.
pub(super) struct Events {
    next: Option<Step>,
}

/// The next piece, and the source for those behind it. `None` at the end.
type Step = Pin<Box<dyn Future<Output = Option<(Bytes, Source)>> + Send>>;

/// Where events come from.
pub(super) struct Source {
    /// The client.
    pub(super) visit: Visit,
    /// Whether stored messages have ids: those of one session have, so that a client can say where it was.
    pub(super) with_ids: bool,
    pub(super) house: Arc<House>,
    /// Pieces that come next.
    pub(super) ready: VecDeque<Bytes>,
}

impl Events {
    pub(super) fn new(source: Source) -> Self {
        Events { next: Some(Box::pin(async { Some((Bytes::from_static(OPENING), source)) })) }
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

impl Source {
    /// Everything that is to be told now, when there is something.
    async fn piece(mut self) -> Option<(Bytes, Source)> {
        if let Some(piece) = self.ready.pop_front() {
            return Some((piece, self));
        }
        let mut piece = BytesMut::new();
        let parcel = tokio::select! {
            biased;
            () = self.house.stop.cancelled() => return None,
            parcel = self.visit.next() => Some(parcel),
            () = sleep(self.house.options.pace.keep_alive) => None,
        };
        let Some(parcel) = parcel else { return Some((Bytes::from_static(KEEP_ALIVE), self)) };
        self.put(&mut piece, &parcel)?;
        while self.ready.is_empty() && piece.len() < PIECE {
            let Some(parcel) = self.visit.next_if_ready().await else { break };
            if self.put(&mut piece, &parcel).is_none() {
                break;
            }
        }
        self.ready.push_back(piece.freeze());
        let told: usize = self.ready.iter().map(Bytes::len).sum();
        self.house.tally.told.add(told as u64);
        self.ready.pop_front().map(|piece| (piece, self))
    }

    /// Adds an event; `None` if it is the end.
    fn put(&mut self, piece: &mut BytesMut, parcel: &Parcel) -> Option<()> {
        let Parcel::Message { text, seq } = parcel else { return None };
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
