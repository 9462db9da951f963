use std::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::house::House;
use super::link::{Ending, Heard, Link};
use super::stream::Stream;
use crate::hub::{Parcel, Visit};
use crate::message::CloseCode;

/// What is read from a connection at once: little, since most clients are silent most of the time, and more once
/// that was not enough.
const LITTLE: usize = 2 * 1024;
const MORE: usize = 64 * 1024;

/// A WebSocket and the client behind it.
pub(super) struct Socket<'a> {
    link: Link,
    visit: Visit,
    house: &'a House,
    /// Something waits to be written that nobody told: an answer to a ping.
    answered: Notify,
    /// What waited was written.
    written: Notify,
}

/// Carries messages both ways until one side ends it.
pub(super) async fn run(stream: Stream, early: Bytes, visit: Visit, house: &House) {
    let (mut from, mut to) = tokio::io::split(stream);
    let link = Link::new(early, house.message_bytes());
    let socket = Socket { link, visit, house, answered: Notify::new(), written: Notify::new() };
    // What is being written outlives who writes it, so that the farewell comes behind a whole frame.
    let mut pending = VecDeque::new();
    let ending = tokio::select! {
        ending = socket.listen(&mut from) => ending,
        ending = socket.tell(&mut to, &mut pending) => ending,
    };
    let Socket { link, visit, .. } = socket;
    drop(visit);
    link.close(ending);
    link.take(&mut pending);
    if ending != Ending::Gone {
        // Whoever does not take it in time does not hear why.
        let farewell = farewell(&link, &mut from, &mut to, &mut pending, ending);
        let _ = timeout(house.options.pace.farewell, farewell).await;
    }
}

impl Socket<'_> {
    /// Takes what the client says. A client that says more than is done is not read from.
    async fn listen(&self, from: &mut ReadHalf<Stream>) -> Ending {
        let mut room = LITTLE;
        loop {
            match self.link.read() {
                Heard::Text(text) => self.visit.hear(&text).await,
                Heard::Aside => {
                    self.answered.notify_one();
                    while !self.link.has_room() {
                        self.written.notified().await;
                    }
                }
                Heard::End(ending) => return ending,
                Heard::Nothing => {
                    let mut chunk = BytesMut::with_capacity(room);
                    match from.read_buf(&mut chunk).await {
                        Ok(0) | Err(_) => return Ending::Gone,
                        Ok(_) => self.link.feed(&chunk),
                    }
                    room = if chunk.len() < room { LITTLE } else { MORE };
                }
            }
        }
    }

    /// Tells the client what there is to tell: all that is there at once, and then waits.
    async fn tell(&self, to: &mut WriteHalf<Stream>, pending: &mut VecDeque<Bytes>) -> Ending {
        let between = self.house.options.pace.ping;
        let mut ping = interval_at(Instant::now() + between, between);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let told = tokio::select! {
                biased;
                () = self.house.stop.cancelled() => Err(Ending::Close(CloseCode::GoingAway)),
                () = self.answered.notified() => Ok(()),
                _ = ping.tick() => self.ask(),
                parcel = self.visit.next() => self.pack(parcel).await,
            };
            self.link.take(pending);
            if let Err(ending) = told {
                return ending;
            }
            if let Err(ending) = write(to, pending, self.house).await {
                return ending;
            }
            self.written.notify_one();
        }
    }

    /// A client that has not even answered a ping for too long does not read.
    fn ask(&self) -> Result<(), Ending> {
        let pace = &self.house.options.pace;
        match self.link.silence() >= pace.ping + pace.stall {
            true => Err(Ending::Close(CloseCode::NotReading)),
            false => self.link.ping(),
        }
    }

    /// Packs a parcel, and those that are there already.
    async fn pack(&self, parcel: Parcel) -> Result<(), Ending> {
        let mut next = Some(parcel);
        while let Some(parcel) = next {
            match parcel {
                Parcel::Message { text, .. } => self.link.tell(&text)?,
                Parcel::Close(code) => return Err(Ending::Close(code)),
            }
            next = match self.link.has_room() {
                true => self.visit.next_if_ready().await,
                false => None,
            };
        }
        Ok(())
    }
}

/// Writes what is pending. A client that takes nothing of it for too long is not waited for; one that takes it slowly is.
async fn write(
    to: &mut WriteHalf<Stream>,
    pending: &mut VecDeque<Bytes>,
    house: &House,
) -> Result<(), Ending> {
    let stall = house.options.pace.stall;
    while let Some(piece) = pending.front_mut() {
        match timeout(stall, to.write(piece)).await {
            Ok(Ok(count)) if count > 0 => {
                house.tally.told.add(count as u64);
                piece.advance(count);
                if piece.is_empty() {
                    pending.pop_front();
                }
            }
            Ok(_) => return Err(Ending::Gone),
            Err(_) => return Err(Ending::Close(CloseCode::NotReading)),
        }
    }
    match timeout(stall, to.flush()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Ending::Gone),
        Err(_) => Err(Ending::Close(CloseCode::NotReading)),
    }
}

/// Writes the last frame, and waits for the client's.
async fn farewell(
    link: &Link,
    from: &mut ReadHalf<Stream>,
    to: &mut WriteHalf<Stream>,
    pending: &mut VecDeque<Bytes>,
    ending: Ending,
) {
    for piece in pending {
        if to.write_all_buf(piece).await.is_err() {
            return;
        }
    }
    if to.flush().await.is_err() {
        return;
    }
    // Frames that were too large or wrong are not understood any more; what follows them is passed over.
    let understood = !matches!(ending, Ending::Broken(_) | Ending::Close(CloseCode::TooLarge));
    let mut chunk = BytesMut::with_capacity(LITTLE);
    let mut is_over = ending == Ending::Closed;
    while !is_over {
        chunk.clear();
        is_over = !matches!(from.read_buf(&mut chunk).await, Ok(count) if count > 0);
        if understood {
            link.feed(&chunk);
            is_over |= matches!(heard_end(link), Some(Ending::Closed | Ending::Gone));
        }
    }
    // The client may be gone by now.
    let _ = to.shutdown().await;
}

/// Passes over what a client says after the end, up to its own end.
fn heard_end(link: &Link) -> Option<Ending> {
    loop {
        match link.read() {
            Heard::Text(_) | Heard::Aside => {}
            Heard::Nothing => return None,
            Heard::End(ending) => return Some(ending),
        }
    }
}
