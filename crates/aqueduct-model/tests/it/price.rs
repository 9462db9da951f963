//! Tests of the price table.

use aqueduct_model::price::{self, ModelCard, PriceTable, Rates, ThinkingSupport, UsageCounts};
use aqueduct_wire::json::Raw;
use aqueduct_wire::usage::Usage;
use serde_json::{Value, json};

/// What a usage costs, in millionths of a dollar.
fn cost(model: &str, usage: Value) -> f64 {
    let usage = Raw::from(&usage);
    let cost = price::cost(&price::card(model).unwrap(), &usage.view::<Usage<'_>>().unwrap());
    (cost * 1e9).round() / 1e3
}

/// What a thousand tokens of each kind cost: read, written, cached for five minutes, for an hour, from the cache.
fn rates(model: &str) -> [f64; 5] {
    let hour = json!({"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 1000});
    let minutes = json!({"ephemeral_5m_input_tokens": 1000, "ephemeral_1h_input_tokens": 0});
    [
        json!({"input_tokens": 1000, "output_tokens": 0}),
        json!({"output_tokens": 1000}),
        json!({"cache_creation_input_tokens": 1000, "cache_creation": minutes}),
        json!({"cache_creation_input_tokens": 1000, "cache_creation": hour}),
        json!({"cache_read_input_tokens": 1000}),
    ]
    .map(|usage| cost(model, usage))
}

#[test]
fn the_table_agrees_with_the_reference() {
    // As solved from the costs that the reference reports.
    for (model, expected, window, output) in [
        ("claude-fable-5-2", [8000., 40000., 10000., 16000., 200.], 1_000_000, 128_000),
        ("claude-fable-5-1", [10000., 50000., 12500., 20000., 250.], 1_000_000, 64_000),
        ("claude-mythos-5", [10000., 50000., 12500., 20000., 1000.], 1_000_000, 64_000),
        ("claude-opus-5-5", [4000., 20000., 5000., 8000., 200.], 1_000_000, 128_000),
        ("claude-opus-5", [5000., 25000., 6250., 10000., 500.], 1_000_000, 64_000),
        ("claude-opus-4-6", [5000., 25000., 6250., 10000., 500.], 200_000, 64_000),
        ("claude-opus-4-5-20251101", [5000., 25000., 6250., 10000., 500.], 200_000, 32_000),
        ("claude-opus-4-1-20250805", [15000., 75000., 18750., 30000., 1500.], 200_000, 32_000),
        ("claude-opus-4-20250514", [15000., 75000., 18750., 30000., 1500.], 200_000, 32_000),
        ("claude-sonnet-5-5", [2000., 10000., 2500., 4000., 100.], 1_000_000, 128_000),
        ("claude-sonnet-5", [2000., 10000., 2500., 4000., 200.], 1_000_000, 64_000),
        ("claude-sonnet-4-6", [3000., 15000., 3750., 6000., 300.], 200_000, 32_000),
        ("claude-sonnet-4-20250514", [3000., 15000., 3750., 6000., 300.], 200_000, 32_000),
        ("claude-3-5-sonnet-20241022", [3000., 15000., 3750., 6000., 300.], 200_000, 8_192),
        ("claude-haiku-5-5", [100., 500., 125., 200., 10.], 1_000_000, 128_000),
        ("claude-haiku-4-5-20251001", [1000., 5000., 1250., 2000., 100.], 200_000, 32_000),
        ("claude-3-5-haiku-latest", [800., 4000., 1000., 1600., 80.], 200_000, 8_192),
    ] {
        assert_eq!(rates(model), expected, "{model}");
        let card = price::card(model).unwrap();
        assert_eq!((card.context_window, card.max_output_tokens), (window, output), "{model}");
    }
}

#[test]
fn calls_cost_more_in_some_ways() {
    let thousand = |more: Value| {
        let mut usage = json!({"input_tokens": 1000, "output_tokens": 0});
        usage.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        usage
    };
    assert_eq!(cost("claude-opus-4-6", thousand(json!({"speed": "fast"}))), 30000.);
    assert_eq!(cost("claude-opus-5-5", thousand(json!({"speed": "fast"}))), 8000.);
    assert_eq!(cost("claude-sonnet-5", thousand(json!({"speed": "fast"}))), 2000.);
    assert_eq!(cost("claude-opus-5-5", thousand(json!({"speed": "standard"}))), 4000.);
    assert_eq!(cost("claude-opus-4-6", thousand(json!({"inference_geo": "us"}))), 5500.);
    assert_eq!(cost("claude-opus-4-6", thousand(json!({"inference_geo": "eu"}))), 5000.);
    assert_eq!(cost("claude-opus-4-6", thousand(json!({"inference_geo": "us", "speed": "fast"}))), 33000.);
    let search = json!({"inference_geo": "us", "server_tool_use": {"web_search_requests": 1, "web_fetch_requests": 4}});
    assert_eq!(cost("claude-opus-4-6", search), 10000.);
}

#[test]
fn long_prompts_can_cost_more() {
    let haiku = |usage| cost("claude-haiku-5-5", usage);
    assert_eq!(haiku(json!({"input_tokens": 100_000})), 10_000.);
    assert_eq!(haiku(json!({"input_tokens": 100_001})), 50_000.5);
    assert_eq!(haiku(json!({"input_tokens": 1000, "cache_read_input_tokens": 250_000})), 13_000.);
    assert_eq!(haiku(json!({"input_tokens": 1000, "cache_creation_input_tokens": 250_000})), 156_750.);
    assert_eq!(haiku(json!({"input_tokens": 250_000, "output_tokens": 1000})), 127_500.);
    assert_eq!(cost("claude-sonnet-4-5[1m]", json!({"input_tokens": 300_000})), 900_000.);
}

#[test]
fn names_find_their_row() {
    let table = PriceTable::default();
    for (name, canonical) in [
        ("opus", Some("claude-opus-5-5")),
        ("claude-opus-5-5[1m]", Some("claude-opus-5-5")),
        ("claude-opus-4-20250514", Some("claude-opus-4-0")),
        ("claude-opus-4-0", Some("claude-opus-4-0")),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", Some("claude-sonnet-4-5")),
        ("anthropic/claude-opus-4.5", Some("claude-opus-4-5")),
        ("Claude-Sonnet-4-5", Some("claude-sonnet-4-5")),
        ("claude-opus-4-5@20251101", Some("claude-opus-4-5")),
        ("my-claude-opus-4-1-tuned", Some("claude-opus-4-1")),
        ("claude-opus-4-9", None),
        ("claude-opus-5-6", None),
        ("claude-opus-50", None),
        ("xclaude-opus-5", None),
        ("claude-opus-6", None),
        ("claude-3-opus-20240229", None),
        ("gpt-x", None),
        ("scripted", None),
        ("", None),
    ] {
        assert_eq!(table.canonical(name).as_deref(), canonical, "{name}");
        assert_eq!(price::card(name).is_some(), canonical.is_some(), "{name}");
    }
}

#[test]
fn aliases_have_full_names() {
    for (alias, full) in [
        ("default", "claude-opus-5-5"),
        ("best", "claude-opus-5-5"),
        (" OPUS ", "claude-opus-5-5"),
        ("opus[1m]", "claude-opus-5-5"),
        ("sonnet", "claude-sonnet-5-5"),
        ("haiku", "claude-haiku-5-5"),
        ("fable", "claude-fable-5-2"),
        ("opusplan", "claude-sonnet-5-5"),
        ("opusplan[1m]", "claude-sonnet-5-5"),
        ("claude-opus-4-5", "claude-opus-4-5"),
        ("claude-sonnet-4-5[1M]", "claude-sonnet-4-5[1m]"),
        ("claude-opus-5[1m]", "claude-opus-5"),
        ("gpt-x[1m]", "gpt-x[1m]"),
        ("sonnet-4-5", "sonnet-4-5"),
    ] {
        assert_eq!(price::resolve(alias, false), full, "{alias}");
    }
    assert_eq!(price::resolve("opusplan", true), "claude-opus-5-5");
    assert_eq!(price::card("claude-sonnet-4-5[1m]").unwrap().context_window, 1_000_000);
    assert_eq!(price::card("claude-opus-4-5").unwrap().thinks, ThinkingSupport::Budget);
    assert_eq!(price::card("claude-opus-4-6").unwrap().thinks, ThinkingSupport::Adaptive);
    assert_eq!(price::card("claude-opus-5-5").unwrap().thinks, ThinkingSupport::Always);
}

#[test]
fn settings_extend_the_table() {
    let card = ModelCard { context_window: 32_768, rates: Rates::new(0.5, 1.5, 0.05), ..ModelCard::UNKNOWN };
    let mut table = PriceTable::default();
    table.add_card("Local-7B", card);
    table.add_card("claude-opus-5", card);
    table.add_alias("opus", "local-7b");
    assert_eq!(table.card("gateway/local-7b-q4"), Some(card));
    assert_eq!(table.card("claude-opus-5-20260601"), Some(card));
    assert_eq!(table.card("claude-opus-5-5"), price::card("claude-opus-5-5"));
    assert_eq!(table.resolve("best", false), "local-7b");
    assert_eq!(table.resolve("opusplan", true), "local-7b");
    assert_eq!(table.resolve("opusplan", false), "claude-sonnet-5-5");
    assert_eq!(table.resolve("opus[1m]", false), "local-7b[1m]");
}

#[test]
fn an_unknown_model_costs_nothing() {
    let usage = Raw::from(
        &json!({"input_tokens": 1000, "output_tokens": 9, "server_tool_use": {"web_search_requests": 3, "web_fetch_requests": 0}}),
    );
    assert_eq!(price::cost(&ModelCard::UNKNOWN, &usage.view().unwrap()), 0.0);
}

#[test]
fn counts_add_up() {
    let usage = Raw::from(&json!({
        "input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 10,
        "cache_creation": {"ephemeral_5m_input_tokens": 4, "ephemeral_1h_input_tokens": 6},
        "server_tool_use": {"web_search_requests": 5, "web_fetch_requests": 7},
        "output_tokens_details": {"thinking_tokens": 8},
    }));
    let one = UsageCounts::of(&usage.view().unwrap());
    let mut sum = one;
    sum += one;
    assert_eq!((one.prompt(), sum.prompt(), sum.cache_write()), (14, 28, 20));
    let expected = UsageCounts {
        input_tokens: 2,
        output_tokens: 4,
        thinking_tokens: 16,
        cache_read: 6,
        cache_write_5m: 8,
        cache_write_1h: 12,
        web_searches: 10,
        web_fetches: 14,
    };
    assert_eq!(sum, expected);
    let nulls =
        Raw::from(&json!({"input_tokens": null, "output_tokens": 5, "cache_creation_input_tokens": 9}));
    let counts = UsageCounts::of(&nulls.view().unwrap());
    assert_eq!((counts.input_tokens, counts.output_tokens, counts.cache_write_5m), (0, 5, 9));
}
