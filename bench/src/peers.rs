//! The peers: crates that read the same lines into types of their own.
//!
//! Each is called the way its documentation offers it to others. `claude-codes` has a reader of its own,
//! which makes a `Value` first. `cc-sdk`'s reader is private, so its message type is read through serde.

use std::hint::black_box;

use cc_sdk::Message;
use claude_codes::ClaudeOutput;

use crate::fidelity::{Outcome, Reader};
use crate::measure::Measurement;
use crate::stream::Stream;

/// The peers' parsers.
pub(crate) const MEASUREMENTS: &[Measurement<Stream>] = &[
    Measurement {
        id: "claude-codes",
        name: "claude-codes: parse_json",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(ClaudeOutput::parse_json(black_box(line)));
            }
        },
    },
    Measurement {
        id: "claude-codes-serde",
        name: "claude-codes: its type through serde",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(serde_json::from_str::<ClaudeOutput>(black_box(line)));
            }
        },
    },
    Measurement {
        id: "cc-sdk",
        name: "cc-sdk: its type through serde",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(serde_json::from_str::<Message>(black_box(line)));
            }
        },
    },
];

/// The peers' ways there and back.
pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "claude-codes",
        there_and_back: |line| match ClaudeOutput::parse_json(line).map(serde_json::to_value) {
            Ok(Ok(back)) => Outcome::Typed(back),
            _ => Outcome::Failed,
        },
    },
    Reader {
        name: "cc-sdk",
        there_and_back: |line| match serde_json::from_str::<Message>(line).map(serde_json::to_value) {
            Ok(Ok(back)) => Outcome::Typed(back),
            _ => Outcome::Failed,
        },
    },
];
