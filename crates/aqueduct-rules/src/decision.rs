//! A decision with everything a person needs to understand it.

use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::permission::PermissionUpdate;
use serde::Serialize;

use crate::behavior::Behavior;
use crate::serialize;
use crate::source::Source;

/// What was decided about a call, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The answer.
    #[serde(rename = "decision")]
    pub behavior: Behavior,
    /// Why, in one sentence.
    pub reason: String,
    /// What decided, for programs.
    #[serde(rename = "reasonType", serialize_with = "serialize::reason_type")]
    pub reason_type: DecisionReasonType<'static>,
    /// The steps that led there.
    pub trace: Vec<Step>,
    /// What "always allow" could add, the narrowest first.
    #[serde(serialize_with = "serialize::updates")]
    pub suggestions: Vec<PermissionUpdate<'static>>,
    /// The commands in a shell call, each with what it touches. Empty for other tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// The step of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Deny rules.
    Deny,
    /// Ask rules.
    Ask,
    /// The tool's own check: paths, shell grammar, protected places.
    Tool,
    /// The permission mode.
    Mode,
    /// Allow rules.
    Allow,
    /// Nothing decided.
    Default,
}

/// One step of the flow that contributed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Which step.
    pub step: Stage,
    /// What it made of the call, or of the part of it that it looked at.
    pub behavior: Behavior,
    /// Why, in one sentence.
    pub note: String,
    /// Where the rule comes from, if a rule matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The rule, if a rule matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The part of the command, the path or the host it matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
}

/// One command of a shell call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The command as written.
    pub command: String,
    /// Whether it is inside another command, such as `$(…)` or `bash -c`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
    /// Files it reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Files it writes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// Whether the program is known to use the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// Other programs it starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// What was made of it.
    pub behavior: Behavior,
    /// Why.
    pub because: String,
}
