//! Schema, OpenAPI document, TypeScript types and the tables of the docs are those of the code.

#[path = "../../../examples/gen-api/generate/mod.rs"]
mod generate;

use std::path::Path;

#[test]
fn committed_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, content) in generate::files() {
        let committed = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(committed == content, "{path} is stale: run `cargo xtask gen`");
    }
    let page = std::fs::read_to_string(root.join(generate::PAGE)).unwrap();
    assert!(
        generate::fill_page(&page).unwrap() == page,
        "{} is stale: run `cargo xtask gen`",
        generate::PAGE
    );
}
