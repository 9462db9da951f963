//! Compaction: a long conversation becomes a summary, so that there is room again.

use std::time::Instant;

use aqueduct_model::{ModelMessage, Request, RequestRole, ThinkingMode};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::hook::{CompactTrigger, SessionStartSource};
use aqueduct_wire::json::{Number, Raw, Str};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::{
    CompactBoundary, CompactMetadata, CompactResult, PreservedMessages, SystemFrame, SystemStatus,
};
use serde_json::json;

use super::Turn;
use crate::clock::{self, fresh_uuid};
use crate::history::HistoryEntry;
use crate::transcript::{SystemLine, TranscriptFileError, UserLine};
use aqueduct_tools::side_call::SideCallError;

/// How much of the window is left free: for the answer, and for the summary itself.
const FREE_TOKENS: u64 = 33_000;

/// How long a summary may be.
const SUMMARY_TOKENS: u32 = 16_000;

/// What the model is asked for.
const ASK: &str = "The conversation has become long. Summarize it so that you can continue from the summary \
    alone: what the user wants, in their own words where it matters; decisions and their reasons; files that \
    were read and changed, with paths and the relevant code; commands that were run and their results; \
    errors and how they were fixed; the current work; the next steps. Write only the summary.";

/// What the summary begins with. Programs that read transcripts know a summary by the first sentence.
const BEFORE: &str = "This session is being continued from a previous conversation that ran out of context. \
    The program wrote this message, not the user. Summary of the conversation so far:";

/// The end of the summary. It is marked because the user's next input is in the same message.
const BEHIND: &str = "End of the summary. Continue with the work; don't repeat or mention the summary.";

/// The frames that report a compaction.
struct CompactionFrames {
    boundary: Box<CompactBoundary<'static>>,
    summary: Box<UserFrame<'static>>,
}

/// Why a conversation was not summed up.
pub(super) enum CompactionFailure {
    /// A hook blocks it, for this reason.
    Blocked(String),
    /// There is nothing to sum up.
    Empty,
    /// The model gave no summary.
    Unanswered(SideCallError),
    /// The summary can't be kept.
    Unsaved(TranscriptFileError),
}

impl CompactionFailure {
    /// What the status reports.
    fn status(&self) -> String {
        match self {
            CompactionFailure::Blocked(_) => format!("skipped: {}", self.text()),
            _ => self.reason(),
        }
    }

    /// What people read.
    pub(super) fn text(&self) -> String {
        match self {
            CompactionFailure::Blocked(why) => format!("Compaction blocked by PreCompact hook: {why}"),
            _ => format!("The conversation could not be compacted and is unchanged. {}", self.reason()),
        }
    }

    fn reason(&self) -> String {
        match self {
            CompactionFailure::Blocked(why) => why.clone(),
            CompactionFailure::Empty => "There is nothing to compact".to_owned(),
            CompactionFailure::Unanswered(error) => error.advised(),
            CompactionFailure::Unsaved(error) => error.advised(),
        }
    }
}

impl Turn<'_> {
    /// Compacts when the window is nearly full.
    pub(super) async fn compact_if_full(&mut self) {
        let Some(limit) = self.window_limit() else { return };
        let grown = self.dialogue.window_tokens;
        if grown < limit || self.dialogue.history.is_empty() {
            return;
        }
        // The host has received the reason; the turn continues without compaction.
        let _ = self.compact(CompactTrigger::Auto, None).await;
    }

    /// Whether there is something to sum up beside what is to be answered now.
    pub(super) fn has_earlier_turns(&self) -> bool {
        let is_new = |uuid: &str| {
            self.prompts.iter().any(|prompt| prompt.uuid == uuid)
                || self.reminders.iter().any(|known| known == uuid)
        };
        self.dialogue.history.uuids().any(|uuid| !is_new(uuid))
    }

    /// How many tokens the conversation may have before it is summed up.
    fn window_limit(&self) -> Option<u64> {
        match self.session.options.autocompact.as_deref() {
            Some("off") => None,
            Some(tokens) if tokens.parse::<u64>().is_ok() => tokens.parse().ok(),
            _ => {
                let window = self.session.window_of(&self.model());
                // Of a small window a fifth stays free.
                Some(window - FREE_TOKENS.min(window / 5))
            }
        }
    }

    /// Summarizes the conversation, or returns why that failed.
    pub(super) async fn compact(
        &mut self,
        trigger: CompactTrigger<'static>,
        wishes: Option<&str>,
    ) -> Result<(), CompactionFailure> {
        if self.by.is_none() {
            self.session.send_status("compacting").await;
        }
        let started = Instant::now();
        let before = self.dialogue.window_tokens.max(self.dialogue.history.estimated_tokens());
        // What is to be answered now stays word for word.
        let (prompts, reminders) = (&self.prompts, &self.reminders);
        let kept = self.dialogue.history.split_off_while(|uuid| {
            prompts.iter().any(|prompt| prompt.uuid == uuid) || reminders.iter().any(|known| known == uuid)
        });
        let compacted = match self.summarised(&trigger, wishes).await {
            Ok(summary) => {
                let mut metadata = CompactMetadata::new();
                metadata.trigger = Some(trigger.clone());
                metadata.pre_tokens = Some(before.into());
                metadata.post_tokens = Some((summary.len() as u64 / 4).into());
                metadata.duration_ms = Some((started.elapsed().as_millis() as u64).into());
                self.store(&summary, metadata, kept).map_err(CompactionFailure::Unsaved)
            }
            Err(why) => {
                kept.into_iter().for_each(|entry| self.dialogue.history.push(entry));
                Err(why)
            }
        };
        let mut status = SystemStatus::new();
        status.uuid = Some(fresh_uuid().into());
        status.session_id = Some(self.session.id().into());
        match &compacted {
            Ok(_) => status.compact_result = Some(CompactResult::Success),
            Err(error) => {
                status.compact_result = Some(CompactResult::Failed);
                status.compact_error = Some(error.status().into());
            }
        }
        self.send_frame(FromAgent::System(SystemFrame::Status(Box::new(status)))).await;
        if trigger == CompactTrigger::Manual {
            self.session.send_init(&self.named()).await;
        }
        let CompactionFrames { boundary, summary } = compacted?;
        self.send_frame(FromAgent::System(SystemFrame::CompactBoundary(boundary))).await;
        self.send_frame(FromAgent::User(summary)).await;
        Ok(())
    }

    /// The summary, if hooks allow one.
    async fn summarised(
        &mut self,
        trigger: &CompactTrigger<'static>,
        wishes: Option<&str>,
    ) -> Result<String, CompactionFailure> {
        let session = self.session;
        let outcome = session.compacting(trigger, wishes, &self.cancel).await;
        if let Some(why) = outcome.refusal().or(outcome.stop.clone()) {
            return Err(CompactionFailure::Blocked(why.trim_end().to_owned()));
        }
        let wishes: Vec<&str> =
            wishes.into_iter().chain(outcome.contexts.iter().map(String::as_str)).collect();
        let wishes = (!wishes.is_empty()).then(|| wishes.join("\n"));
        let summary = self.summary(wishes.as_deref()).await?;
        session.compacted(trigger, &summary);
        let outcome = session.session_started(SessionStartSource::Compact, &self.cancel).await;
        session.hooks.keep("SessionStart:compact", &outcome);
        Ok(summary)
    }

    /// Puts the summary in the conversation's place; gives the frames that report it.
    fn store(
        &mut self,
        summary: &str,
        mut metadata: CompactMetadata<'static>,
        kept: Vec<HistoryEntry>,
    ) -> Result<CompactionFrames, TranscriptFileError> {
        let (boundary, uuid) = (fresh_uuid(), fresh_uuid());
        let newest = kept.last().map(|entry| entry.uuid.as_str());
        let parent = newest.or(self.dialogue.history.newest()).map(str::to_owned);
        if !kept.is_empty() {
            let uuids: Vec<Str<'static>> = kept.iter().map(|entry| entry.uuid.clone().into()).collect();
            let mut preserved = PreservedMessages::new();
            preserved.anchor_uuid = Some(uuid.clone().into());
            preserved.uuids = Some(uuids.clone());
            preserved.all_uuids = Some(uuids);
            metadata.preserved_messages = Some(Box::new(preserved));
        }
        let raw = as_kept(&metadata);
        let mut line = SystemLine::new(&boundary, "compact_boundary");
        line.content = Some("Conversation compacted");
        line.level = Some("info");
        line.compact_metadata = Some(&raw);
        let lists = self.tool_context().lists.snapshot();
        line.lists = Some(&lists);
        let mut message =
            UserMessage::new(Content::Text(format!("{BEFORE}\n\n{summary}\n\n{BEHIND}").into()));
        message.role = Some("user".into());
        let reported = Raw::written(&message);
        let mut summary = UserLine::new(&uuid, &reported);
        summary.is_compact_summary = true;
        self.dialogue.compact(&line, &summary, kept)?;

        let mut report = CompactBoundary::new(Box::new(metadata));
        report.uuid = Some(boundary.into());
        report.session_id = Some(self.session.id().into());
        report.logical_parent_uuid = parent.map(Into::into);
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(uuid.into());
        frame.session_id = Some(self.session.id().into());
        frame.timestamp = Some(clock::now().into());
        frame.is_replay = Some(false);
        frame.is_synthetic = Some(true);
        Ok(CompactionFrames { boundary: Box::new(report), summary: Box::new(frame) })
    }

    /// Asks the model for a summary.
    async fn summary(&mut self, wishes: Option<&str>) -> Result<String, CompactionFailure> {
        let mut messages = self.dialogue.history.messages();
        if messages.is_empty() {
            return Err(CompactionFailure::Empty);
        }
        let wishes = wishes.filter(|wishes| !wishes.is_empty());
        let ask = wishes.map_or_else(|| ASK.to_owned(), |wishes| format!("{ASK}\n\nFocus on: {wishes}"));
        messages.push(ModelMessage { role: RequestRole::User, content: Raw::written(&Str::from(ask)) });
        let request = Request {
            model: self.model(),
            max_tokens: SUMMARY_TOKENS,
            system: self.session.system_prompt_for(self.by).await,
            messages,
            thinking: ThinkingMode::Off,
            ..Request::default()
        };
        self.session.ask_aside(request, &self.cancel).await.map_err(CompactionFailure::Unanswered)
    }
}

/// What a compaction did, as transcripts keep it: with other names than on the wire.
fn as_kept(metadata: &CompactMetadata<'_>) -> Raw<'static> {
    let number = |number: &Option<Number<'_>>| number.as_ref().and_then(Number::as_u64);
    let mut kept = json!({
        "trigger": metadata.trigger.as_ref().map(CompactTrigger::as_str),
        "preTokens": number(&metadata.pre_tokens),
        "postTokens": number(&metadata.post_tokens),
        "durationMs": number(&metadata.duration_ms),
    });
    if let Some(preserved) = &metadata.preserved_messages {
        let uuids = preserved.uuids.as_deref().unwrap_or_default();
        let uuids: Vec<&str> = uuids.iter().map(Str::as_str).collect();
        let anchor = preserved.anchor_uuid.as_ref().map(Str::as_str);
        kept["preservedSegment"] =
            json!({ "headUuid": uuids.first(), "anchorUuid": anchor, "tailUuid": uuids.last() });
        kept["preservedMessages"] = json!({ "anchorUuid": anchor, "uuids": uuids, "allUuids": uuids });
    }
    Raw::from(&kept).into_owned()
}
