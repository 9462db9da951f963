//! Hooks: code of the host that runs at points of a conversation. The host registers matchers with
//! `initialize`; the agent asks with `hook_callback`, which carries a [`HookInput`]; the answer is a
//! [`HookOutput`].

mod event;
mod input;
mod notice_input;
mod output;
mod session_input;
mod tool_input;

pub use event::{HookEvent, HookFailure, HookMatcher};
pub use input::{HookEffort, HookInput};
pub use notice_input::{
    ConfigChangeInput, ConfigSource, CwdChangedInput, DirectoryAddedInput, DirectorySource, ElicitationInput,
    ElicitationResultInput, FileChangedInput, FileEvent, InstructionsLoadReason, InstructionsLoadedInput,
    MemoryType, MessageDisplayInput, NotificationInput, SetupInput, SetupTrigger, TeamTaskInput,
    TeammateIdleInput, WorktreeCreateInput, WorktreeRemoveInput,
};
pub use output::{
    ContextOutput, ElicitationOutput, HookDecision, HookOutput, HookPermission, HookPermissionAllow,
    HookPermissionDecision, HookPermissionDeny, HookSpecificOutput, MessageDisplayOutput,
    PermissionDeniedOutput, PermissionRequestOutput, PostToolUseOutput, PreModelSwitchOutput,
    PreToolUseOutput, SessionStartOutput, UserPromptExpansionOutput, UserPromptSubmitOutput, WatchOutput,
    WorktreeCreateOutput,
};
pub use session_input::{
    BackgroundTask, CacheLifetime, CompactTrigger, ModelSwitchInput, ModelSwitchPricing, ModelSwitchSource,
    PostCompactInput, PreCompactInput, SessionCron, SessionEndInput, SessionEndReason, SessionStartInput,
    SessionStartSource, StopFailureInput, StopInput, SubagentStartInput, SubagentStopInput,
};
pub use tool_input::{
    ExpansionType, HookMcpServer, PermissionDeniedInput, PermissionRequestInput, PostToolBatchInput,
    PostToolUseFailureInput, PostToolUseInput, PreToolUseInput, PromptSource, ToolCall,
    UserPromptExpansionInput, UserPromptSubmitInput,
};
