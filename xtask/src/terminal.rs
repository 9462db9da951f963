//! What a person sees: colours where there is a terminal, a running line, tables.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

/// Colours, or their absence: on a terminal that did not refuse them.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    colours: bool,
}

pub(crate) fn stdout() -> Paint {
    Paint { colours: io::stdout().is_terminal() && wanted() }
}

pub(crate) fn stderr() -> Paint {
    Paint { colours: io::stderr().is_terminal() && wanted() }
}

fn wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Paint {
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }
    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }
    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }
    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// One line at the bottom of a terminal that shows the progress and is removed afterwards. Where there
/// is no terminal, nothing but a sign of life now and then. On stderr: stdout may be for a program.
pub(crate) struct RunningLine {
    live: bool,
}

impl RunningLine {
    pub(crate) fn new() -> Self {
        Self { live: io::stderr().is_terminal() && wanted() }
    }

    pub(crate) fn show(&self, text: &str) {
        if self.live {
            let short: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
            eprint!("\r\x1b[2K  {}", stderr().dim(&short));
            flush();
        }
    }

    /// For logs: a long step without a word looks like a hanging one.
    pub(crate) fn still_alive(&self, elapsed: Duration, last: &str) {
        if !self.live {
            let last = if last.is_empty() { "still running" } else { last };
            eprintln!("  … {}: {last}", seconds(elapsed));
        }
    }

    pub(crate) fn clear(&self) {
        if self.live {
            eprint!("\r\x1b[2K");
            flush();
        }
    }
}

fn flush() {
    // A closed terminal is not a reason to stop a test run.
    let _ = io::stderr().flush();
}

pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// Rows under a header, each column as wide as its widest cell; the last is left as it is.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("  {}", padded.join("  ").trim_end())
    };
    let mut lines = vec![line(header.to_vec())];
    lines.extend(rows.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_up() {
        let rows = vec![vec!["fmt".into(), "1".into()], vec!["clippy".into(), "12".into()]];
        assert_eq!(table(&["step", "n"], &rows), "  step    n\n  fmt     1\n  clippy  12");
    }

    #[test]
    fn long_times_are_in_minutes() {
        assert_eq!(seconds(Duration::from_millis(1520)), "1.5 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 05 s");
    }
}
