//! The scripted model itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aqueduct_wire::block::ContentBlock;

use super::action::ScriptAction;
use super::change::ScriptChanges;
use super::demo;
use super::error::ScriptError;
use super::failure::ScriptedFailure;
use super::file;
use super::plan::{MessagePlan, PlannedBlock, ScriptedAnswer};
use super::rule::{Heading, ScriptRule};
use super::talk::ScriptConversation;
use super::turns::{ScriptTurn, ScriptTurns};
use crate::request::Request;
use crate::retry::Backoff;

/// How much of a tool's result is repeated when the script is at its end.
const RESULT_CHARS: usize = 80;

/// A model that answers as its script or the prompt specifies. Clones share their counts.
#[derive(Debug, Clone)]
pub struct Scripted {
    rules: Arc<[ScriptRule]>,
    counts: Arc<Mutex<ScriptCounts>>,
    pub(super) retry_delay: Duration,
}

/// What has happened so far.
#[derive(Debug, Default)]
struct ScriptCounts {
    /// How many ids there are of a kind.
    ids: HashMap<&'static str, u32>,
    /// How often a line has failed or broken a stream.
    failures: HashMap<String, u64>,
    /// How often a rule has answered.
    used: HashMap<usize, u64>,
}

impl Default for Scripted {
    fn default() -> Self {
        Scripted { rules: Arc::default(), counts: Arc::default(), retry_delay: Backoff::default().first }
    }
}

impl Scripted {
    /// A model with the rules of a script file.
    pub fn from_script(text: &str) -> Result<Self, ScriptError> {
        Ok(Scripted { rules: file::parse(text)?.into(), ..Scripted::default() })
    }

    /// The same model, whose first retry waits for this long. Each further one waits twice as long.
    #[must_use]
    pub fn with_retry_delay(self, retry_delay: Duration) -> Self {
        Scripted { retry_delay, ..self }
    }

    /// The answer to a call. Every call of this counts as one of the model.
    pub fn answer(&self, request: &Request) -> ScriptedAnswer {
        let talk = ScriptConversation::new(request);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rule) = self.rule(&talk, &mut counts) {
            let turn = if rule.heading.is_about_results() { 0 } else { talk.prompt().turns };
            return counts.answer(&rule.turns(&talk), turn, &talk);
        }
        if let Some(script) = talk.script() {
            let turns =
                ScriptTurns::parse(script.text.lines().enumerate().map(|(index, line)| (index + 1, line)));
            if turns.get(script.turns).is_some() || talk.results().is_some() {
                return counts.answer(&turns, script.turns, &talk);
            }
        }
        if let Some(rule) = self.rules.iter().find(|rule| rule.heading == Heading::Otherwise) {
            return counts.answer(&rule.turns, talk.prompt().turns, &talk);
        }
        let step = demo::step(&talk);
        let mut plan = counts.plan(step, talk.model());
        demo::pace(&mut plan);
        ScriptedAnswer::Message(plan)
    }

    /// A fresh id for an HTTP answer.
    pub(crate) fn request_id(&self) -> String {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).id("req")
    }

    fn rule(&self, talk: &ScriptConversation<'_>, counts: &mut ScriptCounts) -> Option<&ScriptRule> {
        let mut rules = self.rules.iter().enumerate();
        let (index, rule) = rules.find(|(index, rule)| {
            let used = counts.used.get(index).copied().unwrap_or(0);
            rule.heading != Heading::Otherwise
                && rule.heading.times().is_none_or(|times| used < times)
                && rule.heading.holds(talk)
        })?;
        *counts.used.entry(index).or_default() += 1;
        Some(rule)
    }
}

impl ScriptCounts {
    fn answer(&mut self, turns: &ScriptTurns, number: u64, talk: &ScriptConversation<'_>) -> ScriptedAnswer {
        let Some(turn) = turns.get(number) else {
            let results: String = talk.results().unwrap_or_default().chars().take(RESULT_CHARS).collect();
            return ScriptedAnswer::Message(
                self.plan(vec![PlannedBlock::text(format!("after: {results}"))], talk.model()),
            );
        };
        self.turn(turn, talk.model())
    }

    fn turn(&mut self, turn: &ScriptTurn, model: &str) -> ScriptedAnswer {
        let (blocks, pace) = match &turn.action {
            Ok(ScriptAction::Say { blocks, pace }) => (blocks.clone(), *pace),
            Ok(ScriptAction::TooLong { tokens, limit }) => {
                return refusal(ScriptedFailure::too_long(*tokens, *limit), &turn.changes);
            }
            Ok(ScriptAction::Fail { line, status, times, text }) => {
                if self.count(line) <= *times {
                    return refusal(
                        ScriptedFailure::new(*status, format!("scripted {status}")),
                        &turn.changes,
                    );
                }
                (vec![PlannedBlock::text(text)], None)
            }
            Err(wrong) => {
                let text = format!(
                    "Line {} of the script is wrong: `{}`: {}.",
                    wrong.number, wrong.line, wrong.error
                );
                (vec![PlannedBlock::text(text)], None)
            }
        };
        let mut plan = self.plan(blocks, model);
        if let Some((size, pause)) = pace {
            (plan.size, plan.pause) = (Some(size), pause);
        }
        self.change(&mut plan, &turn.changes);
        ScriptedAnswer::Message(plan)
    }

    fn change(&mut self, plan: &mut MessagePlan, changes: &ScriptChanges) {
        plan.usage = changes.usage.clone();
        plan.wait = changes.wait;
        plan.limits = changes.limits.clone();
        if let Some((size, pause)) = changes.pace {
            plan.size = Some(size);
            plan.pause = pause.unwrap_or(plan.pause);
        }
        if let Some(stop) = &changes.stop {
            plan.stop = stop.clone();
        }
        if let Some(breaking) = &changes.breaking
            && breaking.times.is_none_or(|times| self.count(&breaking.line) <= times)
        {
            plan.breaks = Some((breaking.after, breaking.how.clone()));
        }
    }

    fn plan(&mut self, mut blocks: Vec<PlannedBlock>, model: &str) -> MessagePlan {
        for block in &mut blocks {
            let PlannedBlock::Content(block) = block else { continue };
            let (id, kind) = match &mut **block {
                ContentBlock::ToolUse(call) => (&mut call.id, "toolu"),
                ContentBlock::ServerToolUse(call) => (&mut call.id, "srvtoolu"),
                ContentBlock::McpToolUse(call) => (&mut call.id, "mcptoolu"),
                _ => continue,
            };
            if id.is_empty() {
                *id = self.id(kind).into();
            }
        }
        MessagePlan::new(self.id("msg"), model, blocks)
    }

    fn count(&mut self, line: &str) -> u64 {
        let count = self.failures.entry(line.to_owned()).or_default();
        *count += 1;
        *count
    }

    fn id(&mut self, kind: &'static str) -> String {
        let count = self.ids.entry(kind).or_default();
        *count += 1;
        format!("{kind}_{count:04}")
    }
}

fn refusal(failure: ScriptedFailure, changes: &ScriptChanges) -> ScriptedAnswer {
    let ScriptChanges { retry_after, limits, wait, .. } = changes.clone();
    ScriptedAnswer::Failure(ScriptedFailure { retry_after, limits, ..failure }, wait)
}
