//! Requests of clients, one subject a file.

mod account;
mod decision;
mod input;
mod mcp;
mod session;
mod status;
mod trust;
mod watch;
mod workspace;

pub use account::{
    GetUsage, ListDevices, PairDevice, PingMessage, PushKeys, RenameDevice, RevokeDevice, SubscribePush,
    TestPush, UnsubscribePush,
};
pub use decision::{AnswerQuestion, Approve, ApproveAlways, Reject};
pub use input::{
    CancelQueuedInput, InputImage, InputPriority, MoveQueuedInput, SendInput, SendQueuedInput,
    UpdateQueuedInput,
};
pub use mcp::{FinishMcpSignIn, ListMcpServers, SignInMcpServer, SignOutMcpServer};
pub use session::{
    ArchiveSession, DeleteSession, ExpireSession, ExportFormat, ExportSession, Interrupt, ListAgents,
    ListCommands, ListModels, ListRecentSessions, ListSessions, RenameSession, ResumeSession, SetBudget,
    SetModel, SetPermissionMode, Start, StopSession,
};
pub use status::{GetStatus, GetStderr};
pub use trust::{DistrustFolder, GetTrust, TrustFolder};
pub use watch::{GetContext, GetHistory, GetSession, Search, Subscribe, Unsubscribe};
pub use workspace::{GetDiff, GetGitStatus, ListDirectory, ListFiles, ReadFile};
