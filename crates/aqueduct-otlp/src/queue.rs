//! Spans that wait to be sent, in bounded memory.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::sync::Notify;

/// How many spans wait at most. A span has a few hundred bytes.
const SPANS: usize = 4096;

/// How many spans one request has at most.
pub(crate) const BATCH: usize = 512;

/// Spans that wait. Adding one never waits: a span that does not fit is dropped and counted.
#[derive(Debug, Default)]
pub(crate) struct SpanQueue {
    spans: Mutex<VecDeque<Span>>,
    /// A whole batch waits.
    filled: Notify,
    dropped: AtomicU64,
}

impl SpanQueue {
    /// Adds a span.
    pub(crate) fn put(&self, span: Span) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if spans.len() >= SPANS {
            drop(spans);
            return self.drop_spans(1);
        }
        spans.push_back(span);
        let is_filled = spans.len() >= BATCH;
        drop(spans);
        if is_filled {
            self.filled.notify_one();
        }
    }

    /// The oldest spans, as many as one request has.
    pub(crate) fn take(&self) -> Vec<Span> {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        let count = spans.len().min(BATCH);
        spans.drain(..count).collect()
    }

    /// Waits until a whole batch is there.
    pub(crate) async fn filled(&self) {
        self.filled.notified().await;
    }

    /// Counts spans that are lost.
    pub(crate) fn drop_spans(&self, count: usize) {
        self.dropped.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// How many spans were lost.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_dropped_and_counted() {
        let queue = SpanQueue::default();
        for number in 0..SPANS + 10 {
            queue.put(Span { name: number.to_string(), ..Span::default() });
        }
        assert_eq!(queue.dropped(), 10);
        let first = queue.take();
        assert_eq!((first.len(), first[0].name.as_str()), (BATCH, "0"));
        queue.put(Span::default());
        assert_eq!(queue.dropped(), 10, "there is room again");
        let rest: usize = std::iter::from_fn(|| Some(queue.take().len()).filter(|count| *count > 0)).sum();
        assert_eq!(rest, SPANS - BATCH + 1);
    }
}
