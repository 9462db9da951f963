use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Malformed;
use super::payload::PayloadReader;

/// What a keeper does while no bridge is attached to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unattended {
    /// What the agent is doing now, as far as the bridge knows. That a turn runs, and what follows, the keeper reads from
    /// the agent's lines.
    pub activity: Activity,
    /// After how long an agent that waits for input is ended, in whole milliseconds.
    pub idle: Duration,
    /// After how long an agent that waits for a decision is ended, in whole milliseconds.
    pub decision: Duration,
}

/// What an agent is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It waits for input.
    Idle,
    /// A turn runs.
    Working,
    /// A turn waits for a decision.
    Deciding,
}

impl Default for Unattended {
    fn default() -> Unattended {
        Unattended {
            activity: Activity::Idle,
            idle: Duration::from_secs(15 * 60),
            decision: Duration::from_secs(24 * 60 * 60),
        }
    }
}

impl Unattended {
    /// The length of the encoded form.
    pub(super) const LENGTH: usize = 1 + 8 + 8;

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.push(match self.activity {
            Activity::Idle => 0,
            Activity::Working => 1,
            Activity::Deciding => 2,
        });
        for time in [self.idle, self.decision] {
            let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            out.extend_from_slice(&time.to_le_bytes());
        }
    }

    /// Reads that form. The kind is for the error.
    pub(super) fn decode(kind: u8, bytes: &[u8]) -> Result<Unattended, Malformed> {
        let mut payload = PayloadReader::new(kind, bytes);
        let activity = match payload.u8()? {
            0 => Activity::Idle,
            1 => Activity::Working,
            2 => Activity::Deciding,
            _ => return Err(payload.malformed()),
        };
        let idle = Duration::from_millis(payload.u64()?);
        let decision = Duration::from_millis(payload.u64()?);
        payload.end().map(|()| Unattended { activity, idle, decision })
    }
}
