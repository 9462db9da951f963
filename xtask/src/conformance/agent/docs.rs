//! The tables of docs/conformance.md, written from the tables in the code.

use std::fs;

use anyhow::{Context as _, Result};

use super::super::compare::{AT_ANY_TIME, KNOWN, Known, Treatment};
use crate::workspace::Workspace;

/// The page with the tables.
pub(crate) const PAGE: &str = "docs/conformance.md";

/// A section's name, and what writes its table.
type Section = (&'static str, fn() -> String);

/// A section is between a line that opens it and one that closes it.
const SECTIONS: &[Section] = &[("meant", meant), ("at-any-time", at_any_time)];

/// What has to be done about the page, if anything.
pub(crate) fn check(page: &str) -> Option<String> {
    match fill(page) {
        Err(error) => Some(format!("{error:#}")),
        Ok(filled) if filled != page => {
            Some("its tables are not those of the code: run cargo xtask conformance --write-docs".to_owned())
        }
        Ok(_) => None,
    }
}

/// Writes the tables into the page.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let path = workspace.path(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    fs::write(&path, fill(&page)?).with_context(|| format!("cannot write {}", path.display()))
}

fn fill(page: &str) -> Result<String> {
    SECTIONS.iter().try_fold(page.to_owned(), |page, (name, table)| {
        let (open, close) = (format!("<!-- table: {name} -->\n"), "<!-- end of table -->");
        let (before, rest) =
            page.split_once(&open).with_context(|| format!("the page has no line {open}"))?;
        let (_, after) = rest.split_once(close).with_context(|| format!("no line {close} ends {name}"))?;
        Ok(format!("{before}{open}\n{}\n{close}{after}", table()))
    })
}

/// One row for all places that have a reason in common.
fn meant() -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for known in KNOWN {
        if !reasons.contains(&known.reason) {
            reasons.push(known.reason);
        }
    }
    let row = |reason: &&str| {
        let places: Vec<_> = KNOWN.iter().filter(|known| known.reason == *reason).map(place).collect();
        vec![places.join("<br>"), (*reason).to_owned()]
    };
    table(&["difference", "reason"], reasons.iter().map(row))
}

fn place(known: &Known) -> String {
    let member = match known.field {
        "" => String::new(),
        field => format!(" `{field}`"),
    };
    let scenario = match known.scenario {
        "*" => String::new(),
        scenario => format!(" in `{}`", scenario.replace(' ', "`, `")),
    };
    format!("`{}`{member} {}{scenario}", known.kind, known.what.word())
}

fn at_any_time() -> String {
    let row = |(kind, treatment, reason): &(&str, Treatment, &str)| {
        let treated = match treatment {
            Treatment::Loose => "compared with its kind, at any position",
            Treatment::LeftOut => "left out",
        };
        vec![format!("`{kind}`"), treated.to_owned(), (*reason).to_owned()]
    };
    table(&["kind", "how it is treated", "reason"], AT_ANY_TIME.iter().map(row))
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(header.iter().map(|cell| (*cell).to_owned()).collect());
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    [head, rule].into_iter().chain(rows.map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let section = |(name, _): &Section| {
            format!("## {name}\n\n<!-- table: {name} -->\n<!-- end of table -->\n\nmore\n")
        };
        SECTIONS.iter().map(section).collect()
    }

    #[test]
    fn a_filled_page_is_well_and_a_changed_one_is_not() {
        let filled = fill(&page()).expect("has all sections");
        assert_eq!(check(&filled), None);
        assert!(check(&page()).is_some_and(|what| what.contains("--write-docs")));
        assert!(check("# Empty\n").is_some_and(|what| what.contains("no line")));
    }
}
