//! Frames about hooks.

use std::time::Duration;

use aqueduct_os::mutex::lock;
use aqueduct_wire::FromAgent;
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::Str;
use aqueduct_wire::system::{
    HookOutcome, HookProgress, HookResponse, HookStarted, HookWithoutVerdict, Informational, NoticeLevel,
    SystemFrame,
};

use super::occasion::HookOccurrence;
use super::outcome::{FailedHook, HooksOutcome};
use super::process::PrintedOutput;
use super::reply::{NO_VERDICT, TIMED_OUT};
use super::run::{HookContext, HookRun};
use crate::clock::fresh_uuid;

impl HookContext {
    async fn send(&self, frame: SystemFrame<'_>) {
        self.outbox.send(&FromAgent::System(frame)).await;
    }

    /// Sends notices.
    pub(super) async fn send_notices(&self, notices: Vec<Informational<'static>>) {
        for notice in notices {
            self.send(SystemFrame::Informational(Box::new(notice))).await;
        }
    }

    /// The messages of hooks for the user, and the hooks that failed.
    pub(super) fn notices(
        &self,
        occasion: &HookOccurrence,
        outcome: &HooksOutcome,
    ) -> Vec<Informational<'static>> {
        [self.messages(occasion, outcome), self.failures(occasion, outcome)].concat()
    }

    /// The messages of hooks for the user.
    pub(super) fn messages(
        &self,
        occasion: &HookOccurrence,
        outcome: &HooksOutcome,
    ) -> Vec<Informational<'static>> {
        // Before the session starts no client reads notices, and a refused prompt has a notice of its own.
        let is_silent = match occasion.event.name {
            "SessionStart" => true,
            "UserPromptSubmit" => !outcome.blocks.is_empty(),
            _ => false,
        };
        let message_notices = outcome.messages.iter().filter(|_| !is_silent).map(|message| {
            self.notice(format!("{} says: {message}", occasion.label()), NoticeLevel::Notice, None)
        });
        message_notices.collect()
    }

    /// The hooks that failed.
    pub(super) fn failures(
        &self,
        occasion: &HookOccurrence,
        outcome: &HooksOutcome,
    ) -> Vec<Informational<'static>> {
        outcome.failures.iter().filter_map(|failure| self.failed(occasion, failure)).collect()
    }

    /// The notice of a hook that failed. Failures without a tag are in the frames about the hook itself.
    fn failed(&self, occasion: &HookOccurrence, failure: &FailedHook) -> Option<Informational<'static>> {
        let text = format!("{} hook failed: {}", occasion.label(), failure.why);
        match failure.tag? {
            tag @ (NO_VERDICT | TIMED_OUT) if occasion.event.name == "PreToolUse" => {
                self.without_verdict(occasion, text, failure, tag == TIMED_OUT)
            }
            tag => Some(self.notice(text, NoticeLevel::Warning, Some(tag))),
        }
    }

    /// The notice of a guard that gave no verdict: one for each hook.
    fn without_verdict(
        &self,
        occasion: &HookOccurrence,
        text: String,
        failure: &FailedHook,
        timed_out: bool,
    ) -> Option<Informational<'static>> {
        let hook = failure.why.split("]: ").next().unwrap_or_default().to_owned();
        if !lock(&self.detached.without_verdict).insert(hook) {
            return None;
        }
        let mut frame = self.notice(text, NoticeLevel::Warning, Some(NO_VERDICT));
        let mut hook = HookWithoutVerdict::new();
        hook.hook_event = Some(occasion.event.name.into());
        hook.tool_use_id = occasion.tool_use_id.clone().map(Into::into);
        hook.timed_out = Some(timed_out);
        frame.hook_no_verdict = Some(hook);
        Some(frame)
    }

    /// Notifies the user that a turn waits for a hook.
    pub(super) async fn send_waiting(&self, occasion: &HookOccurrence, hook: &str, waited: Duration) {
        let (label, seconds) = (occasion.label(), waited.as_secs());
        let text = format!("Waiting for the {label} hook {hook} for {seconds} s. Interrupt to stop it.");
        let mut frame = self.notice(text, NoticeLevel::Notice, Some("hook_slow"));
        frame.tool_use_id = occasion.tool_use_id.clone().map(Into::into);
        self.send(SystemFrame::Informational(Box::new(frame))).await;
    }

    fn notice(
        &self,
        text: String,
        level: NoticeLevel<'static>,
        tag: Option<&'static str>,
    ) -> Informational<'static> {
        let mut frame = Informational::new(text);
        frame.level = Some(level);
        frame.tag = tag.map(Into::into);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session_id.clone().into());
        frame
    }
}

/// How a hook ended, as its last frame reports it.
pub(super) struct HookEnding {
    output: String,
    stdout: String,
    stderr: String,
    code: Option<i32>,
    outcome: HookOutcome<'static>,
}

impl HookEnding {
    /// The end of a command.
    pub(super) fn of(printed: &PrintedOutput, code: Option<i32>, outcome: HookOutcome<'static>) -> Self {
        HookEnding {
            output: printed.output(),
            stdout: printed.stdout(),
            stderr: printed.stderr(),
            code,
            outcome,
        }
    }

    /// The end of a hook that has answered.
    pub(super) fn answered(answer: &str, code: i32) -> Self {
        HookEnding {
            output: answer.to_owned(),
            stdout: answer.to_owned(),
            stderr: String::new(),
            code: Some(code),
            outcome: HookOutcome::Success,
        }
    }

    /// The end of a hook whose answer can't be used.
    pub(super) fn unusable(answer: &str, why: &str, code: i32) -> Self {
        HookEnding { stderr: why.to_owned(), outcome: HookOutcome::Error, ..Self::answered(answer, code) }
    }
}

impl HookRun {
    /// Reports that the hook begins.
    pub(super) async fn send_started(&self) {
        if !self.hook_context.is_shown {
            return;
        }
        let mut frame = HookStarted::new(self.id.clone());
        frame.hook_name = Some(self.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(self.occasion.event.name)));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.hook_context.session_id.clone().into());
        self.hook_context.send(SystemFrame::HookStarted(Box::new(frame))).await;
    }

    /// Reports what a command has printed so far.
    pub(super) async fn send_progress(&self, printed: &PrintedOutput) {
        if !self.hook_context.is_shown {
            return;
        }
        let mut frame = HookProgress::new(self.id.clone());
        frame.hook_name = Some(self.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(self.occasion.event.name)));
        frame.stdout = Some(printed.stdout().into());
        frame.stderr = Some(printed.stderr().into());
        frame.output = Some(printed.output().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.hook_context.session_id.clone().into());
        self.hook_context.send(SystemFrame::HookProgress(Box::new(frame))).await;
    }

    /// Reports how the hook ended.
    pub(super) async fn send_ended(&self, ending: HookEnding) {
        if !self.hook_context.is_shown {
            return;
        }
        let mut frame = HookResponse::new(self.id.clone());
        frame.hook_name = Some(self.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(self.occasion.event.name)));
        frame.output = Some(ending.output.into());
        frame.stdout = Some(ending.stdout.into());
        frame.stderr = Some(ending.stderr.into());
        frame.exit_code = ending.code.and_then(|code| u64::try_from(code).ok()).map(Into::into);
        frame.outcome = Some(ending.outcome);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.hook_context.session_id.clone().into());
        self.hook_context.send(SystemFrame::HookResponse(Box::new(frame))).await;
    }

    /// Reports that the hook gave no answer, and why.
    pub(super) async fn send_failed(&self, why: &str, code: Option<i32>) {
        let (output, stderr) = (why.to_owned(), why.to_owned());
        let outcome = HookOutcome::Error;
        self.send_ended(HookEnding { output, stdout: String::new(), stderr, code, outcome }).await;
    }

    /// Reports that the hook was ended before it answered.
    pub(super) async fn send_cancelled(&self) {
        let (output, outcome) = ("Hook cancelled".to_owned(), HookOutcome::Cancelled);
        self.send_ended(HookEnding {
            output,
            stdout: String::new(),
            stderr: String::new(),
            code: None,
            outcome,
        })
        .await;
    }
}
