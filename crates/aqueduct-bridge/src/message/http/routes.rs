use super::{Method, Route, RouteAccess, RouteAction};
use crate::message::{Scope, WEBSOCKET_PATH};

/// What all routes of the API begin with.
pub const PREFIX: &str = "/api/v1";

/// Makes the table of routes, in groups. A route for a message has the message's scope; every other row has to name its access, or it
/// does not compile.
macro_rules! routes {
    ($( $tag:literal $about:literal {
        $( $method:ident $path:literal $action:ident $(($message:literal))? $(needs $access:ident)? : $summary:literal, )*
    } )*) => {
        /// The groups of routes, and what each is about.
        pub const TAGS: &[(&str, &str)] = &[$(($tag, $about)),*];

        /// Every route of the API.
        pub const ROUTES: &[Route] = &[$($(
            Route {
                method: Method::$method,
                path: $path,
                action: RouteAction::$action $(($message))?,
                own_access: routes!(@access ($($message)?) ($($access)?)),
                tag: $tag,
                summary: $summary,
            },
        )*)*];
    };
    (@access ($message:literal) ()) => { None };
    (@access () (Public)) => { Some(RouteAccess::Public) };
    (@access () ($scope:ident)) => { Some(RouteAccess::Scope(Scope::$scope)) };
}

/// The paths besides [`PREFIX`] that are not files of the web UI, and who may use them. The files are public.
pub const PLACES: &[(&str, RouteAccess)] = &[
    (WEBSOCKET_PATH, RouteAccess::Scope(Scope::Watch)),
    ("/metrics", RouteAccess::Scope(Scope::Watch)),
    ("/healthz", RouteAccess::Public),
    ("/readyz", RouteAccess::Public),
];

routes! {
    "bridge" "This bridge: what it can do, its agents, commands and models, and what was used" {
        Get "/hello" Hello needs Watch: "What this bridge is and what it can do",
        Get "/openapi.json" OpenApi needs Public: "This API as an OpenAPI document",
        Get "/events" Events needs Watch: "Receive the events of all sessions",
        Get "/agents" Message("list_agents"): "Agents that a session can be started with",
        Get "/commands" Message("list_commands"): "Slash commands",
        Get "/models" Message("list_models"): "Models",
        Get "/status" Message("get_status"): "State of the bridge",
        Get "/usage" Message("get_usage"): "What was used",
        Get "/ping" Message("ping"): "Check the connection",
    }
    "access" "Credentials: pairing, signing in, tickets, and the devices that have access" {
        Post "/pair" Pair needs Public: "Pair a device with a pairing code",
        Post "/auth/challenge" Challenge needs Public: "Request a challenge to sign",
        Post "/auth/token" AccessToken needs Public: "Sign in with a signed challenge",
        Post "/tickets" Ticket needs Watch: "Request a ticket for an image or a document",
        Get "/devices" Message("list_devices"): "List the devices that have access",
        Delete "/devices/{deviceId}" Message("revoke_device"): "Revoke a device",
        Put "/devices/{deviceId}/name" Message("rename_device"): "Name a device",
        Post "/pairings" Message("pair_device"): "Make a link that pairs a device",
    }
    "sessions" "Sessions: start, find, change and delete them, and receive their events" {
        Get "/sessions" Message("list_sessions"): "List the sessions that the bridge holds",
        Post "/sessions" Message("start"): "Start a session",
        Get "/sessions/recent" Message("list_recent_sessions"): "List sessions of all times",
        Get "/sessions/{sessionId}" Message("get_session"): "Get the state of a session",
        Delete "/sessions/{sessionId}" Message("delete_session"): "Delete a session",
        Post "/sessions/{sessionId}/expire" Message("expire_session"): "Delete a session if it has ended",
        Post "/sessions/{sessionId}/resume" Message("resume_session"): "Resume or adopt a session",
        Post "/sessions/{sessionId}/stop" Message("stop_session"): "Stop a session's agent",
        Post "/sessions/{sessionId}/interrupt" Message("interrupt"): "Stop the running turn",
        Put "/sessions/{sessionId}/title" Message("rename_session"): "Name a session",
        Put "/sessions/{sessionId}/archived" Message("archive_session"): "Archive a session, or put it back",
        Put "/sessions/{sessionId}/model" Message("set_model"): "Change the model",
        Put "/sessions/{sessionId}/permission-mode" Message("set_permission_mode"): "Change the permission mode",
        Put "/sessions/{sessionId}/budget" Message("set_budget"): "Change the budget",
        Get "/sessions/{sessionId}/mcp" Message("list_mcp_servers"): "List the MCP servers of a session",
        Post "/sessions/{sessionId}/mcp/{server}/sign-in" Message("sign_in_mcp_server"): "Begin to sign in to an MCP server",
        Post "/sessions/{sessionId}/mcp/{server}/callback" Message("finish_mcp_sign_in"): "End a sign-in to an MCP server",
        Delete "/sessions/{sessionId}/mcp/{server}/sign-in" Message("sign_out_mcp_server"): "Sign out of an MCP server",
        Get "/sessions/{sessionId}/events" SessionEvents needs Watch: "Receive the events of a session",
    }
    "inputs" "Inputs to the agent, and the queue of those that wait" {
        Post "/sessions/{sessionId}/inputs" Message("input"): "Send an input to the agent",
        Put "/sessions/{sessionId}/queue/{inputId}" Message("update_queued_input"): "Change a queued input",
        Delete "/sessions/{sessionId}/queue/{inputId}" Message("cancel_queued_input"): "Cancel a queued input",
        Put "/sessions/{sessionId}/queue/{inputId}/position" Message("move_queued_input"): "Move a queued input",
        Post "/sessions/{sessionId}/queue/{inputId}/send" Message("send_queued_input"): "Send a queued input now",
    }
    "decisions" "Decisions that sessions wait for: permissions and questions" {
        Post "/sessions/{sessionId}/permissions/{id}/approve" Message("approve"): "Allow once",
        Post "/sessions/{sessionId}/permissions/{id}/approve-always" Message("approve_always"): "Always allow",
        Post "/sessions/{sessionId}/permissions/{id}/reject" Message("reject"): "Deny",
        Post "/sessions/{sessionId}/questions/{toolUseId}/answer" Message("answer"): "Answer a question",
    }
    "history" "What happened in sessions: stored messages, images, documents, search" {
        Get "/sessions/{sessionId}/messages" Message("get_history"): "Stored messages",
        Get "/sessions/{sessionId}/messages/{seq}/images/{index}" Image needs Watch: "An image of a message",
        Get "/sessions/{sessionId}/export/{format}" Document needs Watch: "A session as a document",
        Get "/sessions/{sessionId}/stderr" Message("get_stderr"): "What the agent wrote to its stderr",
        Get "/sessions/{sessionId}/context" Message("get_context"): "What fills the context",
        Get "/search" Message("search"): "Search the text of all sessions",
    }
    "workspace" "Files and changes of projects, and whether a folder is trusted" {
        Get "/directories" Message("list_directory"): "What is in a folder",
        Get "/files" Message("list_files"): "Find files of a project",
        Get "/file" Message("read_file"): "Read a file of a project",
        Get "/diff" Message("get_diff"): "What changed in a project",
        Get "/git" Message("get_git_status"): "Branch and changed files of a project",
        Get "/trust" Message("get_trust"): "What a folder provides, and whether the user trusts it",
        Put "/trust" Message("trust_folder"): "Trust what a folder provides",
        Delete "/trust" Message("distrust_folder"): "Stop trusting what a folder provides",
    }
    "notifications" "Notifications of this device by Web Push" {
        Post "/push" Message("subscribe_push"): "Notify this device",
        Delete "/push" Message("unsubscribe_push"): "Notify this device no more",
        Post "/push/test" Message("test_push"): "Send a notification now",
    }
}
