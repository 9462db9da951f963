//! How a session comes to rest when no more faults are applied.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::word;
use crate::driver::{AGAIN, Driver};
use crate::input::Work;

/// A session that is not at rest makes some progress within this time after the last fault; else it is stuck.
pub(crate) const STUCK: Duration = Duration::from_secs(30);

/// How often a client asks how the session is.
const ASK: Duration = Duration::from_millis(150);

/// How many inputs are sent to a session that has failed or was stopped while inputs wait. Users do the same: the next
/// input starts the agent again.
const NUDGES: usize = 6;

impl Driver {
    /// Whether everything that was sent has its end.
    pub(crate) fn is_at_rest(&self) -> bool {
        let status = word(&self.snapshot["session"], "status");
        let is_empty = |member: &str| self.snapshot[member].as_array().is_none_or(Vec::is_empty);
        let newest = self.snapshot["lastSeq"].as_u64().unwrap_or_default() as usize;
        ["idle", "stopped", "failed"].contains(&status.as_str())
            && is_empty("queue")
            && is_empty("pending")
            && self.inputs.iter().all(|input| input.is_acknowledged() && input.is_final())
            && self.clients.iter().all(|client| client.stored().len() >= newest)
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.progress.elapsed() > STUCK
    }

    /// Does what is needed for the session to come to rest, and asks how it is.
    pub(crate) async fn settle(&mut self) {
        self.send_again().await;
        if self.tried.get("").is_some_and(|asked| asked.elapsed() < ASK) {
            return;
        }
        self.tried.insert(String::new(), Instant::now());
        self.clients[0].request(json!({"type": "get_session"})).await;
        // An input that is sent again under its name is not run again: its state is returned.
        for place in 0..self.inputs.len() {
            let input = &self.inputs[place];
            let is_due = self.tried.get(&input.mark).is_none_or(|tried| tried.elapsed() > AGAIN);
            if input.is_acknowledged() && !input.is_final() && is_due {
                self.send_input(place, 0).await;
            }
        }
        self.nudge().await;
    }

    /// Sends another input to a session that waits for one.
    async fn nudge(&mut self) {
        let status = word(&self.snapshot["session"], "status");
        let nudges = self.tried.keys().filter(|key| key.starts_with("nudge")).count();
        let last = self.tried.get(&format!("nudge {nudges}"));
        let is_due = last.is_none_or(|last| last.elapsed() > AGAIN * 3);
        let waits = self.inputs.iter().any(|input| input.is_acknowledged() && !input.is_final());
        if ["failed", "stopped"].contains(&status.as_str()) && waits && is_due && nudges < NUDGES {
            self.tried.insert(format!("nudge {}", nudges + 1), Instant::now());
            self.snapshot = Value::Null;
            self.new_input(Work::Say).await;
        }
    }

    /// What is not at rest, for a report.
    pub(crate) fn describe(&self) -> String {
        let open: Vec<String> = self
            .inputs
            .iter()
            .filter(|input| !input.is_final())
            .map(|input| {
                format!(
                    "{} {} ({})",
                    input.mark,
                    input.state,
                    input.id.as_deref().unwrap_or("not acknowledged")
                )
            })
            .collect();
        let count = |member: &str| self.snapshot[member].as_array().map_or(0, Vec::len);
        let status = &self.snapshot["session"]["status"];
        let last = self.clients[0].stored().last().map(|message| {
            let text = message.to_string();
            text.chars().take(300).collect::<String>()
        });
        format!(
            "session {} {}: status {status}, {} pending, {} queued, open inputs [{}], last message {}",
            self.number,
            self.session,
            count("pending"),
            count("queue"),
            open.join(", "),
            last.unwrap_or_default()
        )
    }
}
