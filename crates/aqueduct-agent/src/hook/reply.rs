//! The reply of one hook.

use aqueduct_wire::hook::{HookOutput, HookSpecificOutput};
use aqueduct_wire::json::{Json as _, LeftoverKind, Raw, Walk};

use crate::hook_config::HookEventRow;

/// The tag that hosts use for a guard that gave no verdict.
pub(super) const NO_VERDICT: &str = "hook_no_verdict";

/// The tag for a guard that timed out.
pub(super) const TIMED_OUT: &str = "hook_timed_out";

/// The reply of one hook.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum HookReply {
    /// No reply, or none that has an effect.
    Nothing,
    /// Text that is not JSON.
    Printed(String),
    /// A structured answer.
    Output(Box<HookOutput<'static>>),
    /// A refusal by exit code 2.
    Blocked {
        /// The command and what it printed.
        why: String,
        /// What it printed, if anything.
        reason: Option<String>,
    },
    /// A refusal by a model, for this reason.
    Judged {
        /// The message for the main model.
        why: String,
        /// The turn ends, for this reason.
        stop: Option<String>,
    },
    /// The hook failed, so its decision is unknown. If `blocks` is set, it counts as a refusal.
    Failed {
        /// Why.
        why: String,
        /// Whether it counts as a refusal.
        blocks: bool,
        /// The tag that hosts use for this kind of failure.
        tag: Option<&'static str>,
    },
}

/// Parses the output of a command.
pub(super) fn read(event: &HookEventRow, printed: &str) -> HookReply {
    let printed = printed.trim();
    if printed.is_empty() {
        return HookReply::Nothing;
    }
    if !printed.starts_with('{') {
        return HookReply::Printed(printed.to_owned());
    }
    match Raw::parse(printed) {
        Ok(raw) => understand(event, &raw),
        Err(_) => HookReply::Printed(printed.to_owned()),
    }
}

/// Parses a structured answer.
pub(super) fn understand(event: &HookEventRow, raw: &Raw<'_>) -> HookReply {
    let Some(output) = raw.view::<HookOutput<'_>>() else {
        return HookReply::Failed { why: "its answer is not an object".to_owned(), blocks: false, tag: None };
    };
    if let Some(other) =
        output.specific.as_deref().map(HookSpecificOutput::tag).filter(|name| *name != event.name)
    {
        // A refusal under the wrong event name must not count as an empty reply.
        let why = match other {
            "" => "its hookSpecificOutput has no hookEventName".to_owned(),
            other => format!("its hookSpecificOutput is for {other}, not for {}", event.name),
        };
        return HookReply::Failed { why, blocks: event.can_block, tag: None };
    }
    if let Some(HookSpecificOutput::PreToolUse(output)) = output.specific.as_deref()
        && output.updated_input.as_ref().is_some_and(|input| !input.as_str().trim_start().starts_with('{'))
    {
        let why = "in its answer hookSpecificOutput.updatedInput is not an object".to_owned();
        return HookReply::Failed { why, blocks: false, tag: None };
    }
    if let Some(wrong) = misfit(&output) {
        return HookReply::Failed { why: format!("in its answer {wrong}"), blocks: false, tag: None };
    }
    HookReply::Output(Box::new(output.into_owned()))
}

/// The first member of an answer that has the wrong type. Unknown members are ignored.
fn misfit(output: &HookOutput<'_>) -> Option<String> {
    let mut wrong = None;
    output.leftovers(&mut Walk::new(&mut |leftover| {
        let place = |name: &str| [leftover.path, &[name]].concat().join(".");
        let what = match leftover.kind {
            LeftoverKind::Field(_) => return,
            LeftoverKind::Shape(name) => format!("{} has another shape: {}", place(name), leftover.value),
            LeftoverKind::Misfit { wanted, .. } => {
                format!("{} lacks {wanted}", leftover.path.join("."))
            }
            _ => format!("{} can't be {}", leftover.path.join("."), leftover.value),
        };
        wrong.get_or_insert(what);
    }));
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(printed: &str) -> HookReply {
        read(HookEventRow::named("PreToolUse").unwrap(), printed)
    }

    #[test]
    fn answers_texts_and_nothing_are_distinguished() {
        assert_eq!(reply(" \n"), HookReply::Nothing);
        assert_eq!(reply("all is well\n"), HookReply::Printed("all is well".to_owned()));
        assert_eq!(reply("{\"continue\": fal"), HookReply::Printed("{\"continue\": fal".to_owned()));
        assert!(matches!(reply("{\"continue\":true,\"from the future\":1}"), HookReply::Output(_)));
    }

    #[test]
    fn invalid_answers_are_reported() {
        let why = |printed: &str| match reply(printed) {
            HookReply::Failed { why, blocks, .. } => {
                format!("{why}{}", if blocks { " (blocks)" } else { "" })
            }
            other => panic!("{other:?}"),
        };
        let specific = |inside: &str| why(&format!(r#"{{"hookSpecificOutput":{{{inside}}}}}"#));
        insta::assert_snapshot!([
            why("{\"continue\": 7}"),
            why("{\"decision\": \"nope\"}"),
            specific(r#""hookEventName":"PreToolUse","permissionDecision":"never""#),
            specific(r#""hookEventName":"PostToolUse","permissionDecision":"deny""#),
            specific(r#""permissionDecision":"deny""#),
        ].join("\n"), @r"
        in its answer continue has another shape: 7
        in its answer decision can't be nope
        in its answer hookSpecificOutput.permissionDecision can't be never
        its hookSpecificOutput is for PostToolUse, not for PreToolUse (blocks)
        its hookSpecificOutput has no hookEventName (blocks)
        ");
    }
}
