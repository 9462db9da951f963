//! The state of a bridge, again and again.

use std::process::ExitCode;
use std::time::Duration;

use super::StatusQuery;
use crate::output::{self, TerminalInfo};

/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Shows the state until the program is ended, or the reader has closed its end. A terminal is drawn again; elsewhere a
/// page is printed where something other than the load has changed.
pub(super) fn run(query: &StatusQuery, json: bool, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let is_drawn = screen.is_terminal && !screen.is_dumb && !json;
    let mut last = String::new();
    loop {
        let page = page(query, json, screen)?;
        if is_drawn {
            output::text(&redrawn(&page))?;
        } else if json || without_load(&page) != last {
            let gap = if last.is_empty() || json { "" } else { "\n" };
            output::text(&format!("{gap}{page}"))?;
            last = without_load(&page);
        }
        std::thread::sleep(PAUSE);
    }
}

/// A bridge that does not run, or does not answer, may be back at the next look.
fn page(query: &StatusQuery, json: bool, screen: &TerminalInfo) -> anyhow::Result<String> {
    let found = query.look();
    if json {
        return Ok(format!("{}\n", query.json(found?.as_ref())?));
    }
    Ok(match found {
        Ok(Some(found)) => query.page(&found, screen),
        Ok(None) => format!("{}\n", query.absence()),
        Err(error) => format!("{}\n", crate::explained::explained(&error)),
    })
}

/// A page without what changes all the time.
fn without_load(page: &str) -> String {
    page.lines()
        .filter(|line| !["  load ", "  storage "].iter().any(|start| line.starts_with(start)))
        .collect()
}

/// A page in the place of the one before: line by line, so that nothing flickers.
fn redrawn(page: &str) -> String {
    let lines: String = page.lines().map(|line| format!("{line}\x1b[K\n")).collect();
    format!("\x1b[H{lines}\x1b[J")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_is_erased() {
        assert_eq!(redrawn("one\ntwo\n"), "\x1b[Hone\x1b[K\ntwo\x1b[K\n\x1b[J");
    }
}
