//! A decision while it is made.

use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::permission::PermissionUpdate;

use crate::behavior::Behavior;
use crate::context::Context;
use crate::decision::{Decision, Part, Stage, Step};
use crate::mode::Mode;

/// What the flow has found so far.
#[derive(Debug)]
pub(crate) struct PartialDecision {
    pub(crate) behavior: Behavior,
    pub(crate) reason: String,
    pub(crate) reason_type: DecisionReasonType<'static>,
    pub(crate) steps: Vec<Step>,
    pub(crate) suggestions: Vec<PermissionUpdate<'static>>,
    pub(crate) parts: Vec<Part>,
    /// What an unanswered question becomes in plan mode.
    pub(crate) in_plan: InPlan,
}

/// How plan mode treats a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InPlan {
    /// It is refused: there is nothing to do yet but to read.
    Refused,
    /// It is asked.
    Asked,
}

impl PartialDecision {
    pub(crate) fn new(
        behavior: Behavior,
        reason_type: DecisionReasonType<'static>,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            behavior,
            reason: reason.into(),
            reason_type,
            steps: Vec::new(),
            suggestions: Vec::new(),
            parts: Vec::new(),
            in_plan: InPlan::Refused,
        }
    }

    /// A rule decided.
    pub(crate) fn by_rule(context: &Context, index: usize, stage: Stage, matched: Option<String>) -> Self {
        let entry = context.rule_set().entry(index);
        let behavior = if entry.rule.is_err() { Behavior::Ask } else { entry.behavior };
        let verb = match behavior {
            Behavior::Allow => "allows",
            Behavior::Ask => "asks about",
            Behavior::Deny => "denies",
        };
        let object = matched
            .as_deref()
            .map_or_else(|| "this tool".to_owned(), |matched| format!("`{}`", short(matched)));
        let reason = match &entry.rule {
            Ok(_) => format!("rule `{}` of {} {verb} {object}", entry.text, entry.source),
            Err(error) => {
                format!("a {} rule of {} can't be read: {}", entry.behavior, entry.source, error.advised())
            }
        };
        let mut outcome = Self::new(behavior, DecisionReasonType::Rule, reason);
        outcome.in_plan = InPlan::Asked;
        outcome.steps.push(rule_step(context, index, stage, matched));
        outcome
    }

    /// The step is added to the trace with the outcome's own reason.
    pub(crate) fn at(mut self, stage: Stage, matched: Option<String>) -> Self {
        let note = self.reason.clone();
        self.steps.push(Step {
            step: stage,
            behavior: self.behavior,
            note,
            source: None,
            rule: None,
            matched,
        });
        self
    }

    pub(crate) fn suggesting(mut self, suggestions: Vec<PermissionUpdate<'static>>) -> Self {
        self.suggestions = suggestions;
        self
    }

    pub(crate) fn asked_in_plan(mut self) -> Self {
        self.in_plan = InPlan::Asked;
        self
    }

    /// The decision, after the mode was applied to a question.
    pub(crate) fn settled(mut self, context: &Context, interactive: bool) -> Decision {
        let mode = context.mode();
        let refused = match mode {
            _ if context.avoids_prompts() => Some("no user can be asked"),
            Mode::DontAsk if !interactive => Some("dontAsk mode refuses what would be asked"),
            Mode::Plan if !interactive && self.in_plan == InPlan::Refused => {
                Some("plan mode only reads until the plan is approved")
            }
            _ => None,
        };
        if let Some(note) = refused.filter(|_| self.behavior == Behavior::Ask) {
            self.behavior = Behavior::Deny;
            self.reason = format!("{note}: {}", self.reason);
            self.reason_type = DecisionReasonType::Mode;
            self.suggestions.clear();
            let step = Step {
                step: Stage::Mode,
                behavior: Behavior::Deny,
                note: note.to_owned(),
                source: None,
                rule: None,
                matched: None,
            };
            self.steps.push(step);
        }
        if self.behavior != Behavior::Ask || mode == Mode::Plan {
            self.suggestions.clear();
        }
        Decision {
            behavior: self.behavior,
            reason: self.reason,
            reason_type: self.reason_type,
            trace: self.steps,
            suggestions: self.suggestions,
            parts: self.parts,
        }
    }
}

/// A step at which a rule matched.
pub(crate) fn rule_step(context: &Context, index: usize, stage: Stage, matched: Option<String>) -> Step {
    let entry = context.rule_set().entry(index);
    let (behavior, note) = match &entry.rule {
        Ok(_) => {
            let article = if entry.behavior == Behavior::Deny { "a" } else { "an" };
            (entry.behavior, format!("matched {article} {} rule", entry.behavior))
        }
        Err(error) => (Behavior::Ask, error.advised()),
    };
    Step { step: stage, behavior, note, source: Some(entry.source), rule: Some(entry.text.clone()), matched }
}

/// A text cut to what fits on a line.
pub(crate) fn short(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.replace('\n', " ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
