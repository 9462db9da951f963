use std::path::Path;

use anyhow::{Context, Result};

use super::{Machine, Report};

const END: &str = "<!-- end generated -->";

/// Puts a report's tables into its place in docs/performance.md.
pub(crate) fn write(report: &Report, machine: &Machine) -> Result<()> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
    let document =
        std::fs::read_to_string(&file).with_context(|| format!("{} could not be read", file.display()))?;
    let body =
        format!("Measured on {machine}. To repeat: `cargo xtask bench {}`.\n\n{}", report.how, report.text);
    let document = replaced(&document, report.bench, &body)
        .with_context(|| format!("{} has no place for `{}`", file.display(), report.bench))?;
    std::fs::write(&file, document).with_context(|| format!("{} could not be written", file.display()))
}

/// The document with another body between the marks of `bench`.
fn replaced(document: &str, bench: &str, body: &str) -> Option<String> {
    let (before, rest) = document.split_once(&format!("<!-- generated: {bench} -->"))?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}<!-- generated: {bench} -->\n{}\n{END}{after}", body.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let document = "a\n<!-- generated: wire -->\nold\n<!-- end generated -->\nb\n";
        let expected = "a\n<!-- generated: wire -->\nnew\n<!-- end generated -->\nb\n";
        assert_eq!(replaced(document, "wire", "new\n").as_deref(), Some(expected));
        assert_eq!(replaced(document, "rules", "new"), None);
    }
}
