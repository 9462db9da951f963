//! Messages of the bridge, one subject a file.

mod account;
mod connection;
mod conversation;
mod delta;
mod git;
mod history;
mod input;
mod mcp;
mod note;
mod permission;
mod session;
mod status;
mod trust;
mod turn;
mod workspace;

pub use account::{CredentialKind, DeviceInfo, Devices, Pairing, RateLimitChange, UsageRow, UsageSummary};
pub use connection::{AgentChoice, Agents, Done, ErrorReply, Feature, Hello, Limits, PongMessage};
pub use conversation::{
    AgentEvent, AgentFrame, AgentProgress, Assistant, ImageContent, PASSING_FRAMES, ToolOutput,
};
pub use delta::{PartialAnswer, PartialBlock, PartialKind, TextGrowth, ThinkingGrowth, ToolInputGrowth};
pub use git::{Diff, DiffFile, DiffHunk, FileChangeKind, GitChange, GitState};
pub use history::{
    ExportedSession, HistoryDelta, HistoryPage, SearchHit, SearchResults, SessionReply, SessionSnapshot,
    StoredMessage, Subscribed,
};
pub use input::{InputAck, InputRejected, InputState, Queue, QueuedInput, UserInput, UserInputSource};
pub use mcp::{McpServerInfo, McpServers, McpSignIn};
pub use note::{Actor, ActorKind, SystemNote, SystemSubtype};
pub use permission::{
    PermissionDecision, PermissionKind, PermissionRequest, PermissionResolved, SuggestedRule,
};
pub use session::{
    Commands, ContextReport, ContextShare, Models, RecentSessions, SessionDeleted, SessionInfo, SessionList,
    SessionSource, SessionStatus, SessionUpdate, StatusChange,
};
pub use status::{
    AgentStderr, BridgeLoad, BridgeStatus, BridgeStorage, ClientCount, FailureNote, FailureTotal,
    PendingDecision, Readiness, ReadinessCheck, ReadinessSubject, StderrLine,
};
pub use trust::{TrustChange, TrustItem, TrustReport, TrustState};
pub use turn::{Budget, BudgetState, Retry, TurnResult};
pub use workspace::{Directory, DirectoryEntry, EntryKind, FileContent, FileEncodingName, FileMatch, Files};
