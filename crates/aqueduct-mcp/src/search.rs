//! Many tools: the model knows their names, and looks up those that it needs.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use aqueduct_wire::json::Raw;
use serde_json::json;

use crate::deferred_tool::DeferredTool;
use crate::lookup::Lookup;
use crate::served_tool::ServedTool;
use crate::servers::Mcp;

/// How many tools a search finds, by default.
const RESULTS: usize = 5;

/// The most that a search finds.
const MAX_RESULTS: usize = 50;

/// About how many characters a token is.
const TOKEN_CHARACTERS: u64 = 4;

/// What a search for exact names begins with.
const SELECT: &str = "select:";

/// What a search found.
#[derive(Debug)]
pub struct ToolMatches {
    /// The tools. The model receives their full definitions from now on.
    pub tools: Vec<DeferredTool>,
    /// How many tools there are to look up.
    pub total: usize,
}

impl Mcp {
    /// Whether a model with a window of so many tokens has to look tools up.
    pub fn looks_up(&self, window: u64) -> bool {
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
    pub fn looks_up_own(&self, window: u64, size: u64) -> bool {
        match self.shared.lookup {
            Lookup::Never => false,
            Lookup::Always => true,
            Lookup::Above(percent) => size > window * TOKEN_CHARACTERS * percent / 100,
        }
    }

    /// Whether the model has looked a tool up.
    pub fn is_loaded(&self, name: &str) -> bool {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    /// The tools that the model has not looked up, of those that it would have to.
    pub fn hidden(&self) -> HashSet<String> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = self.tools();
        let hidden = tools.iter().filter(|tool| !tool.always_load && !loaded.contains(&tool.name));
        hidden.map(|tool| tool.name.clone()).collect()
    }

    /// About how many tokens the definition of each tool has. `unreported` are those that the model has not looked up.
    pub fn weighed(&self, unreported: &[String]) -> Vec<Raw<'static>> {
        let weighed = |tool: &Arc<ServedTool>| {
            Raw::from(&json!({
                "name": tool.name,
                "serverName": tool.server,
                "tokens": tool.size() as u64 / TOKEN_CHARACTERS,
                "isLoaded": !unreported.contains(&tool.name),
            }))
        };
        self.tools().iter().map(weighed).collect()
    }

    /// Looks tools up, of servers and of `own`: by their names behind `select:`, or by words. A word with a plus must be
    /// in all of them.
    pub fn search(&self, query: &str, limit: Option<usize>, own: Vec<DeferredTool>) -> ToolMatches {
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
        ToolMatches { tools: found, total }
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
