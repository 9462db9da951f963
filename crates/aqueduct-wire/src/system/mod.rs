//! `system` frames: the state of the session and of what runs in it, distinguished by their `subtype`.

mod capability;
mod compaction;
mod fallback;
mod file;
mod hook_run;
mod init;
mod memory;
mod notice;
mod permission_denied;
mod refusal;
mod request_progress;
mod retry;
mod session;
mod status;
mod task;

pub use capability::Capability;
pub use compaction::{CompactBoundary, CompactMetadata, PreservedMessages, PreservedSegment};
pub use fallback::{FallbackTrigger, ModelFallback};
pub use file::{FilesPersisted, PersistFailure, PersistedFile};
pub use hook_run::{HookOutcome, HookProgress, HookResponse, HookStarted};
pub use init::{
    ApiKeySource, InitMcpServer, InitPlugin, ManagedLock, MemoryPaths, PluginError, SystemInit, ViewMode,
};
pub use memory::{MemoryMode, MemoryRecall, MemoryScope, RecalledMemory};
pub use notice::{
    CommandsChanged, ElicitationComplete, HookWithoutVerdict, Informational, LocalCommandOutput, NoticeLevel,
    Notification, NotificationPriority, PlainNotice, PluginInstall, PluginInstallStatus, PostTurnSummary,
    TaskSummary, ThinkingTokens,
};
pub use permission_denied::PermissionDenied;
pub use refusal::{
    ModelRefusalFallback, ModelRefusalNoFallback, RefusalDirection, RefusalScope, RefusalTrigger,
};
pub use request_progress::{ControlRequestProgress, RequestProgress};
pub use retry::{ApiRetry, NoResponse};
pub use session::{
    LostWrite, MirrorError, MirrorKey, SessionMetadata, SessionState, SessionStateChanged,
    SessionTitleChanged, SessionWritesLost, WorkerShuttingDown, WriteErrorCode,
};
pub use status::{CompactResult, Status, SystemStatus};
pub use task::{
    BackgroundTasksChanged, ResourceLink, RunningTask, TaskEnd, TaskEndReason, TaskNotification, TaskPatch,
    TaskProgress, TaskStarted, TaskState, TaskUpdated, TaskUsage,
};

use crate::table::union;

union! {
    /// How the session and what runs in it fares.
    SystemFrame<'a> by "subtype" {
        "init" => Init(Box<SystemInit<'a>>) since "2.1.37",
        "compact_boundary" => CompactBoundary(Box<CompactBoundary<'a>>) since "2.1.37",
        "status" => Status(Box<SystemStatus<'a>>) since "2.1.37",
        "hook_started" => HookStarted(Box<HookStarted<'a>>) since "2.1.37",
        "hook_progress" => HookProgress(Box<HookProgress<'a>>) since "2.1.50",
        "hook_response" => HookResponse(Box<HookResponse<'a>>) since "2.1.37",
        "task_started" => TaskStarted(Box<TaskStarted<'a>>) since "2.1.50",
        "task_progress" => TaskProgress(Box<TaskProgress<'a>>) since "2.1.74",
        "task_updated" => TaskUpdated(Box<TaskUpdated<'a>>) since "2.1.325",
        "task_notification" => TaskNotification(Box<TaskNotification<'a>>) since "2.1.50",
        "background_tasks_changed" => BackgroundTasksChanged(Box<BackgroundTasksChanged<'a>>) since "2.1.325",
        "session_state_changed" => SessionStateChanged(Box<SessionStateChanged<'a>>) since "2.1.325",
        "session_title_changed" => SessionTitleChanged(Box<SessionTitleChanged<'a>>) since "2.1.325",
        "session_writes_lost" => SessionWritesLost(Box<SessionWritesLost<'a>>) since "2.1.325",
        "session_metadata" => SessionMetadata(Box<SessionMetadata<'a>>) since "2.1.325",
        "worker_shutting_down" => WorkerShuttingDown(Box<WorkerShuttingDown<'a>>) since "2.1.325",
        "mirror_error" => MirrorError(Box<MirrorError<'a>>) since "2.1.325",
        "files_persisted" => FilesPersisted(Box<FilesPersisted<'a>>) since "2.1.50",
        "memory_recall" => MemoryRecall(Box<MemoryRecall<'a>>) since "2.1.325",
        "api_retry" => ApiRetry(Box<ApiRetry<'a>>) since "2.1.74",
        "control_request_progress" => ControlRequestProgress(Box<ControlRequestProgress<'a>>) since "2.1.325",
        "model_fallback" => ModelFallback(Box<ModelFallback<'a>>) since "2.1.325",
        "model_refusal_fallback" => ModelRefusalFallback(Box<ModelRefusalFallback<'a>>) since "2.1.325",
        "model_refusal_no_fallback" => ModelRefusalNoFallback(Box<ModelRefusalNoFallback<'a>>) since "2.1.325",
        "permission_denied" => PermissionDenied(Box<PermissionDenied<'a>>) since "2.1.325",
        "local_command_output" => LocalCommandOutput(Box<LocalCommandOutput<'a>>) since "2.1.325",
        "informational" => Informational(Box<Informational<'a>>) since "2.1.325",
        "notification" => Notification(Box<Notification<'a>>) since "2.1.325",
        "thinking_tokens" => ThinkingTokens(Box<ThinkingTokens<'a>>) since "2.1.325",
        "commands_changed" => CommandsChanged(Box<CommandsChanged<'a>>) since "2.1.325",
        "elicitation_complete" => ElicitationComplete(Box<ElicitationComplete<'a>>) since "2.1.325",
        "plugin_install" => PluginInstall(Box<PluginInstall<'a>>) since "2.1.325",
        "post_turn_summary" => PostTurnSummary(Box<PostTurnSummary<'a>>) since "2.1.325",
        "task_summary" => TaskSummary(Box<TaskSummary<'a>>) since "2.1.325",
        "code_change_published" => CodeChangePublished(Box<PlainNotice<'a>>) since "2.1.325",
        "vcs_state_changed" => VcsStateChanged(Box<PlainNotice<'a>>) since "2.1.325",
        "feedback_draft_queued" => FeedbackDraftQueued(Box<PlainNotice<'a>>) since "2.1.325",
        "cloud_session_delta" => CloudSessionDelta(Box<PlainNotice<'a>>) since "2.1.325",
        "dev_intent" => DevIntent(Box<PlainNotice<'a>>) since "2.1.325",
        "turn_handoff_available" => TurnHandoffAvailable(Box<PlainNotice<'a>>) since "2.1.325",
        "turn_preempted" => TurnPreempted(Box<PlainNotice<'a>>) since "2.1.325",
        "peer_message_hold" => PeerMessageHold(Box<PlainNotice<'a>>) since "2.1.325",
        "per_turn_effort_changed" => PerTurnEffortChanged(Box<PlainNotice<'a>>) since "2.1.325",
        "instruction_size_warning" => InstructionSizeWarning(Box<PlainNotice<'a>>) since "2.1.325",
        "file_attachments_missing" => FileAttachmentsMissing(Box<PlainNotice<'a>>) since "2.1.325",
        "permission_check_status" => PermissionCheckStatus(Box<PlainNotice<'a>>) since "2.1.325",
        "inherited_asks_settled" => InheritedAsksSettled(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_log" => UiLog(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_toast" => UiToast(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_status" => UiStatus(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_invalidate" => UiInvalidate(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_panes" => UiPanes(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_placed" => UiPlaced(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_scroll" => UiScroll(Box<PlainNotice<'a>>) since "2.1.325",
        "ui_focus" => UiFocus(Box<PlainNotice<'a>>) since "2.1.325",
    }
}
