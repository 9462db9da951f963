use super::{AiTitleLine, CustomTitleLine};
use super::{
    AssistantLine, AttachmentLine, Chained, ContentReplacementLine, CostStateLine, FileHistoryLine,
    LastPromptLine, ModeLine, ProgressLine, QueueOperationLine, RelocatedLine, SummaryLine, SystemLine,
    TagLine, UserLine,
};
use crate::frame::line;
use crate::table::union;

union! {
    /// A line of a transcript: a message of the conversation, something that hangs between messages, or a note
    /// about the session.
    TranscriptLine<'a> by "type" {
        "user" => User(Box<UserLine<'a>>) since "2.1.37",
        "assistant" => Assistant(Box<AssistantLine<'a>>) since "2.1.37",
        "system" => System(Box<SystemLine<'a>>) since "2.1.37",
        "attachment" => Attachment(Box<AttachmentLine<'a>>) since "2.1.325",
        /// Older versions chained the progress of subagents between the messages.
        "progress" => Progress(Box<ProgressLine<'a>>) since "2.1.37",
        "custom-title" => CustomTitle(CustomTitleLine<'a>) since "2.1.37",
        "ai-title" => AiTitle(AiTitleLine<'a>) since "2.1.74",
        "summary" => Summary(SummaryLine<'a>) since "2.1.37",
        "tag" => Tag(TagLine<'a>) since "2.1.37",
        "last-prompt" => LastPrompt(LastPromptLine<'a>) since "2.1.74",
        "cost-state" => CostState(Box<CostStateLine<'a>>) since "2.1.325",
        "queue-operation" => QueueOperation(Box<QueueOperationLine<'a>>) since "2.1.37",
        "mode" => Mode(ModeLine<'a>) since "2.1.325",
        "relocated" => Relocated(RelocatedLine<'a>) since "2.1.325",
        "content-replacement" => ContentReplacement(Box<ContentReplacementLine<'a>>) since "2.1.74",
        "file-history-snapshot" => FileHistory(Box<FileHistoryLine<'a>>) since "2.1.37",
    }
}

line::frame!(TranscriptLine);

impl TranscriptLine<'_> {
    /// What the line has in common with all that hang in the chain; `None` for a note, and for a kind that is
    /// not known: [`Link`](super::Link) may fit that.
    pub fn chained(&self) -> Option<&dyn Chained> {
        Some(match self {
            TranscriptLine::User(line) => line.as_ref(),
            TranscriptLine::Assistant(line) => line.as_ref(),
            TranscriptLine::System(line) => line.as_ref(),
            TranscriptLine::Attachment(line) => line.as_ref(),
            TranscriptLine::Progress(line) => line.as_ref(),
            _ => return None,
        })
    }
}
