//! Frames about hooks.

use std::time::Duration;

use aqueduct_wire::FromAgent;
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::Str;
use aqueduct_wire::system::{
    HookOutcome, HookProgress, HookResponse, HookStarted, Informational, NoticeLevel, SystemFrame,
};

use super::occasion::Occasion;
use super::outcome::Outcome;
use super::process::Printed;
use super::run::{CommandRun, Stand};
use crate::moment::fresh_uuid;

impl Stand {
    async fn send(&self, frame: SystemFrame<'_>) {
        self.outbox.send(&FromAgent::System(frame)).await;
    }

    /// Tells that a command hook begins.
    pub(super) async fn tell_started(&self, run: &CommandRun) {
        if !self.is_shown {
            return;
        }
        let mut frame = HookStarted::new(run.id.clone());
        frame.hook_name = Some(run.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(run.occasion.event.name)));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session_id.clone().into());
        self.send(SystemFrame::HookStarted(Box::new(frame))).await;
    }

    /// Tells what a command hook has printed so far.
    pub(super) async fn tell_progress(&self, run: &CommandRun, printed: &Printed) {
        if !self.is_shown {
            return;
        }
        let mut frame = HookProgress::new(run.id.clone());
        frame.hook_name = Some(run.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(run.occasion.event.name)));
        frame.stdout = Some(printed.stdout().into());
        frame.stderr = Some(printed.stderr().into());
        frame.output = Some(printed.output().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session_id.clone().into());
        self.send(SystemFrame::HookProgress(Box::new(frame))).await;
    }

    /// Tells how a command hook ended.
    pub(super) async fn tell_ended(
        &self,
        run: &CommandRun,
        printed: &Printed,
        code: Option<i32>,
        outcome: HookOutcome<'static>,
    ) {
        if !self.is_shown {
            return;
        }
        let mut frame = HookResponse::new(run.id.clone());
        frame.hook_name = Some(run.occasion.label().into());
        frame.hook_event = Some(HookEvent::from(Str::from(run.occasion.event.name)));
        frame.output = Some(printed.output().into());
        frame.stdout = Some(printed.stdout().into());
        frame.stderr = Some(printed.stderr().into());
        frame.exit_code = code.and_then(|code| u64::try_from(code).ok()).map(Into::into);
        frame.outcome = Some(outcome);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session_id.clone().into());
        self.send(SystemFrame::HookResponse(Box::new(frame))).await;
    }

    /// Tells people what hooks want them to read, and which of them failed.
    pub(super) async fn tell_said(&self, occasion: &Occasion, outcome: &Outcome) {
        for message in &outcome.messages {
            self.note(format!("{} says: {message}", occasion.label()), NoticeLevel::Notice, None).await;
        }
        for failure in &outcome.failures {
            let text = format!("{} hook failed: {}", occasion.label(), failure.why);
            self.note(text, NoticeLevel::Warning, failure.tag).await;
        }
    }

    /// Tells the user that a turn waits for a hook.
    pub(super) async fn tell_waiting(&self, occasion: &Occasion, hook: &str, waited: Duration) {
        let (label, seconds) = (occasion.label(), waited.as_secs());
        let text = format!("Waiting for the {label} hook {hook} for {seconds} s. Interrupt to stop it.");
        let mut frame = self.notice(text, NoticeLevel::Notice, Some("hook_slow"));
        frame.tool_use_id = occasion.tool_use_id.clone().map(Into::into);
        self.send(SystemFrame::Informational(Box::new(frame))).await;
    }

    async fn note(&self, text: String, level: NoticeLevel<'static>, tag: Option<&'static str>) {
        let frame = self.notice(text, level, tag);
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
