//! What was looked at, and what was found.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::output::TerminalInfo;
use crate::terminal::{Ink, plain};

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckStatus {
    /// It is as it should be.
    Ok,
    /// It works, and could be better.
    Warn,
    /// It does not work.
    Fail,
}

impl CheckStatus {
    fn name(self) -> &'static str {
        match self {
            CheckStatus::Ok => "ok",
            CheckStatus::Warn => "warn",
            CheckStatus::Fail => "fail",
        }
    }
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DoctorCheck {
    pub(super) status: CheckStatus,
    /// What was looked at, in a word.
    pub(super) subject: &'static str,
    /// What was found.
    pub(super) found: String,
    /// What to do next, where something is to be done.
    pub(super) next: Option<String>,
    /// The same for programs, with more detail.
    pub(super) detail: Option<Value>,
}

impl DoctorCheck {
    pub(super) fn ok(subject: &'static str, found: impl Into<String>) -> Self {
        DoctorCheck { status: CheckStatus::Ok, subject, found: found.into(), next: None, detail: None }
    }

    pub(super) fn warn(subject: &'static str, found: impl Into<String>, next: impl Into<String>) -> Self {
        DoctorCheck { status: CheckStatus::Warn, next: Some(next.into()), ..DoctorCheck::ok(subject, found) }
    }

    pub(super) fn fail(subject: &'static str, found: impl Into<String>, next: impl Into<String>) -> Self {
        DoctorCheck { status: CheckStatus::Fail, next: Some(next.into()), ..DoctorCheck::ok(subject, found) }
    }

    pub(super) fn with_detail(self, detail: Value) -> Self {
        DoctorCheck { detail: Some(detail), ..self }
    }
}

/// All checks for people.
pub(super) fn readable(checks: &[DoctorCheck], screen: &TerminalInfo) -> String {
    let ink = Ink::new(screen.colour);
    let subjects = checks.iter().map(|check| check.subject.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let status = format!("{:<4}", check.status.name());
        let status = match check.status {
            CheckStatus::Ok => ink.green(&status),
            CheckStatus::Warn => ink.yellow(&status),
            CheckStatus::Fail => ink.red(&status),
        };
        let subject = format!("{:<subjects$}", check.subject);
        let _ = writeln!(text, "{status}  {}  {}", ink.bold(&subject), plain(&check.found));
        if let Some(next) = &check.next {
            let _ = writeln!(text, "{}→ {}", " ".repeat(4 + 2 + subjects + 2), plain(next));
        }
    }
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    let number =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let _ = writeln!(
        text,
        "\n{}: {}, {}",
        number(checks.len(), "check", "checks"),
        number(count(CheckStatus::Warn), "warning", "warnings"),
        number(count(CheckStatus::Fail), "failure", "failures")
    );
    text
}

/// All checks for programs.
pub(super) fn as_json(checks: &[DoctorCheck]) -> Value {
    let list: Vec<Value> = checks
        .iter()
        .map(|check| {
            let mut value =
                json!({ "status": check.status.name(), "subject": check.subject, "found": check.found });
            if let Some(next) = &check.next {
                value["next"] = json!(next);
            }
            if let Some(detail) = &check.detail {
                value["detail"] = detail.clone();
            }
            value
        })
        .collect();
    json!({ "ok": checks.iter().all(|check| check.status != CheckStatus::Fail), "checks": list })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_states_what_to_do_next() {
        let checks = [
            DoctorCheck::ok("agent", "claude 2.1.325"),
            DoctorCheck::warn("model", "no key", "set one"),
            DoctorCheck::fail("port", "taken\x1b[2J", "choose another"),
        ];
        let screen = TerminalInfo {
            is_terminal: false,
            colour: false,
            notes_colour: false,
            width: 80,
            notes_are_terminal: false,
            progress: false,
            is_dumb: false,
            links: false,
        };
        insta::assert_snapshot!(readable(&checks, &screen), @r"
        ok    agent  claude 2.1.325
        warn  model  no key
                     → set one
        fail  port   taken\x1b[2J
                     → choose another

        3 checks: 1 warning, 1 failure
        ");
        assert_eq!(as_json(&checks)["ok"], false);
        assert_eq!(as_json(&checks[..2])["ok"], true);
    }
}
