//! What a guard reports to the agent: one line each.

use std::fmt;

/// What a guard reports to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuardReport {
    /// The command runs, as the leader of this process group.
    Started(i32),
    /// The command could not be started, for this system error.
    Refused(i32),
    /// The command ended with this code.
    Exited(i32),
    /// The command was ended by this signal.
    Signalled(i32),
}

impl GuardReport {
    /// The report in a line, without its end.
    pub(super) fn parse(line: &str) -> Option<GuardReport> {
        let (word, number) = line.split_once(' ')?;
        let number = number.parse().ok()?;
        Some(match word {
            "started" => GuardReport::Started(number),
            "refused" => GuardReport::Refused(number),
            "exited" => GuardReport::Exited(number),
            "signalled" => GuardReport::Signalled(number),
            _ => return None,
        })
    }
}

impl fmt::Display for GuardReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, number) = match self {
            GuardReport::Started(pid) => ("started", pid),
            GuardReport::Refused(error) => ("refused", error),
            GuardReport::Exited(code) => ("exited", code),
            GuardReport::Signalled(signal) => ("signalled", signal),
        };
        writeln!(f, "{word} {number}")
    }
}

#[cfg(test)]
mod tests {
    use super::GuardReport;

    #[test]
    fn every_report_is_read_as_it_was_written() {
        for report in [
            GuardReport::Started(7),
            GuardReport::Refused(2),
            GuardReport::Exited(-1),
            GuardReport::Signalled(9),
        ] {
            assert_eq!(GuardReport::parse(report.to_string().trim_end()), Some(report));
        }
        assert_eq!(GuardReport::parse("exited"), None);
        assert_eq!(GuardReport::parse("vanished 3"), None);
    }
}
