//! The turn and what happens around it: the session's state, waits, limits, and the end.

use std::io::{self, Write};

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::system::{SystemFrame, SystemInit};

use super::conversation::ViewedConversation;
use crate::terminal::{Tone, notice, spent};

/// What is known of the session, to show it only when it changes.
#[derive(Debug, Default)]
pub(super) struct ViewedSession {
    head: String,
    results: usize,
}

/// Shows a frame that is not part of the conversation itself. Most are not shown.
pub(super) fn show<W: Write>(view: &mut ViewedConversation<W>, frame: &FromAgent<'_>) -> io::Result<()> {
    if let Some((tone, text)) = notice(frame) {
        return view.page.line(0, &[(tone, &text)]);
    }
    match frame {
        FromAgent::System(frame) => system(view, frame),
        FromAgent::Result(frame) => result(view, frame),
        FromAgent::ConversationReset(_) => {
            view.page.gap();
            view.page.line(0, &[(Tone::Dim, "── a new conversation ──")])
        }
        FromAgent::ToolUseSummary(frame) => {
            view.page.line(0, &[(Tone::Dim, "· "), (Tone::Dim, &frame.summary)])
        }
        FromAgent::PromptSuggestion(frame) => {
            view.page.line(0, &[(Tone::Dim, "· next, perhaps: "), (Tone::Dim, &frame.suggestion)])
        }
        FromAgent::Unknown(unknown) => {
            let kind = unknown.tag.as_deref().unwrap_or("no type");
            let text = format!("{kind}  {}", unknown.raw.as_str());
            view.page.line(0, &[(Tone::Dim, "· unknown frame: "), (Tone::Dim, &text)])
        }
        _ => Ok(()),
    }
}

fn system<W: Write>(view: &mut ViewedConversation<W>, frame: &SystemFrame<'_>) -> io::Result<()> {
    let (tone, text) = match frame {
        SystemFrame::Init(init) => return head(view, init),
        SystemFrame::PermissionDenied(denied) => {
            let depth = view.progress.called(&denied.tool_use_id).map_or(0, |(_, depth)| depth);
            let message = denied.message.as_deref().unwrap_or_default();
            let text = format!("{} not allowed: {message}", denied.tool_name);
            return view.page.line(depth, &[(Tone::Red, "  ✗ "), (Tone::Red, &text)]);
        }
        SystemFrame::TaskStarted(task)
            if task.ambient != Some(true) && task.is_backgrounded == Some(true) =>
        {
            let what = task.description.as_deref().unwrap_or_default();
            (Tone::Dim, format!("· in the background: {what}"))
        }
        SystemFrame::TaskNotification(task) if task.ambient != Some(true) => {
            let status = task.status.as_ref().map_or("ended", |status| status.as_str());
            let summary = task.summary.as_deref().unwrap_or_default();
            let tone = if status == "failed" { Tone::Red } else { Tone::Dim };
            (tone, format!("· background task {status}: {summary}"))
        }
        SystemFrame::LocalCommandOutput(frame) => {
            return view.page.text(0, (Tone::Dim, "· "), Tone::Plain, &frame.content);
        }
        SystemFrame::Unknown(unknown) => {
            (Tone::Dim, format!("· unknown: system {}", unknown.tag.as_deref().unwrap_or_default()))
        }
        _ => return Ok(()),
    };
    view.page.line(0, &[(tone, &text)])
}

/// The session's head comes before every turn, and is shown when it has something new.
fn head<W: Write>(view: &mut ViewedConversation<W>, init: &SystemInit<'_>) -> io::Result<()> {
    let id = init.session_id.get(..8).unwrap_or(&init.session_id);
    let mode = init.permission_mode.as_ref().map_or("", |mode| mode.as_str());
    let mode = if mode.is_empty() { String::new() } else { format!("mode {mode}") };
    let failed: Vec<_> = init
        .mcp_servers
        .iter()
        .flatten()
        .filter(|server| server.status.as_ref().is_some_and(|status| status.as_str() == "failed"))
        .map(|server| format!("MCP server {} failed", server.name))
        .collect();
    let parts = [
        format!("session {id}"),
        init.model.as_deref().unwrap_or_default().to_owned(),
        mode,
        init.cwd.as_deref().unwrap_or_default().to_owned(),
        init.claude_code_version.as_deref().unwrap_or_default().to_owned(),
        failed.join(", "),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let head = parts.join(" · ");
    if head == view.session.head {
        return Ok(());
    }
    view.page.gap();
    view.page.line(0, &[(Tone::Dim, &head)])?;
    view.page.gap();
    view.session.head = head;
    Ok(())
}

/// The end of a turn: what went wrong, if anything did, and what it took.
fn result<W: Write>(view: &mut ViewedConversation<W>, frame: &ResultFrame<'_>) -> io::Result<()> {
    let subtype = frame.subtype.as_str();
    let is_interrupted =
        frame.terminal_reason.as_ref().is_some_and(|reason| reason.as_str().starts_with("aborted"));
    let reported = std::mem::take(&mut view.reported);
    if is_interrupted || reported.interrupt {
        view.reported.interrupt = reported.interrupt;
        view.interrupted(0)?;
        view.reported.interrupt = false;
    } else if frame.is_error == Some(true) || subtype.starts_with("error") {
        let errors = frame.errors.iter().flatten().map(|error| error.as_str());
        let mut messages: Vec<_> = errors.chain(frame.error.iter().map(|error| error.message())).collect();
        if messages.is_empty() {
            messages.extend(frame.result.as_deref());
        }
        let messages = messages.join("; ");
        if reported.error.as_deref() != Some(&*messages) {
            let head =
                if subtype == "success" { "✗ failed: ".to_owned() } else { format!("✗ {subtype}: ") };
            view.page.line(0, &[(Tone::Red, &head), (Tone::Red, &messages)])?;
        }
    }
    let parts = spent(frame, view.session.results == 0);
    view.session.results += 1;
    view.page.line(0, &[(Tone::Dim, "─ "), (Tone::Dim, &parts.join(" · "))])?;
    view.page.gap();
    Ok(())
}
