//! Numbers of JSON, compared by their values.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// How far a quotient may be from a whole number: decimal fractions are not exact.
const TOLERANCE: f64 = 1e-9;

/// Compares two numbers.
pub(super) fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

/// Whether a number is a multiple of another. A step that is not positive has no multiples to compare with.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return step <= 0 || number % step == 0;
    }
    let (Some(number), Some(step)) = (number.as_f64(), step.as_f64()) else { return true };
    let times = number / step;
    step <= 0.0 || number % step == 0.0 || (times - times.round()).abs() <= TOLERANCE
}

/// A limit of a count: 2.0 is as good as 2.
pub(super) fn count(limit: &Value) -> Option<u64> {
    limit.as_u64().or_else(|| {
        let limit = limit.as_f64().filter(|limit| limit.fract() == 0.0 && *limit >= 0.0)?;
        Some(limit as u64)
    })
}

/// Whether two values are the same; 1 and 1.0 are.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other) == Some(Ordering::Equal),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}
