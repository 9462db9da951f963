//! Pages of messages of a session that only a transcript has.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use aqueduct_wire::json::Raw;

use super::{Recents, conversation};
use crate::Failure;
use crate::log::{NewEvent, PageLimits, PagePosition, Time};
use crate::message::bridge::{HistoryPage, StoredMessage};
use crate::outbox::stamped;

impl Recents {
    /// Messages of a session that the log does not have. They have the numbers that they keep when it is adopted.
    pub async fn history(
        &self,
        session_id: &str,
        place: PagePosition,
        limits: PageLimits,
    ) -> Result<HistoryPage<'static>, Failure> {
        let (transcripts, id) = (Arc::clone(&self.transcripts), session_id.to_owned());
        self.work
            .block(move |deadline| {
                let mut window = PageWindow::new(place, limits);
                conversation::each(&transcripts.find(&id, None)?, deadline, |event| {
                    window.take(event);
                    ControlFlow::Continue(())
                })?;
                Ok(window.page(&id))
            })
            .await
    }
}

/// The part of a conversation that fits on a page, however long the conversation is.
struct PageWindow {
    place: PagePosition,
    limits: PageLimits,
    kept: VecDeque<(u64, NewEvent)>,
    bytes: u64,
    /// How many messages there were so far.
    last_seq: u64,
    is_full: bool,
}

impl PageWindow {
    fn new(place: PagePosition, limits: PageLimits) -> Self {
        PageWindow { place, limits, kept: VecDeque::new(), bytes: 0, last_seq: 0, is_full: false }
    }

    fn take(&mut self, event: NewEvent) {
        self.last_seq += 1;
        let size = event.payload.len() as u64;
        match self.place {
            PagePosition::After(seq) => {
                if self.last_seq <= seq || self.is_full {
                    return;
                }
                let is_one_more = self.kept.len() == self.limits.count.max(1) as usize;
                self.is_full =
                    is_one_more || (!self.kept.is_empty() && self.bytes + size > self.limits.bytes);
                if self.is_full {
                    return;
                }
            }
            PagePosition::Before(seq) if self.last_seq >= seq => return,
            PagePosition::Before(_) | PagePosition::Newest => {
                while self.kept.len() == self.limits.count.max(1) as usize
                    || (!self.kept.is_empty() && self.bytes + size > self.limits.bytes)
                {
                    let gone = self.kept.pop_front().map_or(0, |(_, event)| event.payload.len());
                    self.bytes -= gone as u64;
                }
            }
        }
        self.bytes += size;
        self.kept.push_back((self.last_seq, event));
    }

    fn page(self, session_id: &str) -> HistoryPage<'static> {
        let first = self.kept.front().map(|(seq, _)| *seq);
        let messages = self.kept.iter().filter_map(|(seq, event)| {
            let text = stamped(&event.payload, session_id, *seq, event.time.unwrap_or(Time(0)));
            Some(StoredMessage(Raw::parse(&text).ok()?.into_owned()))
        });
        let mut page = HistoryPage::new(session_id.to_owned(), messages.collect::<Vec<_>>());
        page.from_seq = first;
        page.to_seq = self.kept.back().map(|(seq, _)| *seq);
        page.last_seq = Some(self.last_seq);
        page.more = Some(match self.place {
            PagePosition::After(_) => self.is_full,
            PagePosition::Before(_) | PagePosition::Newest => first.is_some_and(|first| first > 1),
        });
        page
    }
}
