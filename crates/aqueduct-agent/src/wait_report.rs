//! Reports on work that holds a turn for longer than a user expects.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// How long work may hold a turn before the user sees what it is.
const FIRST: Duration = Duration::from_secs(3);

/// How many times later the next report comes.
const FACTOR: u32 = 10;

/// Waits for `work`, and calls `report` with the time that has passed: after 3 s, 30 s, 300 s and so on.
pub(crate) async fn reported<T, R: Future<Output = ()>>(
    work: impl Future<Output = T>,
    mut report: impl FnMut(Duration) -> R,
) -> T {
    let started = Instant::now();
    let mut next = FIRST;
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = sleep_until(started + next) => {
                report(next).await;
                next = next.saturating_mul(FACTOR);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_is_reported_ever_more_rarely() {
        let reports = RefCell::new(Vec::new());
        for seconds in [2, 4, 40, 3000] {
            let work = tokio::time::sleep(Duration::from_secs(seconds));
            reported(work, |waited| {
                reports.borrow_mut().push((seconds, waited.as_secs()));
                std::future::ready(())
            })
            .await;
        }
        let expected = [(4, 3), (40, 3), (40, 30), (3000, 3), (3000, 30), (3000, 300)];
        assert_eq!(*reports.borrow(), expected);
    }
}
