//! Everything that is made from the tables of the wire.

mod definitions;
mod kinds;
mod recording;
mod schema;
mod typescript;

/// The page that holds the table of all kinds, and that of recordings.
pub(crate) const PAGE: &str = "docs/protocol.md";

const END: &str = "<!-- end generated -->";

/// The generated files: path from the project's root, and content.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![
        ("crates/aqueduct-wire/generated/stream-json.schema.json", schema::document()),
        ("crates/aqueduct-wire/generated/stream-json.ts", typescript::module()),
    ]
}

/// The page with its generated parts made anew.
pub(crate) fn fill_page(page: &str) -> Result<String, String> {
    let page = fill(page, "<!-- generated: kinds -->", &kinds::tables())?;
    fill(&page, "<!-- generated: recording -->", &recording::table())
}

fn fill(page: &str, mark: &str, content: &str) -> Result<String, String> {
    let begin = page.find(mark).ok_or_else(|| format!("{PAGE} has no line `{mark}`"))? + mark.len();
    let end = page[begin..].find(END).ok_or_else(|| format!("{PAGE} has no line `{END}`"))? + begin;
    Ok(format!("{}\n\n{content}\n{}", &page[..begin], &page[end..]))
}
