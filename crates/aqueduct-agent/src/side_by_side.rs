//! Several futures at once, in one task.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// Runs futures side by side, and gives what each of them gave, in their order.
pub(crate) async fn all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut running: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = running.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, slot) in running.iter_mut().zip(&mut done).filter(|(_, slot)| slot.is_none()) {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                *slot = Some(output);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
