use aqueduct_wire::json::{Number, Str};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::table::names;

use super::{InputImage, SendInput};
use crate::message::table::request;

request! {
    /// Start a session. `system` with `session_created` is sent to all clients; the agent itself starts with the
    /// first input, or at once where `text` is given.
    Start<'a> {
        essential {
            /// The working directory. It must be under one of the bridge's roots.
            project_path = "projectPath": Str<'a>,
        }
        "1" {
            /// The session's id, a UUID. One that exists is resumed; so a start that is sent again starts nothing twice.
            optional session_id = "sessionId": Str<'a>,
            /// Resume the folder's newest session, if it has one.
            optional continue_newest = "continue": bool,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            /// One of the agents that `hello` lists; the default one if absent.
            optional agent: Str<'a>,
            optional model: Str<'a>,
            optional title: Str<'a>,
            /// What the session may cost before it pauses and asks.
            optional budget_usd = "budgetUsd": Number<'a>,
            /// The first input.
            optional text: Str<'a>,
            /// Images of the first input.
            optional images: Vec<InputImage<'a>>,
            /// Names the first input, as in `input`.
            optional client_message_id = "clientMessageId": Str<'a>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

impl<'a> Start<'a> {
    /// The first input, where one came along.
    pub fn first_input(&self) -> Option<SendInput<'a>> {
        let text = self.text.clone().unwrap_or_default();
        if text.trim().is_empty() && self.images.as_ref().is_none_or(Vec::is_empty) {
            return None;
        }
        let mut input = SendInput::new(text);
        input.images = self.images.clone();
        input.client_message_id = self.client_message_id.clone();
        Some(input)
    }
}

request! {
    /// Resume a session: one that the bridge knows, or one that was started in a terminal. The agent starts
    /// with the next input.
    ResumeSession<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// The session's folder; needed only where two folders have a session of that id.
            optional project_path = "projectPath": Str<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            optional agent: Str<'a>,
            optional model: Str<'a>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

request! {
    /// List the sessions that the bridge holds: those that run, wait or idle.
    ListSessions<'a> {}
}

request! {
    /// List sessions of all times, newest first: the bridge's own, and those that were started in a terminal.
    ListRecentSessions<'a> {
        "1" {
            /// At most this many; 50 if absent.
            optional limit: u64,
            /// How many to pass over.
            optional offset: u64,
            /// Only sessions of this folder.
            optional project_path = "projectPath": Str<'a>,
            /// Only sessions whose title, folder or first prompt has this in it.
            optional query: Str<'a>,
            /// Whether to list archived ones too.
            optional archived: bool,
        }
    }
}

request! {
    /// Stop a session's agent with its whole process group. The session can be resumed.
    StopSession<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

request! {
    /// Stop the running turn. The agent is asked; with `hard` it is ended and resumed.
    Interrupt<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            optional hard: bool,
        }
    }
}

request! {
    /// Change how tool calls that no rule decides are treated.
    SetPermissionMode<'a> {
        essential { mode: PermissionMode<'a> }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

request! {
    /// Change the model.
    SetModel<'a> {
        essential { model: Str<'a> }
        "1" {
            optional session_id = "sessionId": Str<'a>,
        }
    }
}

request! {
    /// Change what a session may cost before it pauses and asks.
    SetBudget<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// For the whole session, in US dollars; no limit if absent or `null`.
            optional budget_usd = "budgetUsd": Number<'a>,
        }
    }
}

request! {
    /// Name a session.
    RenameSession<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// Empty for the title that the bridge makes from the first prompt.
            title: Str<'a>,
        }
    }
}

request! {
    /// Take a session out of the lists, or put it back. Nothing is deleted.
    ArchiveSession<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// `false` puts it back.
            optional archived: bool,
        }
    }
}

request! {
    /// Delete a session from the log for good. It is stopped first. The agent's own transcript stays, and is listed no more.
    DeleteSession<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

request! {
    /// Delete a session that has ended: no agent runs, no input waits, nothing is to be decided, and no client has it open.
    /// Otherwise it stays, and the error is `session_conflict`. Nothing is stopped.
    ExpireSession<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// A session with a newer message stays. In milliseconds since 1970, such as `updatedAt` of the session.
            before: u64,
        }
    }
}

request! {
    /// Give a whole session as a document.
    ExportSession<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            format: ExportFormat<'a>,
        }
    }
}

names! {
    /// What a session is exported as.
    ExportFormat<'a> {
        "markdown" => Markdown,
        /// One page that needs nothing else.
        "html" => Html,
        /// The stored messages, one a line.
        "jsonl" => Jsonl,
    }
}

request! {
    /// List the agents that a session can be started with.
    ListAgents<'a> {}
}

request! {
    /// List slash commands, for completion.
    ListCommands<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The folder, if there is no session yet.
            optional project_path = "projectPath": Str<'a>,
        }
    }
}

request! {
    /// List the models that a session can use.
    ListModels<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The agent, if there is no session yet.
            optional agent: Str<'a>,
        }
    }
}
