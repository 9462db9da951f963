//! Differences that are accepted, each with its reason. All others fail.

use super::diff::Change;

pub(super) struct Accepted {
    /// A host, or `*`.
    host: &'static str,
    /// A duty, or `*`.
    duty: &'static str,
    /// What the line contains.
    contains: &'static str,
    pub(super) reason: &'static str,
}

pub(super) const ACCEPTED: &[Accepted] = &[
    Accepted {
        host: "claude-code-acp",
        duty: "denial",
        contains: "The user does",
        reason: "a call that was denied is answered in the program's own words, which this host shows",
    },
    Accepted {
        host: "cloudcli",
        duty: "resume",
        contains: r#"{"content":"@say A text that comes in several pieces.","kind":"text","provider":"claude","role":"user"}"#,
        reason: "the reference keeps its requests in the transcript, and CloudCLI shows the first as another prompt",
    },
    Accepted {
        host: "cloudcli",
        duty: "resume",
        contains: "No response requested.",
        reason: "resuming after an interrupt, the reference writes an answer that the model did not give",
    },
];

/// The rule that accepts a difference.
pub(super) fn rule(host: &str, duty: &str, change: &Change) -> Option<&'static Accepted> {
    ACCEPTED.iter().find(|accepted| {
        (accepted.host == "*" || accepted.host == host)
            && (accepted.duty == "*" || accepted.duty == duty)
            && change.text().contains(accepted.contains)
    })
}
