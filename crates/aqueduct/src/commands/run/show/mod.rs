//! What a person sees of a run.

mod call;
mod hint;
mod live;
mod sheet;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::time::Instant;

use aqueduct_client::view::{ItemContent, View};
use aqueduct_client::{Event, Outcome};
use aqueduct_wire::FromAgent;
use aqueduct_wire::system::SystemFrame;

use self::sheet::Sheet;
use crate::output::TerminalInfo;
use crate::terminal::{Tone, notice, plain, spent};

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShowOptions {
    pub(super) answers: ShownAnswers,
    /// Tools, notices and costs.
    pub(super) notes: bool,
    pub(super) thinking: bool,
    /// Calls that are denied without a question are explained: no user can be asked.
    pub(super) denials: bool,
    /// What the session cost before is in the agent's numbers.
    pub(super) resumes: bool,
}

/// What of the model's words is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownAnswers {
    /// All of them, as they come.
    Streamed,
    /// The last words of each turn.
    Final,
    /// None: something else is printed.
    No,
}

/// Shows a run.
pub(super) struct Show<O, E> {
    sheet: Sheet<O, E>,
    wanted: ShowOptions,
    /// How much of each text has been shown, by its key.
    shown: HashMap<u64, usize>,
    /// The text that is in the middle of a line, by its key.
    saying: Option<u64>,
    /// The calls whose subagent has a head line.
    headed: HashSet<Box<str>>,
    /// The calls and thoughts that have been shown.
    reported_calls: HashSet<Box<str>>,
    reported_thoughts: HashSet<u64>,
    reported_denials: HashSet<Box<str>>,
    /// The calls whose changes were shown with a question.
    shown_changes: HashSet<Box<str>>,
    has_head: bool,
    /// When the agent's last output arrived.
    last_received: Instant,
}

impl<O: Write, E: Write> Show<O, E> {
    pub(super) fn new(answers: O, notes: E, screen: &TerminalInfo, wanted: ShowOptions) -> Self {
        Show {
            sheet: Sheet::new(answers, notes, screen),
            wanted,
            shown: HashMap::new(),
            saying: None,
            headed: HashSet::new(),
            reported_calls: HashSet::new(),
            reported_thoughts: HashSet::new(),
            reported_denials: HashSet::new(),
            shown_changes: HashSet::new(),
            has_head: false,
            last_received: Instant::now(),
        }
    }

    /// Shows what an event changed. The view has seen it already.
    pub(super) fn event(&mut self, event: &Event, view: &View, agent: &str) -> io::Result<()> {
        self.last_received = Instant::now();
        let Some(frame) = event.frame() else { return self.live(view) };
        if let FromAgent::StreamEvent(_) = frame {
            self.texts(view)?;
            return self.live(view);
        }
        if let FromAgent::System(SystemFrame::Init(_)) = frame {
            self.head(view, agent)?;
        }
        if let Some((tone, text)) = notice(frame) {
            self.note(0, &[(tone, &text)])?;
        }
        if let FromAgent::Assistant(frame) = frame
            && frame.supersedes.as_ref().is_some_and(|uuids| !uuids.is_empty())
        {
            self.note(0, &[(Tone::Yellow, "! the last message was retracted")])?;
        }
        self.texts(view)?;
        self.calls(view)?;
        self.denials(view)?;
        if let (FromAgent::Result(frame), ShownAnswers::Final) = (frame, self.wanted.answers) {
            self.sheet.say(frame.result.as_deref().unwrap_or_default(), true)?;
        }
        self.live(view)
    }

    /// Shows that time passes.
    pub(super) fn live(&mut self, view: &View) -> io::Result<()> {
        if !self.wanted.notes || view.run().is_over() {
            return self.sheet.live(None);
        }
        let doing = live::doing(view, self.last_received.elapsed(), Instant::now());
        self.sheet.live(Some(&doing))
    }

    /// Makes room on the terminal for a question about a call.
    pub(super) fn make_way(&mut self, call: Option<&str>) -> io::Result<()> {
        self.shown_changes.extend(call.map(Box::from));
        self.sheet.end_blocks()?;
        self.sheet.make_way()
    }

    /// Writes a remark, if remarks are wanted.
    pub(super) fn remark(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        self.note(0, &[(tone, text)])
    }

    /// Shows how it ended.
    pub(super) fn finish(&mut self, outcome: &Outcome, view: &View) -> io::Result<()> {
        self.texts(view)?;
        self.calls(view)?;
        self.denials(view)?;
        // Some answers come with the result alone, such as that of a command that no model saw.
        let report = outcome.report().filter(|_| !outcome.is_error());
        if let (Some(report), ShownAnswers::Streamed, false) =
            (report, self.wanted.answers, self.sheet.has_answer())
        {
            self.sheet.say(report.text(), true)?;
        }
        self.sheet.finish()?;
        if let Outcome::Interrupted(_) = outcome {
            self.note(0, &[(Tone::Yellow, "■ interrupted")])?;
        }
        let Some(report) = outcome.report() else { return Ok(()) };
        let mut parts = spent(report.frame(), !self.wanted.resumes);
        parts.extend(report.session_id().map(|id| format!("session {id}")));
        if self.wanted.notes {
            // The session's id is there to be copied, so nothing is cut off.
            self.sheet.text(0, "─ ", Tone::Dim, &parts.join(" · "))?;
        }
        Ok(())
    }

    fn note(&mut self, depth: usize, spans: &[sheet::Span<'_>]) -> io::Result<()> {
        if self.wanted.notes { self.sheet.line(depth, spans) } else { Ok(()) }
    }

    /// Who answers, where, and how careful it is.
    fn head(&mut self, view: &View, agent: &str) -> io::Result<()> {
        if std::mem::replace(&mut self.has_head, true) {
            return Ok(());
        }
        let version = view.version().map(|version| format!("{agent} {version}"));
        let mode = view.permission_mode().map(|mode| format!("mode {mode}"));
        let parts = [version.as_deref().or(Some(agent)), view.model(), mode.as_deref(), view.cwd()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        self.note(0, &[(Tone::Dim, "· "), (Tone::Dim, &parts.join(" · "))])
    }

    /// Writes the new part of the model's text.
    fn texts(&mut self, view: &View) -> io::Result<()> {
        for item in view.run().main().items() {
            match item.content() {
                ItemContent::Text(text) if self.wanted.answers == ShownAnswers::Streamed => {
                    let before = self.shown.get(&item.key()).copied().unwrap_or(0);
                    if let Some(new) = text.get(before..).filter(|new| !new.is_empty()) {
                        self.sheet.say(new, before == 0)?;
                        self.shown.insert(item.key(), text.len());
                        self.saying = Some(item.key());
                    }
                    if item.is_whole() && self.saying == Some(item.key()) {
                        self.saying = None;
                        self.sheet.end_text()?;
                    }
                }
                ItemContent::Thinking(text)
                    if self.wanted.thinking
                        && self.wanted.notes
                        && item.is_whole()
                        && self.reported_thoughts.insert(item.key()) =>
                {
                    self.sheet.text(0, "· ", Tone::Dim, text)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reports calls that have ended and subagents that have started.
    fn calls(&mut self, view: &View) -> io::Result<()> {
        if !self.wanted.notes {
            return Ok(());
        }
        let (run, now) = (view.run(), Instant::now());
        let mut ended = Vec::new();
        for step in run.walk() {
            // Calls after this one are shown after those that were made under it.
            while ended.last().is_some_and(|(depth, _)| *depth >= step.depth) {
                self.end_call(ended.pop(), view.cwd(), now)?;
            }
            let ItemContent::Call(id) = step.item.content() else { continue };
            let Some(call) = run.call(id) else { continue };
            let is_subagent = run.subagent(id).is_some_and(|thread| thread.calls().next().is_some());
            if is_subagent && !self.reported_calls.contains(id) && self.headed.insert(id.clone()) {
                let (name, summary_line) = call::names(call, view.cwd());
                let spans = [
                    (Tone::Cyan, "▸ "),
                    (Tone::Bold, &*name),
                    (Tone::Plain, "  "),
                    (Tone::Plain, &*summary_line),
                ];
                self.sheet.line(step.depth, &spans)?;
            }
            if call.state().is_over() && self.reported_calls.insert(id.clone()) {
                ended.push((step.depth, call));
            }
        }
        while let Some(last) = ended.pop() {
            self.end_call(Some(last), view.cwd(), now)?;
        }
        Ok(())
    }

    fn end_call(
        &mut self,
        ended: Option<(usize, &aqueduct_client::view::ToolCall)>,
        cwd: Option<&str>,
        now: Instant,
    ) -> io::Result<()> {
        let Some((depth, call)) = ended else { return Ok(()) };
        let spans = call::over(call, cwd, now, self.sheet.room(depth));
        let spans: Vec<sheet::Span<'_>> = spans.iter().map(|(tone, text)| (*tone, text.as_str())).collect();
        self.sheet.line(depth, &spans)?;
        // The user who allowed a change has just read it.
        if self.shown_changes.contains(call.id()) {
            return Ok(());
        }
        for (tone, line) in call::patch(call) {
            self.sheet.line(depth, &[(Tone::Plain, "    "), (tone, &line)])?;
        }
        Ok(())
    }

    /// Shows how to allow what was denied because no user could be asked. Denials by rules are intended.
    fn denials(&mut self, view: &View) -> io::Result<()> {
        if !self.wanted.denials {
            return Ok(());
        }
        for denial in view.run().denials().iter().filter(|denial| denial.reason.as_deref() != Some("rule")) {
            let Some(id) = denial.call.as_deref() else { continue };
            let call = view.run().call(id);
            if call.is_some_and(|call| !call.state().is_over()) || !self.reported_denials.insert(id.into()) {
                continue;
            }
            let input = denial.input.clone().or_else(|| call.map(|call| call.input()));
            let hint = hint::allow(&denial.tool, input.as_ref(), view.cwd());
            if self.wanted.notes {
                self.sheet.text(0, "! no user could be asked: ", Tone::Yellow, &plain(&hint))?;
            }
        }
        Ok(())
    }
}
