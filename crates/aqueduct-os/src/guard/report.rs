//! What a guard reports to the agent: one line each.

use std::fmt;

/// What a guard reports to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// The command runs, as the leader of this process group.
    Started(i32),
    /// The command could not be started, for this system error.
    Refused(i32),
    /// The command ended with this code.
    Exited(i32),
    /// The command was ended by this signal.
    Signalled(i32),
}

impl Report {
    /// The report in a line, without its end.
    pub(super) fn parse(line: &str) -> Option<Report> {
        let (word, number) = line.split_once(' ')?;
        let number = number.parse().ok()?;
        Some(match word {
            "started" => Report::Started(number),
            "refused" => Report::Refused(number),
            "exited" => Report::Exited(number),
            "signalled" => Report::Signalled(number),
            _ => return None,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, number) = match self {
            Report::Started(pid) => ("started", pid),
            Report::Refused(error) => ("refused", error),
            Report::Exited(code) => ("exited", code),
            Report::Signalled(signal) => ("signalled", signal),
        };
        writeln!(f, "{word} {number}")
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn every_report_is_read_as_it_was_written() {
        for report in [Report::Started(7), Report::Refused(2), Report::Exited(-1), Report::Signalled(9)] {
            assert_eq!(Report::parse(report.to_string().trim_end()), Some(report));
        }
        assert_eq!(Report::parse("exited"), None);
        assert_eq!(Report::parse("vanished 3"), None);
    }
}
