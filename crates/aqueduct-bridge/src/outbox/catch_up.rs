use std::sync::Arc;

use aqueduct_wire::json::Raw;

use super::{Outgoing, SharedText, stamped};
use crate::log::{EventPage, Log, LogError, PageLimits, PagePosition};
use crate::message::BridgeMessage;
use crate::message::bridge::{HistoryDelta, StoredMessage};

/// How many bytes of history are sent in one message.
const PAGE_BYTES: u64 = 256 << 10;

/// Stored messages that a client gets from the log before it receives new ones.
#[derive(Debug, Clone)]
pub(crate) struct CatchUp {
    pub(crate) session: Arc<str>,
    /// The newest that the client has.
    pub(crate) since: u64,
    /// The last message that it reads.
    pub(crate) upto: u64,
    /// Older ones were left out.
    pub(crate) cut: bool,
    pub(crate) request_id: Option<String>,
    /// One message each, instead of pages.
    pub(crate) plain: bool,
}

impl CatchUp {
    /// The next page of it; nothing when it is done.
    pub(crate) async fn page(&self, log: &Log, count: u32) -> Result<Option<EventPage>, LogError> {
        if self.since >= self.upto {
            return Ok(None);
        }
        let missing = u32::try_from(self.upto - self.since).unwrap_or(u32::MAX);
        let limits = PageLimits { count: count.min(missing), bytes: PAGE_BYTES };
        let page = log.page(&*self.session, PagePosition::After(self.since), limits).await?;
        Ok(Some(page).filter(|page| !page.events.is_empty()))
    }

    /// A page as the client gets it, and the rest of what it lacks.
    pub(crate) fn deliver(&mut self, page: EventPage) -> Vec<Outgoing> {
        let from = self.since + 1;
        self.since = page.events.last().map_or(self.upto, |event| event.seq);
        if self.plain {
            let texts = page.events.into_iter().map(|event| {
                let text = SharedText::stored(event.payload, &self.session, event.seq, event.time);
                Outgoing::Message { text, seq: Some(event.seq) }
            });
            return texts.collect();
        }
        let texts: Vec<String> = page
            .events
            .into_iter()
            .map(|event| stamped(&event.payload, &self.session, event.seq, event.time))
            .collect();
        let messages: Vec<_> =
            texts.iter().filter_map(|text| Raw::parse(text).ok()).map(StoredMessage).collect();
        let mut delta = HistoryDelta::new(self.session.to_string(), messages, from, self.since);
        delta.more = Some(self.since < self.upto);
        delta.cut = self.cut.then_some(true);
        delta.request_id = self.request_id.clone().map(Into::into);
        let text = BridgeMessage::from(delta).to_json();
        drop(texts);
        vec![Outgoing::Message { text: text.into(), seq: None }]
    }
}
