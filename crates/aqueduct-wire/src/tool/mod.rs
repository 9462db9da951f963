//! Tools: what the model calls them with (`input` of a `tool_use` block) and what they give back beside
//! the text for the model (`tool_use_result` of a `user` frame).
//!
//! Both are kept as they are in the frames; look at them through these types with
//! [`Raw::view`](crate::json::Raw::view). A tool that failed has a string for a result.

mod agent;
mod file;
mod notebook;
mod plan;
mod search;
mod shell;
mod skill;
mod task;
mod web;

pub use agent::{
    AgentCompleted, AgentInput, AgentIsolation, AgentLaunched, AgentLaunchedRemotely, AgentResult,
    AgentToolStats,
};
pub use file::{
    EditInput, EditResult, FileChange, GitDiff, ImageDimensions, PageImage, PatchHunk, ReadImage,
    ReadImageFile, ReadInput, ReadNotebook, ReadNotebookFile, ReadParts, ReadPartsFile, ReadPdf, ReadPdfFile,
    ReadResult, ReadText, ReadTextFile, WriteInput, WriteResult,
};
pub use notebook::{CellType, NotebookEditInput, NotebookEditMode, NotebookEditResult};
pub use plan::{
    AllowedPrompt, EnterPlanModeInput, EnterPlanModeResult, ExitPlanModeInput, ExitPlanModeResult,
};
pub use search::{GlobInput, GlobResult, GrepInput, GrepMode, GrepResult};
pub use shell::{
    BashInput, BashResult, GitBranch, GitCommit, GitOperation, GitPullRequest, GitPush, TaskOutputInput,
    TaskStopInput, TaskStopResult,
};
pub use skill::{SkillInput, SkillResult};
pub use task::{
    TaskCreateInput, TaskCreateResult, TaskGetInput, TaskGetResult, TaskListInput, TaskListResult,
    TaskStatusChange, TaskUpdateInput, TaskUpdateResult, Todo, TodoStatus, TodoWriteInput, TodoWriteResult,
    TrackedTask, TrackedTaskStatus,
};
pub use web::{
    WebFetchInput, WebFetchResult, WebSearchHit, WebSearchHits, WebSearchInput, WebSearchPart,
    WebSearchResult,
};

use crate::question::{AskUserQuestionInput, AskUserQuestionResult};
use crate::table::payloads;

payloads! {
    /// What each tool is called with, by the tool's name. `Task` is the older name of `Agent`.
    TOOL_INPUTS {
        "Bash" => BashInput,
        "Read" => ReadInput,
        "Write" => WriteInput,
        "Edit" => EditInput,
        "Glob" => GlobInput,
        "Grep" => GrepInput,
        "NotebookEdit" => NotebookEditInput,
        "TodoWrite" => TodoWriteInput,
        "TaskCreate" => TaskCreateInput,
        "TaskGet" => TaskGetInput,
        "TaskUpdate" => TaskUpdateInput,
        "TaskList" => TaskListInput,
        "TaskOutput" => TaskOutputInput,
        "TaskStop" => TaskStopInput,
        "WebFetch" => WebFetchInput,
        "WebSearch" => WebSearchInput,
        "Agent" => AgentInput,
        "Task" => AgentInput,
        "AskUserQuestion" => AskUserQuestionInput,
        "EnterPlanMode" => EnterPlanModeInput,
        "ExitPlanMode" => ExitPlanModeInput,
        "Skill" => SkillInput,
    }
}

payloads! {
    /// What each tool gives back, by the tool's name. `Task` is the older name of `Agent`.
    TOOL_RESULTS {
        "Bash" => BashResult,
        "Read" => ReadResult,
        "Write" => WriteResult,
        "Edit" => EditResult,
        "Glob" => GlobResult,
        "Grep" => GrepResult,
        "NotebookEdit" => NotebookEditResult,
        "TodoWrite" => TodoWriteResult,
        "TaskCreate" => TaskCreateResult,
        "TaskGet" => TaskGetResult,
        "TaskUpdate" => TaskUpdateResult,
        "TaskList" => TaskListResult,
        "TaskStop" => TaskStopResult,
        "WebFetch" => WebFetchResult,
        "WebSearch" => WebSearchResult,
        "Agent" => AgentResult,
        "Task" => AgentResult,
        "AskUserQuestion" => AskUserQuestionResult,
        "EnterPlanMode" => EnterPlanModeResult,
        "ExitPlanMode" => ExitPlanModeResult,
        "Skill" => SkillResult,
    }
}
