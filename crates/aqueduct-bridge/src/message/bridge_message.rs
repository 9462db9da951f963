use aqueduct_wire::json::{Json, Leftover, ParseError, Str, Walk};

use super::Delivery;
use super::bridge::*;
use super::family::{bridge_messages, read_object};

/// The members of a message that the log stores.
pub(crate) trait StoredRecord<'a>: Json<'a> {
    /// The kind of the message.
    const KIND: StoredKind;
}

bridge_messages! {
    /// Messages from the bridge to a client.
    BridgeMessage<'a> {
        "hello" => Hello(Hello) reply,
        "ok" => Ok(Done) reply,
        "error" => Error(ErrorReply) reply,
        "pong" => Pong(PongMessage) reply,
        "system" => System(SystemNote) stored,
        "user_input" => UserInput(UserInput) stored searchable,
        "assistant" => Assistant(Assistant) stored searchable,
        "tool_result" => ToolResult(ToolOutput) stored searchable,
        "result" => Result(TurnResult) stored searchable,
        "permission_request" => PermissionRequest(PermissionRequest) stored searchable,
        "permission_resolved" => PermissionResolved(PermissionResolved) stored,
        "agent_event" => AgentEvent(AgentEvent) stored,
        "status" => Status(StatusChange) live,
        "stream_delta" => StreamDelta(TextGrowth) live,
        "thinking_delta" => ThinkingDelta(ThinkingGrowth) live,
        "tool_input_delta" => ToolInputDelta(ToolInputGrowth) live,
        "partial" => Partial(PartialAnswer) live,
        "queue" => Queue(Queue) live,
        "retry" => Retry(Retry) live,
        "budget" => Budget(Budget) live,
        "agent_progress" => AgentProgress(AgentProgress) live,
        "session_update" => SessionUpdate(SessionUpdate) notice,
        "session_deleted" => SessionDeleted(SessionDeleted) notice,
        "rate_limit" => RateLimit(RateLimitChange) notice,
        "input_ack" => InputAck(InputAck) reply,
        "input_rejected" => InputRejected(InputRejected) reply,
        "session" => Session(SessionReply) reply,
        "subscribed" => Subscribed(Subscribed) reply,
        "history_delta" => HistoryDelta(HistoryDelta) reply,
        "history" => History(HistoryPage) reply,
        "session_list" => SessionList(SessionList) reply,
        "recent_sessions" => RecentSessions(RecentSessions) reply,
        "search_results" => SearchResults(SearchResults) reply,
        "export" => Export(ExportedSession) reply,
        "context" => Context(ContextReport) reply,
        "mcp_servers" => McpServers(McpServers) reply,
        "mcp_sign_in" => McpSignIn(McpSignIn) reply,
        "agents" => Agents(Agents) reply,
        "commands" => Commands(Commands) reply,
        "models" => Models(Models) reply,
        "directory" => Directory(Directory) reply,
        "files" => Files(Files) reply,
        "file" => File(FileContent) reply,
        "diff" => Diff(Diff) reply,
        "git_status" => GitStatus(GitState) reply,
        "trust" => Trust(TrustReport) reply,
        "bridge_status" => BridgeStatus(BridgeStatus) reply,
        "stderr" => Stderr(AgentStderr) reply,
        "usage" => Usage(UsageSummary) reply,
        "devices" => Devices(Devices) reply,
        "pairing" => Pairing(Pairing) reply,
    }
}

impl<'a> BridgeMessage<'a> {
    /// Reads any JSON object. One that is not a message of this family is `Unknown`.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        read_object(text)
    }

    /// The message as JSON text, in one line.
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
