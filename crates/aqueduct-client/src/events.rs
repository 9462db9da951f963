use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::Event;

/// How many events wait for a reader at most.
pub const EVENTS_BOUND: usize = 1024;

/// How many bytes of events wait for a reader at most; one event may always wait, whatever its size.
pub const EVENTS_BYTES_BOUND: usize = 4 << 20;

/// The events of a session: a stream, to be read by one.
///
/// Its owner should read it. What is not read waits, up to [`EVENTS_BOUND`] events and
/// [`EVENTS_BYTES_BOUND`] bytes; then the agent's output is no longer read, and the agent itself waits. A
/// caller that is not interested drops it, or starts with
/// [`start_without_events`](crate::Builder::start_without_events): then events are discarded on arrival.
///
/// A [`turn`](crate::Session::turn) never waits for a reader. While one is awaited and the queue is full, the oldest events
/// are dropped: at once where no event was ever read, and otherwise when none was read for a second. The next event is
/// then [`Event::Missed`] with the number of the events that are gone.
///
/// ```
/// use aqueduct_client::{Event, Session};
#[doc = include_str!("../doc/agent.txt")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ""));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let (session, mut events) = builder.start().await?;
/// session.send("Say hello.").await?;
/// while let Some(event) = events.next().await {
///     match event {
///         Event::Frame(frame) => println!("{}", frame.line),
///         Event::RunEnded(outcome) => {
///             println!("{outcome}");
///             break;
///         }
///         other => println!("{other:?}"),
///     }
/// }
/// session.close().await;
/// // What came while it was closed is still there, to the very end.
/// while let Some(event) = events.next().await {
///     println!("{event:?}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// It is a [`Stream`] too, for those who have combinators for streams.
#[derive(Debug)]
pub struct Events {
    queue: Arc<EventQueue>,
}

/// The driver's end of the stream.
#[derive(Debug)]
pub(crate) struct EventSink {
    queue: Arc<EventQueue>,
}

#[derive(Debug, Default)]
struct EventQueue {
    state: Mutex<EventQueueState>,
    /// Notified when there is room again.
    room: Notify,
    /// Cancelled when the reader is dropped.
    abandoned: CancellationToken,
}

#[derive(Debug, Default)]
struct EventQueueState {
    events: VecDeque<Event>,
    weight: usize,
    /// How many events before these were dropped unread.
    missed: u64,
    /// How often the reader has asked for an event.
    reads: u64,
    reader: Option<Waker>,
    /// The reader was dropped.
    abandoned: bool,
    /// The writer was dropped.
    ended: bool,
}

impl EventQueueState {
    fn has_room(&self) -> bool {
        self.abandoned || (self.events.len() < EVENTS_BOUND && self.weight < EVENTS_BYTES_BOUND)
    }
}

impl EventQueue {
    fn state(&self) -> MutexGuard<'_, EventQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream and its source.
pub(crate) fn channel() -> (EventSink, Events) {
    let queue = Arc::new(EventQueue::default());
    (EventSink { queue: queue.clone() }, Events { queue })
}

impl EventSink {
    /// Adds an event. There is always room for one more that can't be put off, so callers ask first.
    pub(crate) fn push(&self, event: Event) {
        let mut state = self.queue.state();
        if state.abandoned {
            return;
        }
        state.weight += event.weight();
        state.events.push_back(event);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.queue.state().has_room()
    }

    /// How often the reader has asked for an event.
    pub(crate) fn reads(&self) -> u64 {
        self.queue.state().reads
    }

    /// Drops the older half of the events; the reader receives how many.
    pub(crate) fn drop_oldest(&self) {
        let mut state = self.queue.state();
        let (count, weight) = (state.events.len() / 2, state.weight / 2);
        let mut dropped = Vec::new();
        while state.events.len() > count || state.weight > weight {
            let Some(event) = state.events.pop_front() else { break };
            state.weight -= event.weight();
            state.missed += 1;
            dropped.push(event);
        }
        drop(state);
        drop(dropped);
    }

    /// Waits until there is room.
    pub(crate) async fn room(&self) {
        loop {
            let reported = self.queue.room.notified();
            if self.has_room() {
                return;
            }
            reported.await;
        }
    }

    /// Waits until the reader is dropped.
    pub(crate) async fn abandoned(&self) {
        self.queue.abandoned.cancelled().await;
    }
}

impl Drop for EventSink {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.ended = true;
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl Events {
    /// The next event; `None` when the session has ended. Nothing is lost when it is dropped before it is done.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// How many events wait to be read. At [`EVENTS_BOUND`], or before that if they are large, the agent waits too.
    ///
    /// ```
    /// use aqueduct_client::{EVENTS_BOUND, Events};
    ///
    /// fn is_slow(events: &Events) -> bool {
    ///     events.waiting() > EVENTS_BOUND / 2
    /// }
    /// ```
    pub fn waiting(&self) -> usize {
        let state = self.queue.state();
        state.events.len() + usize::from(state.missed > 0)
    }
}

impl Stream for Events {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.queue.state();
        state.reads += 1;
        let missed = std::mem::take(&mut state.missed);
        if missed > 0 {
            return Poll::Ready(Some(Event::Missed { events: missed }));
        }
        let had_room = state.has_room();
        let Some(event) = state.events.pop_front() else {
            if state.ended {
                return Poll::Ready(None);
            }
            state.reader = Some(context.waker().clone());
            return Poll::Pending;
        };
        state.weight -= event.weight();
        let has_room = state.has_room();
        drop(state);
        if has_room && !had_room {
            self.queue.room.notify_one();
        }
        Poll::Ready(Some(event))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.abandoned = true;
        let unread = std::mem::take(&mut state.events);
        state.weight = 0;
        drop(state);
        drop(unread);
        self.queue.abandoned.cancel();
        self.queue.room.notify_one();
    }
}
