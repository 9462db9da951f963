use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many pairs of an agent and a model are counted by name. The usage of further ones is counted together, because
/// agents choose the names of models, and each pair takes memory here and in Prometheus.
const PAIRS: usize = 64;

/// How long the name of an agent or a model is at most.
const NAME_BYTES: usize = 100;

/// The name of what is counted together.
const OTHER: &str = "other";

/// What agents used since the bridge started, by agent and model.
#[derive(Debug, Default)]
pub struct UsageCounters {
    rows: Mutex<BTreeMap<(String, String), UsageTotals>>,
}

/// What was used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UsageTotals {
    /// Turns.
    pub turns: u64,
    /// Tokens that the model read, without those of the cache.
    pub input: u64,
    /// Tokens that the model wrote.
    pub output: u64,
    /// Tokens that were read from the prompt cache.
    pub cache_read: u64,
    /// Tokens that were written to the prompt cache.
    pub cache_write: u64,
    /// US dollars.
    pub cost: f64,
}

impl UsageCounters {
    /// Adds what a turn used of a model.
    pub(crate) fn add(&self, agent: &str, model: &str, used: UsageTotals) {
        let mut rows = self.lock();
        let mut key = (agent.to_owned(), model.to_owned());
        let is_new = !rows.contains_key(&key);
        if !is_name(agent) || !is_name(model) || is_new && rows.len() >= PAIRS {
            key = (OTHER.to_owned(), OTHER.to_owned());
        }
        let row = rows.entry(key).or_default();
        row.turns += used.turns;
        row.input += used.input;
        row.output += used.output;
        row.cache_read += used.cache_read;
        row.cache_write += used.cache_write;
        // An agent may report any number.
        row.cost += if used.cost.is_finite() { used.cost.max(0.0) } else { 0.0 };
    }

    /// Agent, model, and what was used, ordered by name.
    pub fn rows(&self) -> Vec<(String, String, UsageTotals)> {
        let rows = self.lock();
        rows.iter().map(|((agent, model), used)| (agent.clone(), model.clone(), *used)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, String), UsageTotals>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_name(text: &str) -> bool {
    text.len() <= NAME_BYTES && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(cost: f64) -> UsageTotals {
        UsageTotals { turns: 1, output: 10, cost, ..UsageTotals::default() }
    }

    #[test]
    fn usage_is_added_up_by_agent_and_model() {
        let usage = UsageCounters::default();
        usage.add("builtin", "opus", turn(0.5));
        usage.add("builtin", "opus", turn(0.25));
        usage.add("builtin", "haiku", turn(1.0));
        let twice = UsageTotals { turns: 2, output: 20, ..turn(0.75) };
        let row = |model: &str, used| ("builtin".to_owned(), model.to_owned(), used);
        assert_eq!(usage.rows(), [row("haiku", turn(1.0)), row("opus", twice)]);
    }

    #[test]
    fn names_that_an_agent_makes_up_take_bounded_memory() {
        let usage = UsageCounters::default();
        for number in 0..1000 {
            usage.add("builtin", &format!("model-{number}"), turn(1.0));
        }
        usage.add("builtin", &"x".repeat(1000), turn(1.0));
        usage.add("builtin", "two\nlines", turn(1.0));
        // A model with a name of its own keeps it.
        usage.add("builtin", "model-0", turn(1.0));
        let rows = usage.rows();
        assert_eq!(rows.len(), PAIRS + 1);
        assert_eq!(rows.iter().map(|row| row.2.turns).sum::<u64>(), 1003);
        let first = rows.iter().find(|row| row.1 == "model-0");
        assert_eq!(first.map(|row| row.2.turns), Some(2));
    }
}
