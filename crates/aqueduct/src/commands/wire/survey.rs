//! Looks at frames one by one: what kind each is, what the tables don't know in it, and whether it is the
//! same after being written back.

use std::collections::{HashMap, VecDeque};

use aqueduct_wire::control::{AGENT_REPLIES, AgentRequest, HOST_REPLIES};
use aqueduct_wire::gemini::GeminiEvent;
use aqueduct_wire::json::{Fault as JsonFault, Json, ParseError, Walk};
use aqueduct_wire::table::{Payload, UnknownReason};
use aqueduct_wire::tool::{TOOL_INPUTS, TOOL_RESULTS};
use aqueduct_wire::{FromAgent, ToAgent};

use super::findings::{LONGEST, LineProblemKind, WireFindings};
use super::kind::{Control, FrameKind, Side, each_tool_call, tool_result};
use super::same::same;

/// How many requests and tool calls are remembered for their answers.
const REMEMBERED: usize = 4096;
/// The memory that is kept from one line to the next.
const KEPT_CAPACITY: usize = 1 << 20;

/// A look at frames, with what it remembers of those before.
#[derive(Debug, Default)]
pub(super) struct FrameSurvey {
    pub(super) findings: WireFindings,
    /// The subtype of each request, by who asked and its id.
    requests: RecentTable,
    /// The tool of each call, by its id.
    calls: RecentTable,
    /// The stream began as one of Gemini CLI.
    is_gemini: bool,
    label: String,
    written: String,
}

impl FrameSurvey {
    /// Checks a line that should be a frame. Without a side, the frame itself decides.
    pub(super) fn line(&mut self, line: u64, text: &str, side: Option<Side>) -> Result<(), ParseError> {
        match side {
            Some(Side::Agent) => {
                let frame = FromAgent::parse(text)?;
                if !self.gemini_event(line, text, &frame) {
                    self.agent_frame(line, text, &frame);
                }
            }
            Some(Side::Host) => self.host_frame(line, text, &ToAgent::parse(text)?),
            None => {
                let frame = FromAgent::parse(text)?;
                if self.gemini_event(line, text, &frame) {
                    return Ok(());
                }
                match is_foreign(&frame).then(|| ToAgent::parse(text)).transpose()? {
                    Some(other) if !is_unknown(&other) => self.host_frame(line, text, &other),
                    _ => self.agent_frame(line, text, &frame),
                }
            }
        }
        if self.written.capacity() > KEPT_CAPACITY {
            self.written = String::new();
        }
        Ok(())
    }

    /// Looks at a line that is an event of Gemini CLI. Returns whether it is one: unknown kinds are, if the
    /// stream has begun as one of Gemini CLI.
    fn gemini_event(&mut self, line: u64, text: &str, frame: &FromAgent<'_>) -> bool {
        if !matches!(frame, FromAgent::Unknown(_) | FromAgent::Error(_)) {
            return false;
        }
        let event = match GeminiEvent::recognize(text) {
            Some(event) => event,
            None if self.is_gemini && is_foreign(frame) => match GeminiEvent::parse(text) {
                Ok(event) => event,
                Err(_) => return false,
            },
            None => return false,
        };
        self.is_gemini |= matches!(event, GeminiEvent::Init(_));
        let kind = FrameKind { parts: ["gemini", event.tag(), ""], control: None };
        self.frame(Side::Agent, line, text, &event, &kind);
        true
    }

    fn agent_frame(&mut self, line: u64, text: &str, frame: &FromAgent<'_>) {
        self.frame(Side::Agent, line, text, frame, &FrameKind::of_agent(frame));
        let (findings, calls, label) = (&mut self.findings, &mut self.calls, &self.label);
        each_tool_call(frame, |id, name, input| {
            if !id.is_empty() {
                calls.put(Side::Agent, id, name);
            }
            payload(findings, TOOL_INPUTS, name, input, label, "input", true, line);
        });
        if let Some((id, result)) = tool_result(frame)
            && result.starts_with('{')
            && let Some(name) = calls.get(Side::Agent, id)
        {
            payload(findings, TOOL_RESULTS, name, result, label, "tool_use_result", true, line);
        }
    }

    fn host_frame(&mut self, line: u64, text: &str, frame: &ToAgent<'_>) {
        self.frame(Side::Host, line, text, frame, &FrameKind::of_host(frame));
    }

    fn frame<'f>(&mut self, side: Side, line: u64, text: &str, frame: &impl Json<'f>, kind: &FrameKind<'_>) {
        kind.write(&mut self.label);
        let asked = self.remember(side, kind);
        if let Some((_, subtype)) = &asked {
            self.label.push('/');
            self.label.push_str(subtype);
        }
        self.label.truncate(self.label.floor_char_boundary(LONGEST.min(self.label.len())));
        self.findings.count(side, &self.label, line);
        self.written.clear();
        frame.write(&mut self.written);
        if !same(text, &self.written) {
            self.findings.fault(line, LineProblemKind::RoundTrip(self.label.clone(), ""));
        }
        let (findings, label) = (&mut self.findings, &self.label);
        frame.leftovers(&mut Walk::new(&mut |found| findings.leftover(label, "", false, line, &found)));
        if let (Some((asker, subtype)), Some(Control::Answer { payload: Some(answer), .. })) =
            (asked, &kind.control)
        {
            let table = if asker == Side::Host { HOST_REPLIES } else { AGENT_REPLIES };
            payload(findings, table, &subtype, answer.as_str(), label, "response.response", false, line);
        }
    }

    /// Remembers a request; for an answer, who asked and what. An answer that comes from the asker's own side
    /// is an echo.
    fn remember(&mut self, side: Side, kind: &FrameKind<'_>) -> Option<(Side, Box<str>)> {
        match kind.control.as_ref()? {
            Control::Request { id, subtype } => {
                self.requests.put(side, id, subtype);
                None
            }
            Control::Answer { id, .. } => {
                let other = if side == Side::Agent { Side::Host } else { Side::Agent };
                [other, side]
                    .into_iter()
                    .find_map(|asker| Some((asker, self.requests.get(asker, id)?.into())))
            }
        }
    }
}

/// Looks at a value whose type follows from something outside it.
#[allow(clippy::too_many_arguments)]
fn payload(
    findings: &mut WireFindings,
    table: &[Payload],
    name: &str,
    value: &str,
    label: &str,
    place: &'static str,
    lenient: bool,
    line: u64,
) {
    let Some(payload) = table.iter().find(|payload| payload.name == name) else { return };
    let kind = if lenient { format!("{name} {place}") } else { label.to_owned() };
    let prefix = if lenient { "" } else { place };
    let written =
        (payload.survey)(value, &mut |found| findings.leftover(&kind, prefix, lenient, line, &found));
    match written {
        Ok(written) if !same(value, &written) => {
            findings.fault(line, LineProblemKind::RoundTrip(kind, place))
        }
        Ok(_) => {}
        Err(JsonFault::Misfit(wanted)) => {
            findings.misfit(&kind, prefix, lenient, line, payload.definition.name(), wanted, value)
        }
        Err(_) => {}
    }
}

/// Whether a frame may be one of the host's: a request or a type that no agent sends.
fn is_foreign(frame: &FromAgent<'_>) -> bool {
    match frame {
        FromAgent::ControlRequest(frame) => {
            matches!(&frame.request, AgentRequest::Unknown(unknown) if unknown.why == UnknownReason::Tag)
        }
        FromAgent::Unknown(unknown) => unknown.why == UnknownReason::Tag,
        _ => false,
    }
}

fn is_unknown(frame: &ToAgent<'_>) -> bool {
    match frame {
        ToAgent::ControlRequest(frame) => {
            matches!(frame.request, aqueduct_wire::control::HostRequest::Unknown(_))
        }
        ToAgent::Unknown(_) => true,
        _ => false,
    }
}

/// The newest entries of a table; the oldest make room.
#[derive(Debug, Default)]
struct RecentTable {
    entries: HashMap<(Side, Box<str>), Box<str>>,
    order: VecDeque<(Side, Box<str>)>,
}

impl RecentTable {
    fn put(&mut self, side: Side, id: &str, value: &str) {
        if id.len() + value.len() > 512 {
            return;
        }
        if self.entries.insert((side, id.into()), value.into()).is_none() {
            self.order.push_back((side, id.into()));
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }

    fn get(&self, side: Side, id: &str) -> Option<&str> {
        self.entries.get(&(side, id.into())).map(|value| &**value)
    }
}
