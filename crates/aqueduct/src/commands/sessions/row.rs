//! Sessions in a table.

use std::fmt::Write as _;
use std::time::SystemTime;

use aqueduct_client::transcript::Summary;

use super::{age, place};
use crate::output::TerminalInfo;
use crate::terminal::{Ink, fit, fit_end, plain, width as columns};

/// How much of an id is shown: enough to distinguish sessions.
pub(super) const ID: usize = 8;

/// How wide the folder's column may be; on a narrow screen it has a third.
const FOLDER: usize = 32;

/// The beginning of an id.
pub(super) fn short(id: &str) -> &str {
    id.get(..ID).unwrap_or(id)
}

/// Sessions, a line each.
pub(super) fn table(
    sessions: &[Summary],
    shows_folder: bool,
    now: SystemTime,
    screen: &TerminalInfo,
) -> String {
    let ink = Ink::new(screen.colour);
    let room = FOLDER.min(screen.width / 3);
    let rows: Vec<[String; 3]> = sessions
        .iter()
        .map(|session| {
            let folder = session.cwd.as_deref().map(place::shown).unwrap_or_default();
            [short(&session.id).to_owned(), age::ago(session.modified, now), fit_end(&plain(&folder), room)]
        })
        .collect();
    let widest = |column: usize, title: &str| {
        rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0).max(columns(title))
    };
    let widths = [widest(0, "id"), widest(1, "used"), if shows_folder { widest(2, "folder") } else { 0 }];
    let shown = if shows_folder { 3 } else { 2 };
    let mut out = String::new();
    let mut line = String::new();
    ["id", "used", "folder"]
        .iter()
        .zip(widths)
        .take(shown)
        .for_each(|(title, width)| pad(&mut line, title, width));
    let _ = writeln!(out, "{}", ink.dim(&format!("{line}title")));
    let room = screen.width.saturating_sub(widths.iter().take(shown).map(|width| width + 2).sum()).max(12);
    for (session, row) in sessions.iter().zip(&rows) {
        let mut line = String::new();
        row.iter().zip(widths).take(shown).for_each(|(text, width)| pad(&mut line, text, width));
        let tag = session.tag.as_deref().map(|tag| format!("  #{}", plain(tag))).unwrap_or_default();
        let title = fit(&plain(session.title()), room.saturating_sub(columns(&tag)).max(10));
        let _ = writeln!(out, "{line}{}{}", ink.bold(&title), ink.yellow(&tag));
    }
    out
}

/// A text with what fills its column.
fn pad(out: &mut String, text: &str, width: usize) {
    out.push_str(text);
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(columns(text)) + 2));
}
