use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

/// Asks for an answer at half the limit, forever, and passes each answer on. A question that is not answered is the last.
pub(super) async fn run<T>(limit: Duration, mut ask: impl AsyncFnMut() -> T, mut alive: impl FnMut(T)) {
    let mut ticks = interval((limit / 2).max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        alive(ask().await);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::{Instant, timeout};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn signs_of_life_come_twice_within_the_limit() {
        let (started, mut times) = (Instant::now(), Vec::new());
        let watched = run(LIMIT, async || started.elapsed().as_secs(), |time| times.push(time));
        timeout(Duration::from_secs(95), watched).await.unwrap_err();
        assert_eq!(times, [0, 30, 60, 90]);
    }

    #[tokio::test(start_paused = true)]
    async fn they_stop_when_an_answer_stays_away() {
        let (asked, alive) = (Cell::new(0), Cell::new(0));
        let ask = async || {
            asked.set(asked.get() + 1);
            if asked.get() > 2 {
                std::future::pending::<()>().await;
            }
        };
        let watched = run(LIMIT, ask, |()| alive.set(alive.get() + 1));
        timeout(LIMIT * 100, watched).await.unwrap_err();
        assert_eq!((asked.get(), alive.get()), (3, 2));
    }
}
