//! The turn and what happens around it: where the session stands, waits, limits, and the end.

use std::io::{self, Write};

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::json::Number;
use aqueduct_wire::rate_limit::{RateLimitInfo, RateLimitStatus};
use aqueduct_wire::system::{HookOutcome, NoticeLevel, Status, SystemFrame, SystemInit};

use super::conversation::Conversation;
use crate::terminal::{Tone, grouped, seconds};

/// What is known of the session, to show it only when it changes.
#[derive(Debug, Default)]
pub(super) struct Session {
    head: String,
    results: usize,
}

/// Shows a frame that is no part of the conversation itself. Most say nothing to a person.
pub(super) fn show<W: Write>(view: &mut Conversation<W>, frame: &FromAgent<'_>) -> io::Result<()> {
    match frame {
        FromAgent::System(frame) => system(view, frame),
        FromAgent::Result(frame) => result(view, frame),
        FromAgent::RateLimitEvent(frame) => rate_limit(view, &frame.rate_limit_info),
        FromAgent::AuthStatus(frame) => match &frame.error {
            Some(error) => view.page.line(0, &[(Tone::Red, "✗ login: "), (Tone::Red, error)]),
            None => Ok(()),
        },
        FromAgent::Error(frame) => {
            view.page.line(0, &[(Tone::Red, "✗ "), (Tone::Red, frame.error.message())])
        }
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

fn system<W: Write>(view: &mut Conversation<W>, frame: &SystemFrame<'_>) -> io::Result<()> {
    let (tone, text) = match frame {
        SystemFrame::Init(init) => return head(view, init),
        SystemFrame::Status(status) => match (&status.status, &status.permission_mode) {
            (Some(Status::Compacting), _) => (Tone::Dim, "· compacting the conversation".to_owned()),
            (None, Some(mode)) => (Tone::Dim, format!("· mode {mode}")),
            _ => return Ok(()),
        },
        SystemFrame::CompactBoundary(frame) => {
            let data = &frame.compact_metadata;
            let before = tokens(data.pre_tokens.as_ref());
            let after = data
                .post_tokens
                .as_ref()
                .map(|after| format!(" to {}", tokens(Some(after))))
                .unwrap_or_default();
            (Tone::Dim, format!("── compacted, from {before}{after} tokens ──"))
        }
        SystemFrame::ApiRetry(retry) => {
            let status = retry.error_status.as_ref().map(|status| format!(" {status}")).unwrap_or_default();
            let error = retry.error.as_ref().map_or("no answer", |error| error.as_str());
            let most = retry.max_retries.as_ref().map(|most| format!(" of {most}")).unwrap_or_default();
            let delay = milliseconds(retry.retry_delay_ms.as_ref());
            (Tone::Yellow, format!("↻ {error}{status}; try {}{most} in {delay}", retry.attempt))
        }
        SystemFrame::HookResponse(hook) if !matches!(hook.outcome, Some(HookOutcome::Success) | None) => {
            let name = hook.hook_name.as_deref().unwrap_or("hook");
            let outcome = hook.outcome.as_ref().map_or("", |outcome| outcome.as_str());
            let said = [&hook.stderr, &hook.stdout, &hook.output];
            let said = said
                .into_iter()
                .flatten()
                .map(|text| text.trim())
                .find(|text| !text.is_empty())
                .unwrap_or("");
            (Tone::Red, format!("✗ hook {name}, {outcome}: {said}"))
        }
        SystemFrame::PermissionDenied(denied) => {
            let depth = view.threads.called(&denied.tool_use_id).map_or(0, |(_, depth)| depth);
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
        SystemFrame::ModelRefusalFallback(frame) => {
            (Tone::Yellow, format!("! {}", frame.content.as_deref().unwrap_or_default()))
        }
        SystemFrame::ModelRefusalNoFallback(frame) => {
            (Tone::Red, format!("✗ {}", frame.content.as_deref().unwrap_or_default()))
        }
        SystemFrame::LocalCommandOutput(frame) => {
            return view.page.text(0, (Tone::Dim, "· "), Tone::Plain, &frame.content);
        }
        SystemFrame::Informational(frame) => {
            let is_warning = matches!(frame.level, Some(NoticeLevel::Warning));
            (if is_warning { Tone::Yellow } else { Tone::Dim }, format!("! {}", frame.content))
        }
        SystemFrame::Notification(frame) => (Tone::Dim, format!("! {}", frame.text)),
        SystemFrame::SessionTitleChanged(frame) => (Tone::Dim, format!("· titled {:?}", frame.title)),
        SystemFrame::SessionWritesLost(frame) => {
            (Tone::Red, format!("✗ not written to disk: {}", frame.error_code))
        }
        SystemFrame::Unknown(unknown) => {
            (Tone::Dim, format!("· unknown: system {}", unknown.tag.as_deref().unwrap_or_default()))
        }
        _ => return Ok(()),
    };
    view.page.line(0, &[(tone, &text)])
}

/// The session's head comes before every turn, and is shown when it says something new.
fn head<W: Write>(view: &mut Conversation<W>, init: &SystemInit<'_>) -> io::Result<()> {
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

fn rate_limit<W: Write>(view: &mut Conversation<W>, info: &RateLimitInfo<'_>) -> io::Result<()> {
    if info.status == RateLimitStatus::Allowed {
        return Ok(());
    }
    let limit = info.rate_limit_type.as_ref().map_or("", |limit| limit.as_str()).replace('_', " ");
    let mut text = match info.status {
        RateLimitStatus::Rejected => format!("! {limit} limit reached"),
        _ => format!("! {limit} limit is near"),
    };
    if let Some(used) = &info.utilization {
        let used = used.as_f64();
        text.push_str(&format!(", {:.0} % used", if used <= 1.0 { used * 100.0 } else { used }));
    }
    if let Some(at) = info.resets_at.as_ref().and_then(Number::as_u64) {
        text.push_str(&format!(", resets at {:02}:{:02} UTC", at / 3600 % 24, at / 60 % 60));
    }
    let tone = if info.status == RateLimitStatus::Rejected { Tone::Red } else { Tone::Yellow };
    view.page.line(0, &[(tone, &text)])
}

/// The end of a turn: what went wrong, if anything did, and what it took.
fn result<W: Write>(view: &mut Conversation<W>, frame: &ResultFrame<'_>) -> io::Result<()> {
    let subtype = frame.subtype.as_str();
    let is_interrupted =
        frame.terminal_reason.as_ref().is_some_and(|reason| reason.as_str().starts_with("aborted"));
    let told = std::mem::take(&mut view.told);
    if is_interrupted || told.interrupt {
        view.told.interrupt = told.interrupt;
        view.interrupted(0)?;
        view.told.interrupt = false;
    } else if frame.is_error == Some(true) || subtype.starts_with("error") {
        let errors = frame.errors.iter().flatten().map(|error| error.as_str());
        let mut said: Vec<_> = errors.chain(frame.error.iter().map(|error| error.message())).collect();
        if said.is_empty() {
            said.extend(frame.result.as_deref());
        }
        let said = said.join("; ");
        if told.error.as_deref() != Some(&*said) {
            let head =
                if subtype == "success" { "✗ failed: ".to_owned() } else { format!("✗ {subtype}: ") };
            view.page.line(0, &[(Tone::Red, &head), (Tone::Red, &said)])?;
        }
    }
    let mut parts = Vec::new();
    if let Some(command) = &frame.local_command {
        parts.push(command.to_string());
    }
    match frame.num_turns.as_ref().and_then(Number::as_u64) {
        Some(0) | None => {}
        Some(1) => parts.push("1 model turn".to_owned()),
        Some(turns) => parts.push(format!("{turns} model turns")),
    }
    parts.extend(frame.duration_ms.as_ref().map(|duration| milliseconds(Some(duration))));
    if let Some(usage) = &frame.usage {
        let count = |number: &Option<Number<'_>>| number.as_ref().and_then(Number::as_u64).unwrap_or(0);
        let cached = count(&usage.cache_read_input_tokens);
        let input = count(&usage.input_tokens) + count(&usage.cache_creation_input_tokens) + cached;
        let output = count(&usage.output_tokens);
        if input + output > 0 {
            let cached = if cached > 0 { format!(" ({} cached)", grouped(cached)) } else { String::new() };
            parts.push(format!("{} tokens in{cached}, {} out", grouped(input), grouped(output)));
        }
    }
    view.session.results += 1;
    if let Some(cost) = frame.total_cost_usd.as_ref().map(Number::as_f64).filter(|cost| *cost > 0.0) {
        let so_far = if view.session.results > 1 { " so far" } else { "" };
        parts.push(format!("${cost:.4}{so_far}"));
    }
    let denials = frame.permission_denials.iter().flatten().count();
    if denials > 0 {
        parts.push(format!("{denials} denied"));
    }
    view.page.line(0, &[(Tone::Dim, "─ "), (Tone::Dim, &parts.join(" · "))])?;
    view.page.gap();
    Ok(())
}

fn tokens(count: Option<&Number<'_>>) -> String {
    count.and_then(Number::as_u64).map_or_else(|| "?".to_owned(), grouped)
}

fn milliseconds(time: Option<&Number<'_>>) -> String {
    seconds(time.map_or(0.0, |number| number.as_f64() / 1000.0))
}
