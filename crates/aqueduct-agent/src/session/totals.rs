//! What was used, and what it cost.

use std::collections::BTreeMap;
use std::time::Duration;

use aqueduct_model::price::{self, ModelCard, UsageCounts};
use aqueduct_wire::json::{Json as _, Map, Number, Raw};
use aqueduct_wire::usage::{
    CacheCreation, CostBasis, ModelUsage, OutputTokensDetails, ServerToolUsage, Usage,
};
use jiff::Timestamp;
use serde::Deserialize;

/// What all calls of the conversation used, by model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Totals {
    models: Vec<ModelSpend>,
    /// How long models took.
    pub(crate) api_time: Duration,
}

/// What one model used.
#[derive(Debug, Clone)]
struct ModelSpend {
    model: String,
    counts: UsageCounts,
    /// Tokens written to the cache, as far as the API reported their lifetime.
    kept: CacheWrites,
    cost: f64,
}

impl Totals {
    /// Counts a call.
    pub(crate) fn add(&mut self, model: &str, usage: &Usage<'_>, duration: Duration) {
        self.api_time += duration;
        let cost = price::cost(&price::card(model).unwrap_or(ModelCard::UNKNOWN), usage);
        let index = self.models.iter().position(|spent| spent.model == model).unwrap_or_else(|| {
            self.models.push(ModelSpend {
                model: model.to_owned(),
                counts: UsageCounts::default(),
                kept: CacheWrites::default(),
                cost: 0.0,
            });
            self.models.len() - 1
        });
        if let Some(spent) = self.models.get_mut(index) {
            spent.counts += UsageCounts::of(usage);
            spent.kept.add(usage);
            spent.cost += cost;
        }
    }

    /// What it cost, in dollars.
    pub(crate) fn cost(&self) -> f64 {
        // The sum of nothing would be -0.
        self.models.iter().fold(0.0, |sum, spent| sum + spent.cost)
    }

    /// What all models used together.
    pub(crate) fn counts(&self) -> UsageCounts {
        self.models.iter().fold(UsageCounts::default(), |mut sum, spent| {
            sum += spent.counts;
            sum
        })
    }

    /// What each model used, as results have it.
    pub(crate) fn by_model(&self) -> Map<'static, ModelUsage<'static>> {
        let mut map = Map::default();
        for spent in &self.models {
            map.push(spent.model.clone(), spent.usage());
        }
        map
    }
}

impl Totals {
    /// The line of a transcript that keeps them. The reference passes over one that lacks a member.
    pub(crate) fn to_line(&self) -> Raw<'static> {
        let mut by_model = String::new();
        self.by_model().write(&mut by_model);
        let line = format!(
            r#"{{"type":"cost-state","totalCostUSD":{},"totalAPIDuration":{time},"totalAPIDurationWithoutRetries":{time},"totalToolDuration":0,"totalLinesAdded":0,"totalLinesRemoved":0,"totalDuration":{time},"startTime":{start},"modelUsage":{by_model},"hasUnknownModelCost":{}}}"#,
            Number::from_f64(self.cost()).unwrap_or_else(|| 0u64.into()),
            self.models.iter().any(|spent| price::card(&spent.model).is_none()),
            time = self.api_time.as_millis(),
            start = Timestamp::now().as_millisecond(),
        );
        Raw::parse(&line).map_or(Raw::NULL, |raw| raw.into_owned())
    }

    /// What such a line kept.
    pub(crate) fn from_line(line: &Raw<'_>) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct CostLine {
            #[serde(rename = "totalAPIDuration")]
            api_duration: f64,
            model_usage: BTreeMap<String, LineUsage>,
        }
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct LineUsage {
            input_tokens: u64,
            output_tokens: u64,
            thinking_tokens: u64,
            cache_read_input_tokens: u64,
            cache_creation_input_tokens: u64,
            #[serde(rename = "cacheCreationEphemeral5mInputTokens")]
            cache_write_5m: u64,
            #[serde(rename = "cacheCreationEphemeral1hInputTokens")]
            cache_write_1h: u64,
            web_search_requests: u64,
            #[serde(rename = "costUSD")]
            cost: f64,
        }
        let line = line.to::<CostLine>().unwrap_or_default();
        let spent = |(model, usage): (String, LineUsage)| ModelSpend {
            model,
            counts: UsageCounts {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                thinking_tokens: usage.thinking_tokens,
                cache_read: usage.cache_read_input_tokens,
                cache_write_5m: usage.cache_creation_input_tokens.saturating_sub(usage.cache_write_1h),
                cache_write_1h: usage.cache_write_1h,
                web_searches: usage.web_search_requests,
                web_fetches: 0,
            },
            kept: CacheWrites { short: usage.cache_write_5m, long: usage.cache_write_1h },
            cost: if usage.cost.is_finite() { usage.cost } else { 0.0 },
        };
        Totals {
            models: line.model_usage.into_iter().map(spent).collect(),
            api_time: Duration::from_millis(line.api_duration as u64),
        }
    }
}

impl ModelSpend {
    fn usage(&self) -> ModelUsage<'static> {
        let card = price::card(&self.model);
        let known = card.unwrap_or(ModelCard::UNKNOWN);
        let mut usage = ModelUsage::new();
        usage.input_tokens = Some(self.counts.input_tokens.into());
        usage.output_tokens = Some(self.counts.output_tokens.into());
        usage.cache_read_input_tokens = Some(self.counts.cache_read.into());
        usage.cache_creation_input_tokens = Some(self.counts.cache_write().into());
        usage.cache_creation_5m = Some(self.counts.cache_write_5m.into());
        usage.cache_creation_1h = Some(self.counts.cache_write_1h.into());
        usage.web_search_requests = Some(self.counts.web_searches.into());
        usage.cost_usd = Number::from_f64(self.cost);
        usage.context_window = Some(known.context_window.into());
        usage.max_output_tokens = Some(known.max_output_tokens.into());
        usage.thinking_tokens = Some(self.counts.thinking_tokens.into());
        usage.cache_creation_5m = Some(self.kept.short.into());
        usage.cache_creation_1h = Some(self.kept.long.into());
        usage.provider = Some("firstParty".into());
        usage.canonical_model = Some(self.model.clone().into());
        usage.cost_basis = Some(if card.is_some() { CostBasis::List } else { CostBasis::Unknown });
        usage
    }
}

/// Tokens written to the cache, by lifetime, as far as the API reported it.
#[derive(Debug, Clone, Copy, Default)]
struct CacheWrites {
    short: u64,
    long: u64,
}

impl CacheWrites {
    fn add(&mut self, usage: &Usage<'_>) {
        let Some(reported) = &usage.cache_creation else { return };
        let number = |number: &Option<Number<'_>>| number.as_ref().and_then(Number::as_u64).unwrap_or(0);
        self.short = self.short.saturating_add(number(&reported.ephemeral_5m_input_tokens));
        self.long = self.long.saturating_add(number(&reported.ephemeral_1h_input_tokens));
    }
}

/// What the calls of one turn used.
#[derive(Debug, Default)]
pub(crate) struct TurnTotals {
    calls: u32,
    counts: UsageCounts,
    kept: CacheWrites,
    service_tier: Option<String>,
}

impl TurnTotals {
    /// Counts a call; gives the tokens that the model had before it with its answer.
    pub(crate) fn add(&mut self, usage: &Usage<'_>) -> u64 {
        let counts = UsageCounts::of(usage);
        self.calls += 1;
        self.counts += counts;
        self.kept.add(usage);
        self.service_tier = usage.service_tier.as_ref().map(|tier| tier.to_string());
        tokens(usage)
    }

    /// How many calls there were.
    pub(crate) fn calls(&self) -> u32 {
        self.calls
    }

    /// The sums, as results have them.
    pub(crate) fn to_usage(&self) -> Usage<'static> {
        let counts = &self.counts;
        let mut usage = Usage::new();
        usage.input_tokens = Some(counts.input_tokens.into());
        usage.output_tokens = Some(counts.output_tokens.into());
        usage.cache_creation_input_tokens = Some(counts.cache_write().into());
        usage.cache_read_input_tokens = Some(counts.cache_read.into());
        let mut details = OutputTokensDetails::new();
        details.thinking_tokens = Some(counts.thinking_tokens.into());
        usage.output_tokens_details = Some(Box::new(details));
        let mut tools = ServerToolUsage::new();
        tools.web_search_requests = Some(counts.web_searches.into());
        tools.web_fetch_requests = Some(counts.web_fetches.into());
        usage.server_tool_use = Some(Box::new(tools));
        let mut written = CacheCreation::new();
        written.ephemeral_5m_input_tokens = Some(self.kept.short.into());
        written.ephemeral_1h_input_tokens = Some(self.kept.long.into());
        usage.cache_creation = Some(Box::new(written));
        usage.service_tier = Some(self.service_tier.clone().unwrap_or_else(|| "standard".to_owned()).into());
        usage.inference_geo = Some("".into());
        usage.iterations = Some(Vec::new());
        usage.speed = Some("standard".into());
        usage.fallback_credit = Some(Raw::NULL);
        usage
    }
}

/// The tokens that a model had before it with its answer.
pub(crate) fn tokens(usage: &Usage<'_>) -> u64 {
    let counts = UsageCounts::of(usage);
    counts.prompt().saturating_add(counts.output_tokens)
}

/// What one answer used, with every member that transcripts have: what the API did not report is zero.
pub(super) fn completed(usage: &Usage<'_>) -> Usage<'static> {
    let mut usage = usage.clone().into_owned();
    let all = TurnTotals::default().to_usage();
    usage.output_tokens_details = usage.output_tokens_details.or(all.output_tokens_details);
    usage.server_tool_use = usage.server_tool_use.or(all.server_tool_use);
    usage.service_tier = usage.service_tier.or(all.service_tier);
    usage.cache_creation = usage.cache_creation.or(all.cache_creation);
    usage.inference_geo = usage.inference_geo.or(all.inference_geo);
    usage.iterations = usage.iterations.or(all.iterations);
    usage.speed = usage.speed.or(all.speed);
    usage.fallback_credit = usage.fallback_credit.or(all.fallback_credit);
    usage
}
