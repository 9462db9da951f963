//! Waiting with a deadline.

use std::future::poll_fn;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for something that must happen. A test fails after it, so it is far longer than a busy machine
/// needs.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// How often a condition is checked.
const INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds.
///
/// # Panics
///
/// If it does not hold in time. `what` names it.
#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    wait_for(what, || condition().then_some(()));
}

/// Waits until there is a value.
///
/// # Panics
///
/// If there is none in time. `what` names it.
#[track_caller]
pub fn wait_for<T>(what: &str, mut value: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited {} s until {what}", PATIENCE.as_secs());
        thread::sleep(INTERVAL);
    }
}

/// Waits in a task until a condition holds: other tasks run between the checks. It uses no timer, so the runtime's clock may be paused.
///
/// # Panics
///
/// If it does not hold in time. `what` names it.
pub async fn yield_until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition().await {
        assert!(Instant::now() < deadline, "waited {} s until {what}", PATIENCE.as_secs());
        let mut has_yielded = false;
        poll_fn(|context| {
            if has_yielded {
                return Poll::Ready(());
            }
            has_yielded = true;
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_checked_until_it_holds() {
        let mut count = 0;
        wait_until("it is checked three times", || {
            count += 1;
            count == 3
        });
    }
}
