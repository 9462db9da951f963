//! The types of callbacks: functions of the host that answer requests of the agent.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// The future that a callback returns.
pub type Answering<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A callback: takes a request and returns a future of the response.
pub(crate) type Callback<Q, A> = Arc<dyn Fn(Q) -> Answering<A> + Send + Sync>;

/// Converts an async function into a callback. The whole function runs where the future is polled, including the code
/// before its first await, so it may block for a while and may panic.
pub(crate) fn callback<Q, A, F>(answer: impl Fn(Q) -> F + Send + Sync + 'static) -> Callback<Q, A>
where
    Q: Send + 'static,
    F: Future<Output = A> + Send + 'static,
{
    let answer = Arc::new(answer);
    Arc::new(move |question| {
        let answer = answer.clone();
        Box::pin(async move { answer(question).await })
    })
}
