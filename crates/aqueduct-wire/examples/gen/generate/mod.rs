//! Everything that is made from the tables of the wire.

mod definitions;
mod kinds;
mod schema;
mod typescript;

/// The page that holds the table of all kinds.
pub(crate) const PAGE: &str = "docs/protocol.md";

const BEGIN: &str = "<!-- generated: kinds -->";
const END: &str = "<!-- end generated -->";

/// The generated files: path from the project's root, and content.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![
        ("crates/aqueduct-wire/generated/stream-json.schema.json", schema::document()),
        ("crates/aqueduct-wire/generated/stream-json.ts", typescript::module()),
    ]
}

/// The page with its generated part made anew.
pub(crate) fn fill_page(page: &str) -> Result<String, String> {
    let begin = page.find(BEGIN).ok_or_else(|| format!("{PAGE} has no line `{BEGIN}`"))? + BEGIN.len();
    let end = page[begin..].find(END).ok_or_else(|| format!("{PAGE} has no line `{END}`"))? + begin;
    Ok(format!("{}\n\n{}\n{}", &page[..begin], kinds::tables(), &page[end..]))
}
