//! Many tools: the model knows their names, and looks up those that it needs.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use aqueduct_wire::json::Raw;
use serde_json::json;

use super::served_tool::ServedTool;
use super::servers::Mcp;
use crate::environment::Environment;

/// How many tools a search finds, where the model does not say.
const RESULTS: usize = 5;

/// The most that a search finds.
const MAX_RESULTS: usize = 50;

/// Which part of the model's window tools may fill, in percent, before they are looked up.
const SHARE: u64 = 10;

/// About how many characters a token is.
const TOKEN_CHARACTERS: u64 = 4;

/// What a search for exact names begins with.
const SELECT: &str = "select:";

/// When the model has to look tools up: `ENABLE_TOOL_SEARCH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    /// Never: it is told all of them.
    Never,
    /// Always.
    Always,
    /// When they would fill more than so many percent of its window.
    Above(u64),
}

impl Lookup {
    /// What the environment says.
    pub(super) fn of(environment: &Environment) -> Self {
        const NAME: &str = "ENABLE_TOOL_SEARCH";
        if environment.flag(NAME) {
            return Lookup::Always;
        }
        if environment.denies(NAME) {
            return Lookup::Never;
        }
        let percent = environment.variable(NAME).and_then(|text| text.strip_prefix("auto:")?.parse().ok());
        Lookup::Above(percent.unwrap_or(SHARE).min(100))
    }
}

/// A tool that the model knows by name only.
#[derive(Debug, Clone)]
pub(crate) struct DeferredTool {
    /// The name by which the model calls it.
    pub(crate) name: String,
    /// The name that its server gives it.
    pub(crate) short_name: String,
    /// What its server says to find it by.
    pub(crate) hint: String,
    /// What it does.
    pub(crate) description: String,
    /// The JSON Schema of its input.
    pub(crate) schema: Raw<'static>,
}

impl DeferredTool {
    /// Whether a name means it.
    fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.short_name.eq_ignore_ascii_case(name)
    }

    /// How well a word fits: whole words of the name most, then parts of it, then its description.
    fn fit(&self, word: &str) -> u32 {
        if word.is_empty() {
            return 0;
        }
        let name = self.name.to_lowercase();
        if name.split(['_', '-', '.']).any(|part| part == word) {
            return 8;
        }
        if name.contains(word) {
            return 4;
        }
        let said = |text: &str| text.to_lowercase().contains(word);
        if said(&self.hint) { 3 } else { u32::from(said(&self.description)) }
    }
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The tools. The model is told all about them from now on.
    pub(crate) tools: Vec<DeferredTool>,
    /// How many tools there are to look up.
    pub(crate) total: usize,
}

impl Mcp {
    /// Whether a model with a window of so many tokens has to look tools up.
    pub(crate) fn looks_up(&self, window: u64) -> bool {
        let tools = self.tools();
        let mut size =
            tools.iter().filter(|tool| !tool.always_load).map(|tool| tool.size() as u64).peekable();
        match self.shared.lookup {
            Lookup::Never => false,
            Lookup::Always => size.peek().is_some(),
            Lookup::Above(percent) => size.sum::<u64>() > window * TOKEN_CHARACTERS * percent / 100,
        }
    }

    /// Whether a model with a window of so many tokens has to look up the agent's own tools, which have so many
    /// characters.
    pub(crate) fn looks_up_own(&self, window: u64, size: u64) -> bool {
        match self.shared.lookup {
            Lookup::Never => false,
            Lookup::Always => true,
            Lookup::Above(percent) => size > window * TOKEN_CHARACTERS * percent / 100,
        }
    }

    /// Whether the model has looked a tool up.
    pub(crate) fn is_loaded(&self, name: &str) -> bool {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    /// The tools that the model has not looked up, of those that it would have to.
    pub(crate) fn hidden(&self) -> HashSet<String> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = self.tools();
        let hidden = tools.iter().filter(|tool| !tool.always_load && !loaded.contains(&tool.name));
        hidden.map(|tool| tool.name.clone()).collect()
    }

    /// About how many tokens the model is told of each tool. `untold` are those that it has not looked up.
    pub(crate) fn weighed(&self, untold: &[String]) -> Vec<Raw<'static>> {
        let weighed = |tool: &Arc<ServedTool>| {
            Raw::from(&json!({
                "name": tool.name,
                "serverName": tool.server,
                "tokens": tool.size() as u64 / TOKEN_CHARACTERS,
                "isLoaded": !untold.contains(&tool.name),
            }))
        };
        self.tools().iter().map(weighed).collect()
    }

    /// Looks tools up, of servers and of `own`: by their names behind `select:`, or by words. A word with a plus must be
    /// in all of them.
    pub(crate) fn search(&self, query: &str, limit: Option<usize>, own: Vec<DeferredTool>) -> Found {
        let served = self.tools().into_iter().filter(|tool| !tool.always_load);
        let tools: Vec<_> = own.into_iter().chain(served.map(|tool| tool.deferred())).collect();
        let total = tools.len();
        let limit = limit.unwrap_or(RESULTS).clamp(1, MAX_RESULTS);
        let found = match query.trim().strip_prefix(SELECT) {
            Some(names) => {
                let names: Vec<&str> = names.split(',').map(str::trim).collect();
                let wanted = |tool: &DeferredTool| names.iter().any(|name| tool.is_called(name));
                tools.into_iter().filter(wanted).take(MAX_RESULTS).collect()
            }
            None => best(tools, query, limit),
        };
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.extend(found.iter().map(|tool: &DeferredTool| tool.name.clone()));
        Found { tools: found, total }
    }
}

fn best(tools: Vec<DeferredTool>, query: &str, limit: usize) -> Vec<DeferredTool> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let scored = tools.into_iter().filter_map(|tool| {
        let mut score = 0;
        for word in &words {
            let (word, is_needed) = word.strip_prefix('+').map_or((*word, false), |word| (word, true));
            let fit = tool.fit(word);
            if is_needed && fit == 0 {
                return None;
            }
            score += fit;
        }
        (score > 0).then_some((score, tool))
    });
    let mut scored: Vec<_> = scored.collect();
    // Equals stay in the order of their servers.
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(limit).map(|(_, tool)| tool).collect()
}
