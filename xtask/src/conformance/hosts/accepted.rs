//! Differences that are accepted, each with its reason. All others fail, and so does a row that matches nothing.

use super::diff::Change;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) host: &'static str,
    pub(super) duty: &'static str,
    /// What the line contains.
    pub(super) contains: &'static str,
    pub(super) reason: &'static str,
}

impl Accepted {
    pub(super) fn matches(&self, change: &Change) -> bool {
        change.text().contains(self.contains)
    }
}

pub(super) const ACCEPTED: &[Accepted] = &[
    Accepted {
        host: "claude-agent-acp",
        duty: "stream",
        contains: r#"{"option":{"category":"model_config","currentValue":"off","id":"ultracode""#,
        reason: "the reference offers a mode for workflows of its own, which the agent does not have",
    },
    Accepted {
        host: "claude-agent-acp",
        duty: "resume",
        contains: r#"{"option":{"category":"model_config","currentValue":"off","id":"ultracode""#,
        reason: "the reference offers a mode for workflows of its own, which the agent does not have",
    },
    Accepted {
        host: "claude-agent-acp",
        duty: "list",
        contains: r#"{"option":{"category":"model_config","currentValue":"off","id":"ultracode""#,
        reason: "the reference offers a mode for workflows of its own, which the agent does not have",
    },
    Accepted {
        host: "claude-code-sdk",
        duty: "permission",
        contains: "The canUseTool callback returned an invalid permission result.",
        reason: "this SDK answers permission requests in an older form, which both programs deny in their own words",
    },
    Accepted {
        host: "claude-code-sdk",
        duty: "permission",
        contains: "The permission request for Bash failed: the answer is not valid",
        reason: "this SDK answers permission requests in an older form, which both programs deny in their own words",
    },
    Accepted {
        host: "claude-code-sdk",
        duty: "denial",
        contains: "The canUseTool callback returned an invalid permission result.",
        reason: "this SDK answers permission requests in an older form, which both programs deny in their own words",
    },
    Accepted {
        host: "claude-code-sdk",
        duty: "denial",
        contains: "The permission request for Bash failed: the answer is not valid",
        reason: "this SDK answers permission requests in an older form, which both programs deny in their own words",
    },
    Accepted {
        host: "cloudcli",
        duty: "resume",
        contains: r#"{"content":"@say A text that comes in several pieces.","kind":"text","provider":"claude","role":"user"}"#,
        reason: "the reference keeps its requests in the transcript, and CloudCLI shows the first as another prompt",
    },
];

/// The rows about a duty of a host.
pub(super) fn rows(host: &str, duty: &str) -> Vec<&'static Accepted> {
    ACCEPTED.iter().filter(|row| row.host == host && row.duty == duty).collect()
}

#[cfg(test)]
mod tests {
    use super::super::catalog::HOSTS;
    use super::*;

    #[test]
    fn every_row_is_about_a_duty_that_a_host_offers() {
        for row in ACCEPTED {
            let host = HOSTS.iter().find(|host| host.name == row.host);
            let offered = host.is_some_and(|host| host.duties.iter().any(|duty| duty.name() == row.duty));
            assert!(offered, "{} {}", row.host, row.duty);
        }
    }
}
