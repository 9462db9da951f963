//! Tokens, counted.

use std::ops::AddAssign;

use aqueduct_wire::json::Number;
use aqueduct_wire::usage::Usage;

/// What calls used, as numbers to add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsageCounts {
    /// Tokens of the prompt that were not cached.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
    /// Of those, the ones that were thought.
    pub thinking_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the cache for five minutes.
    pub cache_write_5m: u64,
    /// Tokens written to the cache for an hour.
    pub cache_write_1h: u64,
    /// Web searches on the model's side.
    pub web_searches: u64,
    /// Pages fetched on the model's side.
    pub web_fetches: u64,
}

impl UsageCounts {
    /// The numbers of a usage. Missing ones are zero; cache writes of unreported lifetime are short.
    pub fn of(usage: &Usage<'_>) -> Self {
        let written = number(&usage.cache_creation_input_tokens);
        let (short, long) = match &usage.cache_creation {
            Some(kinds) => {
                (number(&kinds.ephemeral_5m_input_tokens), number(&kinds.ephemeral_1h_input_tokens))
            }
            None => (0, 0),
        };
        let tools = usage.server_tool_use.as_deref();
        UsageCounts {
            input_tokens: number(&usage.input_tokens),
            output_tokens: number(&usage.output_tokens),
            thinking_tokens: usage
                .output_tokens_details
                .as_deref()
                .map_or(0, |details| number(&details.thinking_tokens)),
            cache_read: number(&usage.cache_read_input_tokens),
            cache_write_5m: short.max(written.saturating_sub(long)),
            cache_write_1h: long,
            web_searches: tools.map_or(0, |tools| number(&tools.web_search_requests)),
            web_fetches: tools.map_or(0, |tools| number(&tools.web_fetch_requests)),
        }
    }

    /// Tokens written to the cache, however long they live.
    pub fn cache_write(&self) -> u64 {
        self.cache_write_5m.saturating_add(self.cache_write_1h)
    }

    /// All tokens of the prompt, cached or not.
    pub fn prompt(&self) -> u64 {
        self.input_tokens.saturating_add(self.cache_read).saturating_add(self.cache_write())
    }
}

impl AddAssign for UsageCounts {
    fn add_assign(&mut self, other: UsageCounts) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.thinking_tokens, other.thinking_tokens);
        add(&mut self.cache_read, other.cache_read);
        add(&mut self.cache_write_5m, other.cache_write_5m);
        add(&mut self.cache_write_1h, other.cache_write_1h);
        add(&mut self.web_searches, other.web_searches);
        add(&mut self.web_fetches, other.web_fetches);
    }
}

fn number(number: &Option<Number<'_>>) -> u64 {
    number.as_ref().and_then(Number::as_u64).unwrap_or(0)
}
