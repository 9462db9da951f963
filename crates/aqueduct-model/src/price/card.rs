//! What is known of one model.

use aqueduct_wire::usage::Usage;

use super::UsageCounts;

/// What tokens cost more where the call asked to be served in the United States only.
const UNITED_STATES: f64 = 1.1;

/// What is known of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelCard {
    /// How many tokens a conversation may have.
    pub context_window: u32,
    /// How many tokens an answer may have.
    pub max_output_tokens: u32,
    /// What tokens cost.
    pub rates: Rates,
    /// What is different for long prompts.
    pub long_prompt: Option<LongPrompt>,
    /// How many times as much tokens cost in calls that were served fast.
    pub fast: f64,
    /// Whether and how it thinks.
    pub thinks: ThinkingSupport,
    /// The default effort; `None` if it takes no such setting.
    pub effort: Option<&'static str>,
}

impl ModelCard {
    /// Whether calls can be served fast, at a higher price.
    pub fn has_fast_mode(&self) -> bool {
        self.fast > 1.0
    }

    /// A model that no table knows. It costs nothing. Its window is the smallest that models of today have: to
    /// compact too early is better than to send what does not fit.
    pub const UNKNOWN: ModelCard = ModelCard {
        context_window: 200_000,
        max_output_tokens: 32_000,
        rates: Rates {
            input: 0.0,
            output: 0.0,
            cache_write_5m: 0.0,
            cache_write_1h: 0.0,
            cache_read: 0.0,
            web_search: 0.0,
        },
        long_prompt: None,
        fast: 1.0,
        thinks: ThinkingSupport::Adaptive,
        effort: Some("high"),
    };
}

/// Dollars: for a million tokens, and for a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of the prompt, as far as it is not cached.
    pub input: f64,
    /// Of the answer, thinking included.
    pub output: f64,
    /// Of the prompt, written to the cache for five minutes.
    pub cache_write_5m: f64,
    /// Of the prompt, written to the cache for an hour.
    pub cache_write_1h: f64,
    /// Of the prompt, read from the cache.
    pub cache_read: f64,
    /// Of one web search on the model's side.
    pub web_search: f64,
}

impl Rates {
    /// Rates whose cache writes and searches cost what they usually do.
    pub const fn new(input: f64, output: f64, cache_read: f64) -> Self {
        let (cache_write_5m, cache_write_1h) = (input * 1.25, input * 2.0);
        Rates { input, output, cache_write_5m, cache_write_1h, cache_read, web_search: 0.01 }
    }
}

/// Other rates for long prompts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongPrompt {
    /// A prompt with more tokens than this, cached ones included, is long.
    pub over: u64,
    /// How many times as much all tokens of the call cost then.
    pub times: f64,
}

/// Whether a model thinks, and what sets how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingSupport {
    /// It does not.
    Never,
    /// With a budget of tokens.
    Budget,
    /// Adaptively, unless it is turned off.
    Adaptive,
    /// Adaptively; it can't be turned off.
    Always,
}

/// What one call cost, in dollars. Prices depend on the call's size and speed: add up costs, not usages.
pub fn cost(card: &ModelCard, usage: &Usage<'_>) -> f64 {
    let counts = UsageCounts::of(usage);
    let rates = &card.rates;
    let tokens = counts.input_tokens as f64 * rates.input
        + counts.output_tokens as f64 * rates.output
        + counts.cache_write_5m as f64 * rates.cache_write_5m
        + counts.cache_write_1h as f64 * rates.cache_write_1h
        + counts.cache_read as f64 * rates.cache_read;
    let long = card.long_prompt.filter(|long| counts.prompt() > long.over).map_or(1.0, |long| long.times);
    let fast = if usage.speed.as_deref() == Some("fast") { card.fast } else { 1.0 };
    let place = if usage.inference_geo.as_deref() == Some("us") { UNITED_STATES } else { 1.0 };
    tokens / 1e6 * long * fast * place + counts.web_searches as f64 * rates.web_search
}
