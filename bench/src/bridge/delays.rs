//! How long deltas were on their way.

use std::time::Duration;

use super::scripted_agent::now;

/// The delays of deltas that arrived, in nanoseconds.
#[derive(Default)]
pub(super) struct Delays(Vec<u64>);

impl Delays {
    /// Takes the stamps of a delta that has just arrived: several, if the bridge has merged some.
    pub(super) fn arrived(&mut self, text: &str) {
        let now = now();
        let stamps = text.split_whitespace().filter_map(|stamp| stamp.parse::<u64>().ok());
        self.0.extend(stamps.map(|stamp| now.saturating_sub(stamp)));
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn join(&mut self, other: Delays) {
        self.0.extend(other.0);
    }

    /// The delay that this part of all deltas did not exceed.
    pub(super) fn within(&self, part: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() as f64 * part) as usize;
        Duration::from_nanos(
            sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_deltas_count_each() {
        let mut delays = Delays::default();
        delays.arrived(&format!("{} {} ", now(), now() - 5_000_000_000));
        assert_eq!(delays.count(), 2);
        assert!(delays.within(0.0) < Duration::from_secs(1));
        assert!(delays.within(0.99) >= Duration::from_secs(5));
    }
}
