//! docs/operations.md lists every span, attribute, metric and variable. When this fails, it prints what the page should have.

use aqueduct_otlp::VARIABLES;
use aqueduct_otlp::names::{ATTRIBUTES, METRICS, SPANS};

const PAGE: &str = include_str!("../../../../docs/operations.md");

fn assert_has(table: &str) {
    assert!(PAGE.contains(table), "docs/operations.md should have:\n{table}");
}

#[test]
fn the_page_has_the_spans() {
    let mut table = String::from("| span | what it covers |\n|---|---|\n");
    for row in SPANS {
        table.push_str(&format!("| `{}` | {} |\n", row.name, row.about));
    }
    assert_has(&table);
}

#[test]
fn the_page_has_the_attributes() {
    let mut table = String::from("| attribute | value |\n|---|---|\n");
    for row in ATTRIBUTES {
        table.push_str(&format!("| `{}` | {} |\n", row.name, row.about));
    }
    assert_has(&table);
}

#[test]
fn the_page_has_the_metrics() {
    let mut table =
        String::from("| metric | kind | unit | what it measures | attributes |\n|---|---|---|---|---|\n");
    for row in METRICS {
        let attributes: Vec<String> = row.attributes.iter().map(|name| format!("`{name}`")).collect();
        let attributes = attributes.join(", ");
        table.push_str(&format!(
            "| `{}` | {} | `{}` | {} | {attributes} |\n",
            row.name, row.kind, row.unit, row.about
        ));
    }
    assert_has(&table);
}

#[test]
fn the_page_has_the_variables() {
    let mut table = String::from("| variable | what it sets |\n|---|---|\n");
    for (name, about) in VARIABLES {
        table.push_str(&format!("| `{name}` | {about} |\n"));
    }
    assert_has(&table);
}
