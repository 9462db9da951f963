//! A difference between two recordings.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// How long a value may be in one line for people.
const SHORT: usize = 100;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::conformance) struct Finding {
    pub(in crate::conformance) kind: String,
    /// The member's path; empty if the frame as a whole is meant.
    pub(in crate::conformance) field: String,
    pub(in crate::conformance) what: What,
    pub(in crate::conformance) theirs: Option<Value>,
    pub(in crate::conformance) ours: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::conformance) enum What {
    /// The reference has it, the agent under test has not.
    Missing,
    /// The agent under test has it, the reference has not.
    Extra,
    /// Both have it, and it is not the same.
    Differs,
    /// Both have the same meaning in different wording.
    Worded,
}

impl What {
    pub(in crate::conformance) fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing here",
            Self::Extra => "only here",
            Self::Differs => "differs",
            Self::Worded => "worded differently",
        }
    }
}

impl Finding {
    pub(in crate::conformance) fn new(
        kind: &str,
        field: &str,
        what: What,
        theirs: Option<Value>,
        ours: Option<Value>,
    ) -> Self {
        Self { kind: kind.to_owned(), field: field.to_owned(), what, theirs, ours }
    }

    /// The kind and the member.
    pub(in crate::conformance) fn place(&self) -> String {
        match self.field.as_str() {
            "" => self.kind.clone(),
            field => format!("{} {field}", self.kind),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.what.word())?;
        if let Some(theirs) = &self.theirs {
            write!(f, "\n    theirs {}", short(theirs))?;
        }
        if let Some(ours) = &self.ours {
            write!(f, "\n    ours   {}", short(ours))?;
        }
        Ok(())
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
