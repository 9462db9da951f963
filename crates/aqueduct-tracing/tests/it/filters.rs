//! Which events are written.

use aqueduct_tracing::{LogFilter, LogFormat};
use proptest::prelude::*;
use tracing::{debug, error, info};

use super::kept::Kept;

fn emit() {
    error!(target: "aqueduct::bridge", "bridge error");
    info!(target: "aqueduct::bridge", "bridge info");
    debug!(target: "aqueduct::bridge", "bridge debug");
    info!(target: "aqueduct::agent", "agent info");
    info!(target: "hyper::proto", "library info");
}

fn written(filter: &str) -> Vec<String> {
    let text = Kept::of(filter, LogFormat::Text, emit);
    text.lines().map(|line| line.rsplit_once(": ").unwrap().1.to_owned()).collect()
}

#[test]
fn a_level_is_for_aqueduct_and_names_are_for_parts() {
    assert_eq!(written("info"), ["bridge error", "bridge info", "agent info"]);
    assert_eq!(written("error"), ["bridge error"]);
    assert_eq!(written("warn,agent=info"), ["bridge error", "agent info"]);
    assert_eq!(written("bridge=debug"), ["bridge error", "bridge info", "bridge debug"]);
    assert_eq!(written("off,hyper=info"), ["library info"]);
    assert_eq!(
        written("Info , hyper::proto = INFO"),
        ["bridge error", "bridge info", "agent info", "library info"]
    );
    assert!(written("off").is_empty());
}

#[test]
fn what_is_no_filter_is_refused() {
    for text in [
        "",
        "verbose",
        "info,",
        "=info",
        "bridge=",
        "bridge=loud",
        "a b=info",
        "info;bridge=debug",
        "\u{1b}=info",
    ] {
        assert_eq!(LogFilter::parse(text), None, "{text:?}");
    }
    assert!(LogFilter::parse("off,bridge=off").unwrap().is_off());
    assert!(!LogFilter::parse("off,bridge=error").unwrap().is_off());
}

proptest! {
    #[test]
    fn a_filter_is_written_as_it_is_read(text in "[a-z:=, ]{0,40}|(off|warn|info|bridge=info)(,(error|debug|trace|a::b=off)){0,3}") {
        if let Some(filter) = LogFilter::parse(&text) {
            prop_assert_eq!(LogFilter::parse(&filter.to_string()), Some(filter));
        }
    }
}
