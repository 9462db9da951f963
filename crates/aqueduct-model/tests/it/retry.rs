//! Tests of waits.

use std::time::Duration;

use aqueduct_model::retry::{Advice, Backoff, passes};
use proptest::prelude::*;

#[test]
fn waits_double_up_to_a_limit() {
    let waits: Vec<_> = (1..=9).map(|attempt| Backoff::default().delay(attempt, 0.0).as_millis()).collect();
    assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000]);
    assert_eq!(Backoff::default().delay(1, 1.0), Duration::from_millis(625));
    assert_eq!(Backoff::default().delay(u32::MAX, 1.0), Duration::from_secs(40));
    assert_eq!(Backoff::default().delay(0, 0.0), Duration::from_millis(500));
}

proptest! {
    #[test]
    fn jitter_adds_at_most_a_quarter(attempt in any::<u32>(), jitter in any::<f64>()) {
        let backoff = Backoff::default();
        let plain = backoff.delay(attempt, 0.0);
        let delay = backoff.delay(attempt, if jitter.is_nan() { 0.0 } else { jitter });
        prop_assert!(delay >= plain && delay <= plain.mul_f64(1.25));
    }
}

#[test]
fn headers_advise() {
    let read = |headers: &'static [(&str, &str)]| {
        Advice::read(|name| headers.iter().find(|(found, _)| *found == name).map(|(_, value)| *value))
    };
    assert_eq!(read(&[]), Advice::default());
    assert_eq!(read(&[("x-should-retry", "true")]).should_retry, Some(true));
    assert_eq!(read(&[("x-should-retry", "maybe")]).should_retry, None);
    assert_eq!(read(&[("retry-after", " 7 ")]).after, Some(Duration::from_secs(7)));
    assert_eq!(
        read(&[("retry-after", "7"), ("retry-after-ms", "1500")]).after,
        Some(Duration::from_millis(1500))
    );
    for odd in ["0", "-1", "NaN", "soon", ""] {
        let advice = Advice::read(|name| (name == "retry-after").then_some(odd));
        assert_eq!(advice.after, None, "{odd:?}");
    }
    assert_eq!(read(&[("retry-after", "inf")]).after, Some(Duration::MAX));
}

#[test]
fn most_refusals_stay() {
    let passing: Vec<u16> = (200..520).filter(|status| passes(*status)).collect();
    assert_eq!(passing[..5], [401, 408, 409, 429, 500]);
    assert!(passes(529));
}
