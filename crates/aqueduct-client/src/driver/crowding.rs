//! Events that are not read while a caller waits for an outcome.
//!
//! Unread events make the agent wait once the queue is full. A caller of `turn` that holds the events and does not read
//! them would wait for itself. So while such a caller waits, the oldest events make room: at once where no event was ever
//! read, and otherwise when none was read for a while. The reader receives the count of what is missing.

use std::time::Duration;

use tokio::time::Instant;

use crate::events::EventSink;

/// How long a reader of a full queue may take for one event while a caller waits for an outcome.
const READ_TIME: Duration = Duration::from_secs(1);

/// What is known of the reader of a full queue.
#[derive(Debug, Default)]
pub(super) struct Crowding {
    full: Option<FullQueue>,
}

#[derive(Debug, Clone, Copy)]
struct FullQueue {
    /// How often events had been read when the queue was found full.
    reads: u64,
    /// Until when the reader may read one.
    until: Instant,
}

impl Crowding {
    /// Drops the oldest events if the queue is full, a caller waits and no event is read.
    pub(super) fn make_room(&mut self, events: &EventSink, is_awaited: bool) {
        if events.has_room() || !is_awaited {
            return;
        }
        let reads = events.reads();
        let full = match self.full {
            Some(full) if full.reads == reads => full,
            _ => {
                let time = if reads == 0 { Duration::ZERO } else { READ_TIME };
                FullQueue { reads, until: Instant::now() + time }
            }
        };
        self.full = Some(full);
        if full.until <= Instant::now() {
            events.drop_oldest();
        }
    }

    /// When room is made next; `None` where nothing is to be done.
    pub(super) fn until(&self, events: &EventSink, is_awaited: bool) -> Option<Instant> {
        match events.has_room() || !is_awaited {
            true => None,
            // A queue that has just become full is looked at again at once.
            false => Some(self.full.map_or_else(Instant::now, |full| full.until)),
        }
    }
}
