use std::io::{BufRead, BufReader};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use aqueduct_testing::wait_until;
use serde_json::Value;

use super::served::Served;
use crate::terminal::Place;

/// The log of a bridge: what it writes to standard error, as JSON. It is a pipe, so that no limit for files concerns it.
#[derive(Clone, Default)]
pub(super) struct LoggedEvents {
    lines: Arc<Mutex<Vec<String>>>,
}

impl LoggedEvents {
    /// Starts a bridge, and collects what it logs.
    pub(super) fn start(place: &Place, arguments: &[&str]) -> (Served, LoggedEvents) {
        LoggedEvents::with(place, arguments, |_| {})
    }

    /// The same, with something changed before.
    pub(super) fn with(
        place: &Place,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> (Served, LoggedEvents) {
        let logged = LoggedEvents::default();
        let (reader, writer) = std::io::pipe().unwrap();
        let mut all = vec!["--log-format", "json"];
        all.extend(arguments);
        let served = Served::with(place, &all, |command| {
            command.stderr(writer);
            change(command);
        });
        let lines = logged.lines.clone();
        // It ends with the last process that holds the pipe.
        thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                lines.lock().unwrap().push(line.unwrap());
            }
        });
        (served, logged)
    }

    /// All that was written.
    pub(super) fn text(&self) -> String {
        self.lines.lock().unwrap().join("\n")
    }

    /// The events of a name. Other lines are remarks of the program for people.
    pub(super) fn of(&self, event: &str) -> Vec<Value> {
        let lines = self.lines.lock().unwrap();
        let events = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.filter(|line| line["event"] == event).collect()
    }

    /// Waits for an event, and returns the first of its name.
    pub(super) fn wait_for(&self, event: &str) -> Value {
        wait_until(event, || !self.of(event).is_empty());
        self.of(event).swap_remove(0)
    }
}
