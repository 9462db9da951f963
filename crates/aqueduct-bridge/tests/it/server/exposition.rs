//! A strict reader of Prometheus' text format, version 0.0.4.

use std::collections::{BTreeMap, BTreeSet};

/// A metric with its samples.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) kind: String,
    pub(crate) samples: Vec<Sample>,
}

/// A value of a metric.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

/// A page of metrics, by name. Panics where the page is not as the format demands.
pub(crate) fn parse(page: &str) -> BTreeMap<String, Family> {
    assert!(page.ends_with('\n'), "the last line has no end");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let (mut helped, mut current) = (None::<String>, String::new());
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap_or_else(|| panic!("no help: {line}"));
            assert!(is_name(name) && !help.is_empty() && helped.is_none(), "{line}");
            helped = Some(name.to_owned());
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap_or_else(|| panic!("no type: {line}"));
            assert_eq!(helped.take().as_deref(), Some(name), "the help comes first: {line}");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert_eq!(name.ends_with("_total"), kind == "counter", "counters end with _total: {line}");
            let family = Family { kind: kind.to_owned(), samples: Vec::new() };
            assert!(families.insert(name.to_owned(), family).is_none(), "{name} comes twice");
            name.clone_into(&mut current);
        } else {
            let sample = sample(line);
            let family = families.get_mut(&current).unwrap_or_else(|| panic!("no family: {line}"));
            let suffix =
                sample.name.strip_prefix(&current).unwrap_or_else(|| panic!("not of {current}: {line}"));
            let suffixes: &[&str] = match &*family.kind {
                "histogram" => &["_bucket", "_sum", "_count"],
                _ => &[""],
            };
            assert!(suffixes.contains(&suffix) && helped.is_none(), "{line}");
            assert!(sample.value >= 0.0 && sample.value.is_finite(), "{line}");
            family.samples.push(sample);
        }
    }
    for (name, family) in &families {
        check(name, family);
        let without_total = name.strip_suffix("_total").unwrap_or_default();
        assert!(
            !families.contains_key(without_total),
            "{name} and {without_total} are one metric to OpenMetrics"
        );
    }
    families
}

/// The labels of a metric, over all of its samples, `le` of histograms included.
pub(crate) fn labels(family: &Family) -> BTreeSet<&str> {
    family.samples.iter().flat_map(|sample| sample.labels.keys().map(String::as_str)).collect()
}

fn check(name: &str, family: &Family) {
    let series: BTreeSet<_> = family.samples.iter().map(|sample| (&sample.name, &sample.labels)).collect();
    assert_eq!(series.len(), family.samples.len(), "a series of {name} comes twice");
    if family.kind != "histogram" {
        assert!(family.samples.iter().all(|sample| !sample.labels.contains_key("le")), "{name}");
        return;
    }
    let only = |suffix: &str| {
        let found: Vec<_> =
            family.samples.iter().filter(|sample| sample.name == format!("{name}{suffix}")).collect();
        assert_eq!(found.len(), 1, "{name}{suffix}");
        found[0].value
    };
    let buckets = family.samples.iter().filter(|sample| sample.name == format!("{name}_bucket"));
    let buckets: Vec<(f64, f64)> = buckets
        .map(|sample| {
            let bound = &*sample.labels["le"];
            (if bound == "+Inf" { f64::INFINITY } else { bound.parse().unwrap() }, sample.value)
        })
        .collect();
    assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{name}: {buckets:?}");
    let (last, count) = *buckets.last().unwrap();
    assert!(last.is_infinite() && buckets.len() > 2, "{name}: {buckets:?}");
    assert_eq!(count, only("_count"), "{name}");
    assert!(only("_sum") > 0.0 || buckets[0].1 == count, "{name}");
}

fn sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no value: {line}"));
    let (name, rest) = series.split_at(series.find('{').unwrap_or(series.len()));
    assert!(is_name(name), "{line}");
    let mut labels = BTreeMap::new();
    if !rest.is_empty() {
        let inner = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let mut inner = inner.unwrap_or_else(|| panic!("labels without an end: {line}"));
        loop {
            let (label, after) = inner.split_once("=\"").unwrap_or_else(|| panic!("no label: {line}"));
            assert!(is_name(label) && !label.contains(':'), "{line}");
            let (value, after) = unquoted(after, line);
            assert!(labels.insert(label.to_owned(), value).is_none(), "a label comes twice: {line}");
            match after.strip_prefix(',') {
                Some(next) => inner = next,
                None => break assert!(after.is_empty(), "{line}"),
            }
        }
    }
    Sample {
        name: name.to_owned(),
        labels,
        value: value.parse().unwrap_or_else(|_| panic!("no number: {line}")),
    }
}

/// A value up to its quotation mark, and what comes behind that.
fn unquoted<'l>(text: &'l str, line: &str) -> (String, &'l str) {
    let (mut value, mut characters) = (String::new(), text.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &text[at + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, escaped @ ('\\' | '"'))) => value.push(escaped),
                _ => panic!("unknown escape: {line}"),
            },
            _ => value.push(character),
        }
    }
    panic!("a value without an end: {line}")
}

fn is_name(name: &str) -> bool {
    let is_start = |character: char| character.is_ascii_alphabetic() || "_:".contains(character);
    name.starts_with(is_start)
        && name.chars().all(|character| is_start(character) || character.is_ascii_digit())
}
