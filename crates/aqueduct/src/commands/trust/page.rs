//! What a folder provides, for the person who decides about it.

use std::fmt::Write as _;
use std::path::Path;

use aqueduct_agent::trust::{FolderItem, FolderReport, FolderTrust, ItemChange, heading};

use crate::config::UserEnvironment;
use crate::terminal::{Ink, exact, plain};

/// The folder of a report, for people.
pub(crate) fn shown_folder(report: &FolderReport, known: &UserEnvironment) -> String {
    plain(&known.shown(&report.folder))
}

/// Everything that a folder provides, and how it differs from what was trusted.
pub(crate) fn page(report: &FolderReport, known: &UserEnvironment, ink: Ink) -> String {
    let folder = shown_folder(report, known);
    let mut text = match report.state {
        FolderTrust::Changed => format!("{folder} provides something else than what you trusted:\n"),
        _ => format!("{folder} provides:\n"),
    };
    let mut kind = "";
    let mut has_hidden = false;
    for item in &report.items {
        if item.kind != kind {
            kind = &item.kind;
            let _ = writeln!(text, "\n{}", ink.bold(heading(kind)));
        }
        has_hidden |= add(&mut text, item, &report.folder, report.state == FolderTrust::Changed, ink);
    }
    for problem in &report.problems {
        let _ = writeln!(text, "\n{} {}", ink.yellow("!"), plain(problem));
    }
    text.push('\n');
    if has_hidden {
        let note = "! Characters that can't be seen are shown as \\x… and \\u{…}.";
        let _ = writeln!(text, "{}", ink.yellow(note));
    }
    let note =
        "The files that these commands run are not part of the answer: they can change without a question.";
    let _ = writeln!(text, "{}", ink.dim(note));
    text
}

/// Adds an item. Returns whether some of it had to be made visible.
fn add(text: &mut String, item: &FolderItem, folder: &Path, is_difference: bool, ink: Ink) -> bool {
    let mark = match item.change {
        _ if !is_difference => "",
        ItemChange::Added => "+ ",
        ItemChange::Removed => "- ",
        ItemChange::Unchanged => "  ",
    };
    let mut has_hidden = false;
    let mut lines = Vec::new();
    let what = match item.detail.is_empty() {
        true => item.name.clone(),
        false if item.detail.contains('\n') => format!("{}:\n{}", item.name, item.detail),
        false => format!("{}: {}", item.name, item.detail),
    };
    for (index, line) in what.split('\n').enumerate() {
        let (line, hides) = exact(line);
        has_hidden |= hides;
        let indent = if index == 0 { "  " } else { "      " };
        lines.push(format!("{indent}{mark}{line}"));
    }
    for line in lines {
        let line = match item.change {
            ItemChange::Added if is_difference => ink.green(&line),
            ItemChange::Removed if is_difference => ink.red(&line),
            _ => line,
        };
        let _ = writeln!(text, "{line}");
    }
    let source = Path::new(&item.source)
        .strip_prefix(folder)
        .map_or(item.source.clone(), |path| path.display().to_string());
    let _ = writeln!(text, "{}", ink.dim(&format!("      {}", plain(&source))));
    has_hidden
}
