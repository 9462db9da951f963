use aqueduct_wire::json::{Json, Leftover, ParseError, Walk};

use super::client::*;
use super::family::{client_messages, read_object};
use super::refusal::{self, Refusal};

client_messages! {
    /// What a client asks of the bridge.
    ClientMessage<'a> {
        "start" => Start(Start) replies "ok",
        "resume_session" => ResumeSession(ResumeSession) replies "ok",
        "stop_session" => StopSession(StopSession) replies "ok",
        "input" => Input(SendInput) replies "input_ack" | "input_rejected",
        "interrupt" => Interrupt(Interrupt) replies "ok",
        "approve" => Approve(Approve) replies "ok",
        "approve_always" => ApproveAlways(ApproveAlways) replies "ok",
        "reject" => Reject(Reject) replies "ok",
        "answer" => Answer(AnswerQuestion) replies "ok",
        "update_queued_input" => UpdateQueuedInput(UpdateQueuedInput) replies "ok",
        "cancel_queued_input" => CancelQueuedInput(CancelQueuedInput) replies "ok",
        "move_queued_input" => MoveQueuedInput(MoveQueuedInput) replies "ok",
        "send_queued_input" => SendQueuedInput(SendQueuedInput) replies "ok",
        "subscribe" => Subscribe(Subscribe) replies "subscribed",
        "unsubscribe" => Unsubscribe(Unsubscribe) replies "ok",
        "get_history" => GetHistory(GetHistory) replies "history",
        "get_session" => GetSession(GetSession) replies "session",
        "list_sessions" => ListSessions(ListSessions) replies "session_list",
        "list_recent_sessions" => ListRecentSessions(ListRecentSessions) replies "recent_sessions",
        "search" => Search(Search) replies "search_results",
        "set_permission_mode" => SetPermissionMode(SetPermissionMode) replies "ok",
        "set_model" => SetModel(SetModel) replies "ok",
        "set_budget" => SetBudget(SetBudget) replies "ok",
        "rename_session" => RenameSession(RenameSession) replies "ok",
        "archive_session" => ArchiveSession(ArchiveSession) replies "ok",
        "delete_session" => DeleteSession(DeleteSession) replies "ok",
        "export_session" => ExportSession(ExportSession) replies "export",
        "get_context" => GetContext(GetContext) replies "context",
        "list_agents" => ListAgents(ListAgents) replies "agents",
        "list_commands" => ListCommands(ListCommands) replies "commands",
        "list_models" => ListModels(ListModels) replies "models",
        "list_directory" => ListDirectory(ListDirectory) replies "directory",
        "list_files" => ListFiles(ListFiles) replies "files",
        "read_file" => ReadFile(ReadFile) replies "file",
        "get_diff" => GetDiff(GetDiff) replies "diff",
        "get_git_status" => GetGitStatus(GetGitStatus) replies "git_status",
        "get_trust" => GetTrust(GetTrust) replies "trust",
        "trust_folder" => TrustFolder(TrustFolder) replies "ok",
        "distrust_folder" => DistrustFolder(DistrustFolder) replies "ok",
        "get_usage" => GetUsage(GetUsage) replies "usage",
        "list_devices" => ListDevices(ListDevices) replies "devices",
        "revoke_device" => RevokeDevice(RevokeDevice) replies "ok",
        "rename_device" => RenameDevice(RenameDevice) replies "ok",
        "pair_device" => PairDevice(PairDevice) replies "pairing",
        "subscribe_push" => SubscribePush(SubscribePush) replies "ok",
        "unsubscribe_push" => UnsubscribePush(UnsubscribePush) replies "ok",
        "test_push" => TestPush(TestPush) replies "ok",
        "ping" => Ping(PingMessage) replies "pong",
    }
}

impl<'a> ClientMessage<'a> {
    /// Reads a message as it came from a client. Members that nobody knows are passed over; everything else
    /// has to be right, and the refusal says what is not.
    pub fn parse(text: &'a str) -> Result<Self, Refusal> {
        let message = Self::parse_open(text).map_err(|error| Refusal::not_json(&error))?;
        refusal::check(&message, text)?;
        Ok(message)
    }

    /// Reads any JSON object. One that is no message of this family is `Unknown`.
    pub fn parse_open(text: &'a str) -> Result<Self, ParseError> {
        read_object(text)
    }

    /// The message as JSON text.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(256);
        self.write(&mut out);
        out
    }

    /// Visits everything that was kept without a type.
    pub fn leftovers(&self, visit: &mut dyn FnMut(Leftover<'_>)) {
        Json::leftovers(self, &mut Walk::new(visit));
    }
}
