use aqueduct_wire::json::{Json, Leftover, ParseError, Walk};
use aqueduct_wire::table::Definition;

use super::Scope;
use super::client::*;
use super::family::{client_messages, read_object};
use super::need::{self, MessageNeed};
use super::reach::{MessageReach, NamesSession};
use super::refusal::{self, Refusal};

client_messages! {
    /// What a client asks of the bridge.
    ClientMessage<'a> {
        "start" => Start(Start)
            needs Operate of folder, start(
                "`admin` and a confirmation with the mode `bypassPermissions`"
            ) replies "ok",
        "resume_session" => ResumeSession(ResumeSession)
            needs Operate of session, resume(
                "`admin` and a confirmation with the mode `bypassPermissions`"
            ) replies "ok",
        "stop_session" => StopSession(StopSession) needs Operate of session replies "ok",
        "input" => Input(SendInput) needs Operate of session replies "input_ack" | "input_rejected",
        "interrupt" => Interrupt(Interrupt) needs Operate of session replies "ok",
        "approve" => Approve(Approve)
            needs Decide of session, approve(
                "`operate` with `updatedInput`, `budgetUsd` or a `mode` other than `default` and `plan`, and where \
                 the request is a `retry` or a `resend`; `admin` and a confirmation with the mode `bypassPermissions`"
            ) replies "ok",
        "approve_always" => ApproveAlways(ApproveAlways)
            needs Operate of session, approve_always(
                "`admin` and a confirmation where something goes to `userSettings`, or sets the mode \
                 `bypassPermissions`"
            ) replies "ok",
        "reject" => Reject(Reject) needs Decide of session replies "ok",
        "answer" => Answer(AnswerQuestion) needs Decide of session replies "ok",
        "update_queued_input" => UpdateQueuedInput(UpdateQueuedInput) needs Operate of session replies "ok",
        "cancel_queued_input" => CancelQueuedInput(CancelQueuedInput) needs Operate of session replies "ok",
        "move_queued_input" => MoveQueuedInput(MoveQueuedInput) needs Operate of session replies "ok",
        "send_queued_input" => SendQueuedInput(SendQueuedInput) needs Operate of session replies "ok",
        "subscribe" => Subscribe(Subscribe) needs Watch of session replies "subscribed",
        "unsubscribe" => Unsubscribe(Unsubscribe) needs Watch of session replies "ok",
        "get_history" => GetHistory(GetHistory) needs Watch of session replies "history",
        "get_session" => GetSession(GetSession) needs Watch of session replies "session",
        "list_sessions" => ListSessions(ListSessions) needs Watch of lists replies "session_list",
        "list_recent_sessions" => ListRecentSessions(ListRecentSessions) needs Watch of lists replies "recent_sessions",
        "search" => Search(Search) needs Watch of records replies "search_results",
        "set_permission_mode" => SetPermissionMode(SetPermissionMode)
            needs Operate of session, set_mode("`admin` and a confirmation with `bypassPermissions`") replies "ok",
        "set_model" => SetModel(SetModel) needs Operate of session replies "ok",
        "set_budget" => SetBudget(SetBudget) needs Operate of session replies "ok",
        "rename_session" => RenameSession(RenameSession) needs Operate of session replies "ok",
        "archive_session" => ArchiveSession(ArchiveSession) needs Operate of session replies "ok",
        "delete_session" => DeleteSession(DeleteSession) needs Operate of session replies "ok",
        "expire_session" => ExpireSession(ExpireSession) needs Operate of session replies "ok",
        "export_session" => ExportSession(ExportSession) needs Watch of session replies "export",
        "get_context" => GetContext(GetContext) needs Watch of session replies "context",
        "list_mcp_servers" => ListMcpServers(ListMcpServers) needs Watch of session replies "mcp_servers",
        "sign_in_mcp_server" => SignInMcpServer(SignInMcpServer) needs Operate of session replies "mcp_sign_in",
        "finish_mcp_sign_in" => FinishMcpSignIn(FinishMcpSignIn) needs Operate of session replies "ok",
        "sign_out_mcp_server" => SignOutMcpServer(SignOutMcpServer) needs Operate of session replies "ok",
        "list_agents" => ListAgents(ListAgents) needs Watch of bridge replies "agents",
        "list_commands" => ListCommands(ListCommands) needs Watch of session replies "commands",
        "list_models" => ListModels(ListModels) needs Watch of session replies "models",
        "list_directory" => ListDirectory(ListDirectory) needs Operate of folder replies "directory",
        "list_files" => ListFiles(ListFiles) needs Watch of files replies "files",
        "read_file" => ReadFile(ReadFile) needs Watch of files replies "file",
        "get_diff" => GetDiff(GetDiff) needs Watch of files replies "diff",
        "get_git_status" => GetGitStatus(GetGitStatus) needs Watch of files replies "git_status",
        "get_trust" => GetTrust(GetTrust) needs Operate of folder replies "trust",
        "trust_folder" => TrustFolder(TrustFolder) needs Admin of folder replies "ok",
        "distrust_folder" => DistrustFolder(DistrustFolder) needs Admin of folder replies "ok",
        "get_status" => GetStatus(GetStatus) needs Watch of lists replies "bridge_status",
        "get_stderr" => GetStderr(GetStderr) needs Watch of session replies "stderr",
        "get_usage" => GetUsage(GetUsage) needs Watch of records replies "usage",
        "list_devices" => ListDevices(ListDevices) needs Admin of access replies "devices",
        "revoke_device" => RevokeDevice(RevokeDevice) needs Admin of access replies "ok",
        "rename_device" => RenameDevice(RenameDevice) needs Admin of access replies "ok",
        "pair_device" => PairDevice(PairDevice)
            needs Admin of access, pair("always with a confirmation") replies "pairing",
        "subscribe_push" => SubscribePush(SubscribePush) needs Watch of bridge replies "ok",
        "unsubscribe_push" => UnsubscribePush(UnsubscribePush) needs Watch of bridge replies "ok",
        "test_push" => TestPush(TestPush) needs Watch of bridge replies "ok",
        "ping" => Ping(PingMessage) needs Watch of bridge replies "pong",
    }
}

impl<'a> ClientMessage<'a> {
    /// Reads a message as it came from a client. Unknown members are ignored; everything else
    /// must be valid, and the error names what is not.
    pub fn parse(text: &'a str) -> Result<Self, Refusal> {
        let message = Self::parse_open(text).map_err(|error| Refusal::not_json(&error))?;
        refusal::check(&message, text)?;
        Ok(message)
    }

    /// Reads any JSON object. One that is not a message of this family is `Unknown`.
    pub fn parse_open(text: &'a str) -> Result<Self, ParseError> {
        read_object(text)
    }

    /// The name of the record with its members.
    pub(super) fn record(&self) -> Option<&'static str> {
        let Definition::Union(union) = Self::DEFINITION else { return None };
        let variant = union.variants.iter().find(|variant| variant.tag == self.tag())?;
        Some((variant.definition)().name())
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
