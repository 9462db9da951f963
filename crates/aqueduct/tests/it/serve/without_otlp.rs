//! A program without OpenTelemetry.

use super::served::aqueduct;
use crate::terminal::Place;

#[test]
fn a_collector_is_refused_with_the_way_to_get_the_feature() {
    let run = aqueduct(&Place::new(), &["serve", "--otlp", "http://127.0.0.1:4318"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("--otlp: this program is built without OpenTelemetry"), "{}", run.err);
    assert!(run.err.contains("cargo install --path crates/aqueduct --features otlp"), "{}", run.err);
}
