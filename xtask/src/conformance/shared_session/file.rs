//! The session's file: every line whole, every parent before its child.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::super::kill::Acknowledged;

/// The lines of a transcript.
pub(super) struct SessionFile {
    lines: Vec<Value>,
    /// Lines that are not JSON.
    broken: usize,
}

impl SessionFile {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut file = SessionFile { lines: Vec::new(), broken: 0 };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(line) => file.lines.push(line),
                Err(_) => file.broken += 1,
            }
        }
        Ok(file)
    }

    /// Whether lines are whole and chained. A kill of the reference may break one.
    pub(super) fn check(&self, may_be_broken: usize) -> Result<()> {
        ensure!(self.broken <= may_be_broken, "{} lines are broken", self.broken);
        let mut before = HashSet::new();
        for line in &self.lines {
            let Some(uuid) = line["uuid"].as_str() else { continue };
            if let Some(parent) = line["parentUuid"].as_str() {
                ensure!(
                    before.contains(parent) || self.broken > 0,
                    "the parent {parent} of {uuid} is not before it"
                );
            }
            ensure!(before.insert(uuid), "{uuid} is there twice");
        }
        Ok(())
    }

    /// Whether a message that a host has seen is in the file.
    pub(super) fn has(&self, message: &Acknowledged) -> bool {
        self.lines.iter().any(|line| message.is_in_message(&line["message"]))
    }
}
