use std::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::link::{LinkEnding, ReceivedFrame, WebSocketLink};
use super::state::ServerState;
use super::stream::ConnectionStream;
use crate::failures::{FailureKind, FailureSubject};
use crate::hub::ClientConnection;
use crate::message::CloseCode;
use crate::outbox::Outgoing;

/// What is read from a connection at once: little, since most clients are silent most of the time, and more once
/// that was not enough.
const LITTLE: usize = 2 * 1024;
const MORE: usize = 64 * 1024;

/// A WebSocket and the client behind it.
pub(super) struct Socket<'a> {
    link: WebSocketLink,
    client: ClientConnection,
    server: &'a ServerState,
    /// The codec itself has something to write: an answer to a ping.
    answered: Notify,
    /// What waited was written.
    written: Notify,
}

/// Carries messages both ways until one side ends it.
pub(super) async fn run(
    stream: ConnectionStream,
    early: Bytes,
    client: ClientConnection,
    server: &ServerState,
) {
    let (mut from, mut to) = tokio::io::split(stream);
    let link = WebSocketLink::new(early, server.message_bytes());
    let socket = Socket { link, client, server, answered: Notify::new(), written: Notify::new() };
    // What is being written outlives who writes it, so that the farewell comes behind a whole frame.
    let mut pending = VecDeque::new();
    let ending = tokio::select! {
        ending = socket.listen(&mut from) => ending,
        ending = socket.send(&mut to, &mut pending) => ending,
    };
    let Socket { link, client, .. } = socket;
    let device = FailureSubject::Device(&client.principal().device_id);
    match ending {
        LinkEnding::Close(CloseCode::NotReading) => {
            let why = "it did not read messages in time";
            server.hub.failures().report(FailureKind::SlowClient, device, why);
        }
        LinkEnding::Broken(_) | LinkEnding::Close(CloseCode::TooLarge) => {
            let why = "a frame of its WebSocket was malformed or too large";
            server.hub.failures().report(FailureKind::MalformedRequest, device, why);
        }
        _ => {}
    }
    drop(client);
    link.close(ending);
    link.take(&mut pending);
    if ending != LinkEnding::Gone {
        // A client that does not read in time does not receive the reason.
        let closing = closing(&link, &mut from, &mut to, &mut pending, ending);
        let _ = timeout(server.options.pace.closing, closing).await;
    }
}

impl Socket<'_> {
    /// Takes the client's messages. A client that sends more than is processed is not read from.
    async fn listen(&self, from: &mut ReadHalf<ConnectionStream>) -> LinkEnding {
        let mut room = LITTLE;
        loop {
            match self.link.read() {
                ReceivedFrame::Text(text) => self.client.receive(&text).await,
                ReceivedFrame::Aside => {
                    self.answered.notify_one();
                    while !self.link.has_room() {
                        self.written.notified().await;
                    }
                }
                ReceivedFrame::End(ending) => return ending,
                ReceivedFrame::Nothing => {
                    let mut chunk = BytesMut::with_capacity(room);
                    match from.read_buf(&mut chunk).await {
                        Ok(0) | Err(_) => return LinkEnding::Gone,
                        Ok(_) => self.link.feed(&chunk),
                    }
                    room = if chunk.len() < room { LITTLE } else { MORE };
                }
            }
        }
    }

    /// Sends the client what is queued: everything at once, and then waits.
    async fn send(&self, to: &mut WriteHalf<ConnectionStream>, pending: &mut VecDeque<Bytes>) -> LinkEnding {
        let between = self.server.options.pace.ping;
        let mut ping = interval_at(Instant::now() + between, between);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let sent_bytes = tokio::select! {
                biased;
                () = self.server.stop.cancelled() => Err(LinkEnding::Close(CloseCode::GoingAway)),
                () = self.answered.notified() => Ok(()),
                _ = ping.tick() => self.ask(),
                outgoing = self.client.next() => self.pack(outgoing).await,
            };
            self.link.take(pending);
            if let Err(ending) = sent_bytes {
                return ending;
            }
            if let Err(ending) = write(to, pending, self.server).await {
                return ending;
            }
            self.written.notify_one();
        }
    }

    /// A client that has not even answered a ping for too long does not read.
    fn ask(&self) -> Result<(), LinkEnding> {
        let pace = &self.server.options.pace;
        match self.link.silence() >= pace.ping + pace.stall {
            true => Err(LinkEnding::Close(CloseCode::NotReading)),
            false => self.link.ping(),
        }
    }

    /// Packs a parcel, and those that are there already.
    async fn pack(&self, outgoing: Outgoing) -> Result<(), LinkEnding> {
        let mut next = Some(outgoing);
        while let Some(outgoing) = next {
            match outgoing {
                Outgoing::Message { text, .. } => self.link.send(&text)?,
                Outgoing::Close(code) => return Err(LinkEnding::Close(code)),
            }
            next = match self.link.has_room() {
                true => self.client.next_if_ready().await,
                false => None,
            };
        }
        Ok(())
    }
}

/// Writes what is pending. A client that takes nothing of it for too long is not waited for; one that takes it slowly is.
async fn write(
    to: &mut WriteHalf<ConnectionStream>,
    pending: &mut VecDeque<Bytes>,
    server: &ServerState,
) -> Result<(), LinkEnding> {
    let stall = server.options.pace.stall;
    while let Some(piece) = pending.front_mut() {
        match timeout(stall, to.write(piece)).await {
            Ok(Ok(count)) if count > 0 => {
                server.tally.sent_bytes.add(count as u64);
                piece.advance(count);
                if piece.is_empty() {
                    pending.pop_front();
                }
            }
            Ok(_) => return Err(LinkEnding::Gone),
            Err(_) => return Err(LinkEnding::Close(CloseCode::NotReading)),
        }
    }
    match timeout(stall, to.flush()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(LinkEnding::Gone),
        Err(_) => Err(LinkEnding::Close(CloseCode::NotReading)),
    }
}

/// Writes the last frame, and waits for the client's.
async fn closing(
    link: &WebSocketLink,
    from: &mut ReadHalf<ConnectionStream>,
    to: &mut WriteHalf<ConnectionStream>,
    pending: &mut VecDeque<Bytes>,
    ending: LinkEnding,
) {
    for piece in pending {
        if to.write_all_buf(piece).await.is_err() {
            return;
        }
    }
    if to.flush().await.is_err() {
        return;
    }
    // Frames that were too large or wrong are not understood any more; what follows them is skipped.
    let understood = !matches!(ending, LinkEnding::Broken(_) | LinkEnding::Close(CloseCode::TooLarge));
    let mut chunk = BytesMut::with_capacity(LITTLE);
    let mut is_over = ending == LinkEnding::Closed;
    while !is_over {
        chunk.clear();
        is_over = !matches!(from.read_buf(&mut chunk).await, Ok(count) if count > 0);
        if understood {
            link.feed(&chunk);
            is_over |= matches!(closing_frame(link), Some(LinkEnding::Closed | LinkEnding::Gone));
        }
    }
    // The client may be gone by now.
    let _ = to.shutdown().await;
}

/// Skips what a client sends after the end, up to its own end.
fn closing_frame(link: &WebSocketLink) -> Option<LinkEnding> {
    loop {
        match link.read() {
            ReceivedFrame::Text(_) | ReceivedFrame::Aside => {}
            ReceivedFrame::Nothing => return None,
            ReceivedFrame::End(ending) => return Some(ending),
        }
    }
}
