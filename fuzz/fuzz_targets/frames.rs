//! No line makes the reader panic; it takes what is JSON and nothing else; and what it takes is written
//! back as the same value, digit for digit.

#![no_main]

use std::collections::HashMap;

use aqueduct_wire::json::{IntoOwned, ParseError};
use aqueduct_wire::{FromAgent, ToAgent};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

macro_rules! check {
    ($frame:ident, $line:expr) => {{
        let line: &str = $line;
        // A raw value is checked against the grammar only, not against what a tree can hold.
        let is_json = serde_json::from_str::<&RawValue>(line).is_ok();
        match $frame::parse(line) {
            Err(ParseError::TooDeep { .. }) => {}
            Err(ParseError::NotAnObject) => assert!(is_json, "not JSON, and yet no syntax error"),
            Err(error) => assert!(!is_json, "JSON was refused: {error}"),
            Ok(frame) => {
                assert!(is_json, "something that is not JSON was taken");
                let written = frame.to_line();
                assert!(!written.contains(['\n', '\r', '\u{2028}', '\u{2029}']));
                assert_eq!(frame.clone().into_owned().to_line(), written);
                let Ok(again) = $frame::parse(&written) else { panic!("{written} can't be read back") };
                assert_eq!(again.to_line(), written);
                assert_eq!(again.tag(), frame.tag());
                let peek = aqueduct_wire::peek(line).map(|peek| peek.kind.unwrap_or_default().to_string());
                assert_eq!(peek.as_deref(), Ok(frame.tag()));
                assert!(is_same(line.trim(), &written), "{line} became {written}");
                let mut leftovers = 0;
                frame.leftovers(&mut |leftover| leftovers += leftover.value.len());
                std::hint::black_box(leftovers);
            }
        }
    }};
}

fuzz_target!(|data: &[u8]| {
    for line in data.split(|byte| *byte == b'\n') {
        if let Ok(line) = std::str::from_utf8(line) {
            check!(FromAgent, line);
            check!(ToAgent, line);
        }
    }
});

/// Whether two JSON texts are the same value, with numbers compared by their digits. Of names that occur in
/// an object twice the last counts.
fn is_same(left: &str, right: &str) -> bool {
    match (left.as_bytes().first(), right.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => {
            // A name with half of a surrogate pair fits no string, and can't be compared.
            let (Some(left), Some(right)) = (members(left), members(right)) else { return true };
            left.len() == right.len()
                && left.iter().all(|(name, value)| {
                    right.get(name).is_some_and(|other| is_same(value.get(), other.get()))
                })
        }
        (Some(b'['), Some(b'[')) => {
            let (Some(left), Some(right)) = (items(left), items(right)) else { return false };
            left.len() == right.len()
                && left.iter().zip(right).all(|(value, other)| is_same(value.get(), other.get()))
        }
        (Some(b'"'), Some(b'"')) => {
            left == right || matches!((text(left), text(right)), (Some(left), Some(right)) if left == right)
        }
        _ => left == right,
    }
}

fn members(json: &str) -> Option<HashMap<String, &RawValue>> {
    serde_json::from_str(json).ok()
}

fn items(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}
