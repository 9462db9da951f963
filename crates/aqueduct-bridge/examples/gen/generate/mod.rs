//! Everything that is made from the tables of messages and routes.

mod typescript;

/// The page that holds the tables.
pub(crate) const PAGE: &str = "docs/bridge-api.md";

/// The generated files: path from the project's root, and content.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![("crates/aqueduct-web/ui/src/wire/messages.ts", typescript::module())]
}

/// The page with its generated parts made anew.
pub(crate) fn fill_page(page: &str) -> Result<String, String> {
    Ok(page.to_owned())
}
