//! Rounds and what is read from them.
//!
//! All measurements of a bench take turns (A B C, A B C, …), so a machine that is slow for a while is slow
//! for all of them, and their ratios stay valid. Time is this thread's time on the
//! processor: what other programs take in between is not counted.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Something that can be timed or have its instructions counted.
pub(crate) struct Measurement<Input: ?Sized> {
    /// Its name on the command line and in JSON.
    pub(crate) id: &'static str,
    /// Its name in tables.
    pub(crate) name: &'static str,
    /// The measurement that does the same work the ordinary way, and that this one is compared with.
    pub(crate) beside: &'static str,
    /// Does the work once, on all of the input.
    pub(crate) run: fn(&Input),
}

/// How long each round of a measurement took.
pub(crate) struct Rounds(Vec<Duration>);

impl Rounds {
    /// The fastest round: what the machine can do when nothing else happens. On virtual machines the clock now
    /// and then runs backwards; a round that took no time is none.
    pub(crate) fn best(&self) -> Duration {
        self.0.iter().copied().filter(|took| !took.is_zero()).min().unwrap_or_default()
    }

    /// The round in the middle.
    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    /// How many times as fast as `other` this is: each round beside the other's of the same turn, and of
    /// those ratios the one in the middle.
    pub(crate) fn times_as_fast_as(&self, other: &Rounds) -> f64 {
        let mut ratios: Vec<f64> =
            self.0.iter().zip(&other.0).map(|(mine, its)| its.as_secs_f64() / mine.as_secs_f64()).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Times all measurements on the same input, in turns. One turn goes before that is not counted.
pub(crate) fn in_turns<Input: ?Sized>(
    measurements: &[&Measurement<Input>],
    input: &Input,
    turns: usize,
) -> Vec<Rounds> {
    let mut rounds: Vec<_> = measurements.iter().map(|_| Rounds(Vec::with_capacity(turns))).collect();
    for turn in 0..=turns {
        for (measurement, rounds) in measurements.iter().zip(&mut rounds) {
            let start = processor_time();
            (measurement.run)(input);
            let took = processor_time().saturating_sub(start);
            if turn > 0 {
                rounds.0.push(took);
            }
        }
    }
    rounds
}

/// Times one piece of work by itself. One round goes before that is not counted.
pub(crate) fn alone(rounds: usize, mut work: impl FnMut()) -> Rounds {
    let mut times = Vec::with_capacity(rounds);
    work();
    for _ in 0..rounds {
        let start = processor_time();
        work();
        times.push(processor_time().saturating_sub(start));
    }
    Rounds(times)
}

/// How long this thread has been on a processor.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(millis: &[u64]) -> Rounds {
        Rounds(millis.iter().copied().map(Duration::from_millis).collect())
    }

    #[test]
    fn a_slow_spell_hits_both_and_leaves_the_ratio() {
        let ours = rounds(&[10, 50, 10]);
        let theirs = rounds(&[20, 100, 20]);
        assert_eq!(ours.best(), Duration::from_millis(10));
        assert_eq!(theirs.median(), Duration::from_millis(20));
        assert_eq!(ours.times_as_fast_as(&theirs), 2.0);
    }
}
