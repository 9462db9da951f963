//! Requests of both sides and how they were answered.

use std::collections::HashMap;
use std::io::{self, Write};

use aqueduct_wire::control::{
    AgentRequest, AgentRequestFrame, ControlResponse, ControlResponseFrame, HostRequest, HostRequestFrame,
    PermissionAllow, PermissionReply,
};
use aqueduct_wire::hook::{HookInput, HookOutput, HookPermission, HookSpecificOutput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionUpdate;
use aqueduct_wire::question::AskUserQuestionInput;

use super::conversation::ViewedConversation;
use crate::terminal::{Tone, summary_line, title};

/// How many open requests are remembered.
const REMEMBERED: usize = 4096;

/// The requests that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    open: HashMap<String, OpenRequestKind>,
}

/// What was asked.
#[derive(Debug)]
enum OpenRequestKind {
    Permission { depth: usize, input: String, is_question: bool },
    Hook { depth: usize, event: String, about: String },
    Host { subtype: String },
    Other,
}

impl<W: Write> ViewedConversation<W> {
    fn remember(&mut self, id: &str, asked: OpenRequestKind) {
        if self.dialogue.open.len() > REMEMBERED {
            self.dialogue.open.clear();
        }
        self.dialogue.open.insert(id.to_owned(), asked);
    }

    pub(super) fn asked_by_agent(&mut self, frame: &AgentRequestFrame<'_>) -> io::Result<()> {
        let asked = match &frame.request {
            AgentRequest::CanUseTool(request) => {
                let call = request.tool_use_id.as_deref().and_then(|id| self.progress.called(id));
                let depth = call.map_or(0, |(_, depth)| depth);
                let is_question = request.tool_name == "AskUserQuestion";
                if is_question {
                    self.questions(depth, &request.input)?;
                } else {
                    let name = &request.tool_name;
                    let what = match self.is_last_call(request.tool_use_id.as_deref()) {
                        true => String::new(),
                        false => format!("  {}  {}", title(name), summary_line(name, &request.input, None)),
                    };
                    let reason = request.decision_reason.as_ref().map(|reason| format!("  {reason}"));
                    let reason = reason.unwrap_or_default();
                    let spans =
                        [(Tone::Yellow, "  ? may it run?"), (Tone::Plain, &*what), (Tone::Dim, &*reason)];
                    self.page.line(depth, &spans)?;
                }
                OpenRequestKind::Permission { depth, input: request.input.as_str().to_owned(), is_question }
            }
            AgentRequest::HookCallback(request) => {
                let about = match &request.input {
                    HookInput::PreToolUse(input) => title(&input.tool_name),
                    HookInput::PostToolUse(input) => title(&input.tool_name),
                    _ => String::new(),
                };
                let call = request.tool_use_id.as_deref().and_then(|id| self.progress.called(id));
                let depth = call.map_or(0, |(_, depth)| depth);
                OpenRequestKind::Hook { depth, event: request.input.tag().to_owned(), about }
            }
            AgentRequest::Elicitation(request) => {
                let head = format!("? {} asks  ", request.mcp_server_name);
                self.page.line(0, &[(Tone::Yellow, &head), (Tone::Plain, &request.message)])?;
                OpenRequestKind::Other
            }
            AgentRequest::McpMessage(_) => OpenRequestKind::Other,
            other => {
                self.page.line(0, &[(Tone::Dim, "· the agent asks: "), (Tone::Dim, other.tag())])?;
                OpenRequestKind::Other
            }
        };
        self.remember(&frame.request_id, asked);
        Ok(())
    }

    fn questions(&mut self, depth: usize, input: &Raw<'_>) -> io::Result<()> {
        let Some(input) = input.view::<AskUserQuestionInput<'_>>() else {
            return self.page.line(depth, &[(Tone::Yellow, "  ? "), (Tone::Plain, input.as_str())]);
        };
        for question in &input.questions {
            let options: Vec<_> = question.options.iter().map(|option| option.label.as_str()).collect();
            let options = format!("  {}", options.join(" / "));
            let text = [(Tone::Yellow, "  ? "), (Tone::Bold, &*question.question), (Tone::Dim, &options)];
            self.page.line(depth, &text)?;
        }
        Ok(())
    }

    pub(super) fn asked_by_host(&mut self, frame: &HostRequestFrame<'_>) -> io::Result<()> {
        let text = match &frame.request {
            HostRequest::Initialize(_) => None,
            HostRequest::Interrupt(_) => {
                self.interrupted(0)?;
                None
            }
            HostRequest::SetPermissionMode(request) => Some(format!("· host: mode {}", request.mode)),
            HostRequest::SetModel(request) => {
                Some(format!("· host: model {}", request.model.as_deref().unwrap_or("default")))
            }
            other => Some(format!("· host: {}", other.tag())),
        };
        if let Some(text) = text {
            self.page.line(0, &[(Tone::Dim, &text)])?;
        }
        self.remember(&frame.request_id, OpenRequestKind::Host { subtype: frame.request.tag().to_owned() });
        Ok(())
    }

    pub(super) fn withdrawn(&mut self, id: &str) -> io::Result<()> {
        match self.dialogue.open.remove(id) {
            Some(OpenRequestKind::Permission { depth, .. }) => {
                self.page.line(depth, &[(Tone::Yellow, "  ■ no longer asked")])
            }
            _ => Ok(()),
        }
    }

    pub(super) fn answered(&mut self, frame: &ControlResponseFrame<'_>) -> io::Result<()> {
        let (id, payload, error) = match &frame.response {
            ControlResponse::Success(answer) => (&answer.request_id, answer.response.as_ref(), None),
            ControlResponse::Error(answer) => {
                let error = answer.error.as_ref().map_or("no reason given", |error| error.message());
                (&answer.request_id, None, Some(error))
            }
            _ => return Ok(()),
        };
        let Some(asked) = self.dialogue.open.remove(id.as_str()) else { return Ok(()) };
        if let Some(error) = error {
            let head = match &asked {
                OpenRequestKind::Host { subtype } => format!("✗ {subtype}: "),
                OpenRequestKind::Hook { event, .. } => format!("✗ hook {event}: "),
                OpenRequestKind::Permission { .. } | OpenRequestKind::Other => "✗ not answered: ".to_owned(),
            };
            return self.page.line(0, &[(Tone::Red, &head), (Tone::Red, error)]);
        }
        match (asked, payload) {
            (OpenRequestKind::Permission { depth, input, is_question }, Some(payload)) => {
                self.decision(depth, &input, is_question, payload)
            }
            (OpenRequestKind::Hook { depth, event, about }, Some(payload)) => {
                self.hook(depth, &event, &about, payload)
            }
            _ => Ok(()),
        }
    }

    fn decision(
        &mut self,
        depth: usize,
        input: &str,
        is_question: bool,
        payload: &Raw<'_>,
    ) -> io::Result<()> {
        match payload.view::<PermissionReply<'_>>() {
            Some(PermissionReply::Allow(allow)) if is_question => self.answers(depth, &allow),
            Some(PermissionReply::Allow(allow)) => {
                let is_changed =
                    allow.updated_input.as_ref().is_some_and(|new| !is_same(input, new.as_str()));
                let mut text =
                    String::from(if is_changed { "allowed, with another input" } else { "allowed" });
                for update in allow.updated_permissions.iter().flatten() {
                    text.push_str("; from now on ");
                    text.push_str(&describe(update));
                }
                self.page.line(depth, &[(Tone::Green, "  ✓ "), (Tone::Green, &text)])
            }
            Some(PermissionReply::Deny(deny)) => {
                let message = deny.message.as_deref().unwrap_or_default();
                let end = if deny.interrupt == Some(true) { ", and the turn ends" } else { "" };
                let text = format!("denied{end}");
                self.reported.denial = Some(message.to_owned());
                let message = if message.is_empty() { String::new() } else { format!(": {message}") };
                self.page.line(depth, &[(Tone::Red, "  ✗ "), (Tone::Red, &text), (Tone::Plain, &message)])
            }
            _ => self.page.line(depth, &[(Tone::Dim, "  · "), (Tone::Dim, payload.as_str())]),
        }
    }

    fn answers(&mut self, depth: usize, allow: &PermissionAllow<'_>) -> io::Result<()> {
        let input = allow.updated_input.as_ref().and_then(|input| input.view::<AskUserQuestionInput<'_>>());
        let answers: Vec<_> = input
            .iter()
            .filter_map(|input| input.answers.as_ref())
            .flat_map(|answers| answers.iter())
            .map(|(question, answer)| (question, answer.joined().into_owned()))
            .collect();
        if answers.is_empty() {
            return self.page.line(depth, &[(Tone::Dim, "  ✓ left unanswered")]);
        }
        for (question, answer) in &answers {
            let question = format!("  {question}");
            self.page.line(depth, &[(Tone::Green, "  ✓ "), (Tone::Green, answer), (Tone::Dim, &question)])?;
        }
        Ok(())
    }

    /// Shows what a hook decided, if it blocked something.
    fn hook(&mut self, depth: usize, event: &str, about: &str, payload: &Raw<'_>) -> io::Result<()> {
        let Some(output) = payload.view::<HookOutput<'_>>() else { return Ok(()) };
        let specific = match output.specific.as_deref() {
            Some(HookSpecificOutput::PreToolUse(specific)) => match &specific.permission_decision {
                Some(HookPermission::Deny) => {
                    Some(("denied", specific.permission_decision_reason.as_deref()))
                }
                _ => None,
            },
            _ => None,
        };
        let general = match &output.decision {
            Some(decision) if decision.as_str() == "block" => Some(("blocked", output.reason.as_deref())),
            _ if output.goes_on == Some(false) => Some(("stopped the turn", output.stop_reason.as_deref())),
            _ => None,
        };
        let Some((verb, reason)) = specific.or(general) else { return Ok(()) };
        let text = format!("hook {event} {verb} {about}");
        self.reported.denial = reason.map(str::to_owned);
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        self.page.line(depth, &[(Tone::Red, "  ✗ "), (Tone::Red, text.trim_end()), (Tone::Plain, &reason)])
    }
}

fn is_same(one: &str, other: &str) -> bool {
    super::super::same::same(one, other)
}

fn describe(update: &PermissionUpdate<'_>) -> String {
    match update {
        PermissionUpdate::AddRules(update) => {
            let rules: Vec<_> = update
                .rules
                .iter()
                .map(|rule| match &rule.rule_content {
                    Some(content) => format!("{}({content})", rule.tool_name),
                    None => rule.tool_name.to_string(),
                })
                .collect();
            rules.join(", ")
        }
        PermissionUpdate::SetMode(update) => format!("mode {}", update.mode),
        PermissionUpdate::AddDirectories(update) => {
            let directories: Vec<_> = update.directories.iter().map(|directory| directory.as_str()).collect();
            format!("in {}", directories.join(", "))
        }
        other => other.tag().to_owned(),
    }
}
