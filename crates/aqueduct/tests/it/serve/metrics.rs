//! What a bridge with an agent reports to Prometheus, and what the dashboard reads of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::exposition::{self, Family, labels};
use super::served::Served;
use crate::terminal::Place;

/// A call that has to be allowed.
const CALL: &str = "@tool Bash {\"command\":\"touch made\"}\n@say One two three.";

#[test]
fn a_turn_is_measured_and_the_dashboard_reads_all_of_it() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let session = served.session(&token, &place, CALL);
    let mut events = served.events(&session, &token);
    let asked = events.until("permission_request");
    let approve =
        format!("POST /api/v1/sessions/{session}/permissions/{}/approve", asked["id"].as_str().unwrap());
    assert_eq!(served.http(&approve, Some(&token), Some(&json!({}))).status, 200);
    assert_eq!(events.until("result")["result"], "One two three.");

    let page = served.http("GET /metrics", Some(&token), None);
    assert_eq!(page.status, 200, "{page:?}");
    let families = exposition::parse(&page.body);
    let count = |name: &str| families[name].samples.last().unwrap().value;
    for histogram in [
        "aqueduct_first_delta_seconds",
        "aqueduct_delta_latency_seconds",
        "aqueduct_permission_wait_seconds",
        "aqueduct_log_commit_seconds",
        "aqueduct_log_queue_writes",
        "aqueduct_client_queue_messages",
    ] {
        assert!(count(histogram) >= 1.0, "{histogram} is empty\n{}", page.body);
    }
    assert_eq!(count("aqueduct_permission_wait_seconds"), 1.0);
    let turns = &families["aqueduct_turns_total"].samples;
    assert_eq!(turns.len(), 1, "{turns:?}");
    assert_eq!((turns[0].labels["agent"].as_str(), turns[0].value), ("builtin", 1.0));
    let output =
        families["aqueduct_tokens_total"].samples.iter().find(|sample| sample.labels["type"] == "output");
    assert!(output.unwrap().value > 0.0, "{}", page.body);
    assert!(!page.body.contains(&token) && !page.body.contains("touch made"), "{}", page.body);
    check_dashboard(&families);
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
}

/// Every metric, label and value of a label in the dashboard's queries exists.
fn check_dashboard(families: &BTreeMap<String, Family>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/grafana/aqueduct.json");
    let dashboard: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let queries = panels.iter().flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    let queries: Vec<&str> = queries.map(|target| target["expr"].as_str().unwrap()).collect();
    assert!(queries.len() > 20, "{queries:?}");
    let mut read = BTreeSet::new();
    for query in &queries {
        let mut known = BTreeSet::new();
        for (metric, matchers) in metrics_of(query) {
            let of_histogram =
                ["_bucket", "_sum", "_count"].iter().find_map(|suffix| metric.strip_suffix(suffix));
            let name = of_histogram.filter(|name| families.contains_key(*name)).unwrap_or(metric);
            let family = families.get(name).unwrap_or_else(|| panic!("{metric} does not exist: {query}"));
            known.extend(labels(family));
            read.insert(name.to_owned());
            for (label, value) in matchers.iter().filter(|matcher| matcher.0 != "instance") {
                for value in value.split('|') {
                    let has_value = family
                        .samples
                        .iter()
                        .any(|sample| sample.labels.get(*label).is_some_and(|found| found == value));
                    assert!(has_value, "{metric} has no {label}={value}: {query}");
                }
            }
        }
        assert!(!known.is_empty() || !query.contains("by ("), "{query}");
        for label in grouped_by(query) {
            assert!(known.contains(label), "no metric has the label {label}: {query}");
        }
    }
    // Every histogram of the bridge has a panel.
    let histograms = families.iter().filter(|(_, family)| family.kind == "histogram");
    for (name, _) in histograms {
        assert!(read.contains(name), "no panel shows {name}");
    }
}

/// The metrics in a query, each with the labels that it is selected by and their values.
fn metrics_of(query: &str) -> Vec<(&str, Vec<(&str, &str)>)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut found = Vec::new();
    let mut rest = query;
    while let Some(start) = rest.find(|character: char| character.is_ascii_alphabetic()) {
        let word = &rest[start..];
        let end = word.find(|character| !is_part(character)).unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        rest = after;
        if !name.starts_with("aqueduct_") && !name.starts_with("process_") {
            continue;
        }
        let mut matchers = Vec::new();
        if let Some(inner) = after.strip_prefix('{') {
            let (inner, behind) = inner.split_once('}').unwrap();
            for matcher in inner.split(", ") {
                let (label, value) = matcher.split_once('=').unwrap();
                matchers.push((label, value.trim_start_matches('~').trim_matches('"')));
            }
            rest = behind;
        }
        found.push((name, matchers));
    }
    found
}

/// The labels that a query groups by.
fn grouped_by(query: &str) -> Vec<&str> {
    let groups = query.split("by (").skip(1).filter_map(|rest| rest.split(')').next());
    groups.flat_map(|labels| labels.split(", ")).collect()
}
