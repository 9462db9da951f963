//! Filters of the log: any text is read or refused, and what is read is written in the form that is read.
#![no_main]

use aqueduct_tracing::LogFilter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(filter) = LogFilter::parse(text) {
        assert_eq!(LogFilter::parse(&filter.to_string()), Some(filter));
    }
});
