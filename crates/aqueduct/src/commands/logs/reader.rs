use std::collections::VecDeque;

use super::entry::LogItem;
use crate::bridge::Bridge;

/// Reads a session's events and its agent's stderr, in the order of their times, and continues where it was.
pub(super) struct LogReader {
    session: String,
    /// What happened before is passed over.
    since: u64,
    /// The newest event that was read.
    seq: u64,
    /// The agent's process, and up to where its stderr was read.
    stderr: Option<(String, u64)>,
    /// The last line of stderr that was shown: the exit of the agent need not show it again.
    shown: Option<String>,
}

impl LogReader {
    pub(super) fn new(session: String, since: Option<u64>) -> Self {
        LogReader { session, since: since.unwrap_or_default(), seq: 0, stderr: None, shown: None }
    }

    /// Reads what is new.
    pub(super) fn read(
        &mut self,
        bridge: &Bridge<'_>,
        show: &mut dyn FnMut(LogItem) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut lines = self.stderr(bridge)?;
        loop {
            let (events, more) = bridge.events(&self.session, self.seq)?;
            let is_last = !more || events.is_empty();
            for event in events {
                self.seq = self.seq.max(event.seq);
                while let Some(line) = lines.pop_front_if(|line| line.0 < event.time) {
                    self.show_line(line, show)?;
                }
                if event.time >= self.since {
                    show(LogItem::Event { event, shown: self.shown.clone() })?;
                }
            }
            if is_last {
                break;
            }
        }
        for line in lines {
            self.show_line(line, show)?;
        }
        Ok(())
    }

    fn show_line(
        &mut self,
        (time, text): (u64, String),
        show: &mut dyn FnMut(LogItem) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if time < self.since {
            return Ok(());
        }
        self.shown = Some(text.clone());
        show(LogItem::Stderr { time, text })
    }

    /// Lines of stderr that are new.
    fn stderr(&mut self, bridge: &Bridge<'_>) -> anyhow::Result<VecDeque<(u64, String)>> {
        let mut lines = VecDeque::new();
        loop {
            let known = self.stderr.as_ref().map(|(run, offset)| (run.as_str(), *offset));
            let page = bridge.stderr(&self.session, known)?;
            lines.extend(page.lines);
            let Some(run) = page.run else {
                self.stderr = None;
                return Ok(lines);
            };
            if self.stderr.as_ref().is_some_and(|known| known.0 != run) {
                self.shown = None;
            }
            self.stderr = Some((run, page.next));
            if !page.more {
                return Ok(lines);
            }
        }
    }
}
