//! What an agent reports besides the conversation, in a line.

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::json::Number;
use aqueduct_wire::rate_limit::{RateLimitInfo, RateLimitStatus};
use aqueduct_wire::system::{HookOutcome, NoticeLevel, Status, SystemFrame};

use super::{Tone, grouped, seconds};

/// What a frame reports to the user besides the conversation. Most report nothing.
pub(crate) fn notice(frame: &FromAgent<'_>) -> Option<(Tone, String)> {
    match frame {
        FromAgent::System(frame) => system(frame),
        FromAgent::RateLimitEvent(frame) => rate_limit(&frame.rate_limit_info),
        FromAgent::AuthStatus(frame) => Some((Tone::Red, format!("✗ login: {}", frame.error.as_deref()?))),
        FromAgent::Error(frame) => Some((Tone::Red, format!("✗ {}", frame.error.message()))),
        _ => None,
    }
}

fn system(frame: &SystemFrame<'_>) -> Option<(Tone, String)> {
    let reported = match frame {
        SystemFrame::Status(status) => match (&status.status, &status.permission_mode) {
            (Some(Status::Compacting), _) => (Tone::Dim, "· compacting the conversation".to_owned()),
            (None, Some(mode)) => (Tone::Dim, format!("· mode {mode}")),
            _ => return None,
        },
        SystemFrame::CompactBoundary(frame) => {
            let data = &frame.compact_metadata;
            let before = tokens(data.pre_tokens.as_ref());
            let after = data.post_tokens.as_ref().map(|after| format!(" to {}", tokens(Some(after))));
            (Tone::Dim, format!("── compacted, from {before}{} tokens ──", after.unwrap_or_default()))
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
            let outputs = [&hook.stderr, &hook.stdout, &hook.output].into_iter().flatten();
            let outputs = outputs.map(|text| text.trim()).find(|text| !text.is_empty()).unwrap_or("");
            (Tone::Red, format!("✗ hook {name}, {outcome}: {outputs}"))
        }
        SystemFrame::ModelRefusalFallback(frame) => {
            (Tone::Yellow, format!("! {}", frame.content.as_deref().unwrap_or_default()))
        }
        SystemFrame::ModelRefusalNoFallback(frame) => {
            (Tone::Red, format!("✗ {}", frame.content.as_deref().unwrap_or_default()))
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
        _ => return None,
    };
    Some(reported)
}

fn rate_limit(info: &RateLimitInfo<'_>) -> Option<(Tone, String)> {
    if info.status == RateLimitStatus::Allowed {
        return None;
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
    Some((if info.status == RateLimitStatus::Rejected { Tone::Red } else { Tone::Yellow }, text))
}

/// What a turn took: time, tokens, money. `is_first` is whether it is the first result of its process: costs
/// add up.
pub(crate) fn spent(frame: &ResultFrame<'_>, is_first: bool) -> Vec<String> {
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
    if let Some(cost) = frame.total_cost_usd.as_ref().map(Number::as_f64).filter(|cost| *cost > 0.0) {
        parts.push(format!("${cost:.4}{}", if is_first { "" } else { " so far" }));
    }
    let denials = frame.permission_denials.iter().flatten().count();
    if denials > 0 {
        parts.push(format!("{denials} denied"));
    }
    parts
}

fn milliseconds(time: Option<&Number<'_>>) -> String {
    seconds(time.map_or(0.0, |number| number.as_f64() / 1000.0))
}

fn tokens(count: Option<&Number<'_>>) -> String {
    count.and_then(Number::as_u64).map_or_else(|| "?".to_owned(), grouped)
}
