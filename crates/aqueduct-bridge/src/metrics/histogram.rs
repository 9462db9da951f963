use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Microseconds of a second.
const MICROS: f64 = 1e6;

/// How often a value was in each of several ranges. Recording takes two atomic additions.
#[derive(Debug)]
pub struct Histogram {
    /// The largest value of each range but the last, ascending.
    bounds: &'static [u64],
    /// What a value is divided by when it is read.
    unit: f64,
    /// One for each bound, and one for larger values.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// A histogram at one time, in seconds where it is one of times.
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramSnapshot {
    /// Each bound, and how many values were not larger.
    pub buckets: Vec<(f64, u64)>,
    /// The number of values.
    pub count: u64,
    /// The sum of all values.
    pub sum: f64,
}

impl Histogram {
    /// A histogram of times, with bounds in microseconds.
    pub(crate) fn of_times(bounds: &'static [u64]) -> Self {
        Histogram::new(bounds, MICROS)
    }

    /// A histogram of numbers.
    pub(crate) fn of_counts(bounds: &'static [u64]) -> Self {
        Histogram::new(bounds, 1.0)
    }

    fn new(bounds: &'static [u64], unit: f64) -> Self {
        let counts = std::iter::repeat_with(AtomicU64::default).take(bounds.len() + 1).collect();
        Histogram { bounds, unit, counts, sum: AtomicU64::default() }
    }

    /// Records a time.
    pub(crate) fn record_time(&self, time: Duration) {
        self.record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// Records a value.
    pub(crate) fn record(&self, value: u64) {
        let range = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(range) {
            count.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(value, Ordering::Relaxed);
        }
    }

    /// The current values.
    pub fn snapshot(&self) -> HistogramSnapshot {
        let mut count = 0;
        let mut buckets = Vec::with_capacity(self.bounds.len());
        for (range, found) in self.counts.iter().enumerate() {
            count += found.load(Ordering::Relaxed);
            if let Some(bound) = self.bounds.get(range) {
                buckets.push((*bound as f64 / self.unit, count));
            }
        }
        HistogramSnapshot { buckets, count, sum: self.sum.load(Ordering::Relaxed) as f64 / self.unit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_every_range_that_holds_it() {
        let histogram = Histogram::of_counts(&[1, 10, 100]);
        for value in [0, 1, 2, 10, 11, 1000] {
            histogram.record(value);
        }
        let snapshot = histogram.snapshot();
        assert_eq!(snapshot.buckets, [(1.0, 2), (10.0, 4), (100.0, 5)]);
        assert_eq!((snapshot.count, snapshot.sum), (6, 1024.0));
    }

    #[test]
    fn times_are_read_in_seconds() {
        let histogram = Histogram::of_times(&[500, 1_000_000]);
        histogram.record_time(Duration::from_micros(500));
        histogram.record_time(Duration::from_millis(1500));
        let snapshot = histogram.snapshot();
        assert_eq!(snapshot.buckets, [(0.0005, 1), (1.0, 1)]);
        assert_eq!((snapshot.count, snapshot.sum), (2, 1.5005));
    }

    #[test]
    fn bounds_of_all_histograms_ascend() {
        for bounds in
            [super::super::DELIVERY, super::super::ANSWER, super::super::DECISION, super::super::DEPTH]
        {
            assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
        }
    }
}
