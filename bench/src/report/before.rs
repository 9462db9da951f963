//! The figures of an earlier run beside those of this one.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Table;

/// Members that name an entry of a list.
const NAMES: &[&str] = &["bench", "stream", "id", "name", "reader", "host", "case", "command"];

/// A table of all figures that both runs have, with how many times as large as before each is. `before` was written by
/// `--json`.
pub(crate) fn compare(before: &Path, after: &Value) -> Result<Table> {
    let text =
        std::fs::read_to_string(before).with_context(|| format!("{} could not be read", before.display()))?;
    let earlier: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is not JSON", before.display()))?;
    let (earlier, later) = (figures(&earlier["reports"]), figures(&after["reports"]));
    let mut table = Table::new(&["", "before", "after", "after / before"]);
    for (name, after) in &later {
        if let Some(before) = earlier.get(name) {
            let ratio = if before == after { 1.0 } else { after / before };
            table.push(vec![name.clone(), number(*before), number(*after), format!("{ratio:.2}")]);
        }
    }
    Ok(table)
}

fn number(figure: f64) -> String {
    if figure.abs() >= 100.0 { format!("{figure:.0}") } else { format!("{figure:.4}") }
}

/// All numbers, by the names on the way to them.
fn figures(value: &Value) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    collect(value, String::new(), &mut all);
    all
}

fn collect(value: &Value, path: String, all: &mut BTreeMap<String, f64>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} / {name}") };
    match value {
        Value::Number(number) => {
            all.extend(number.as_f64().map(|number| (path, number)));
        }
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                let name = NAMES.iter().find_map(|name| entry.get(name)?.as_str());
                collect(entry, below(name.unwrap_or(&index.to_string())), all);
            }
        }
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !name.starts_with("target")) {
                collect(member, below(name), all);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_named_by_what_they_are_of() {
        let reports = json!([{ "bench": "wire", "sections": [{ "stream": "plain", "rows": [
            { "id": "peek", "ratio": 6.1, "target": 4.0, "beside": "value" }
        ] }] }]);
        let all = figures(&reports);
        assert_eq!(
            all.into_iter().collect::<Vec<_>>(),
            [("wire / sections / plain / rows / peek / ratio".to_owned(), 6.1)]
        );
    }

    #[test]
    fn figures_of_both_runs_are_compared() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let run = |figure: f64| json!({ "reports": [{ "bench": "rules", "best": figure, "gone": 1 }] });
        std::fs::write(file.path(), run(2.0).to_string()).expect("is written");
        let table =
            compare(file.path(), &json!({ "reports": [{ "bench": "rules", "best": 3.0, "new": 1 }] }));
        let text = table.expect("compares").to_string();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("| rules / best | 2.0000 | 3.0000 |           1.50 |"), "{text}");
    }
}
