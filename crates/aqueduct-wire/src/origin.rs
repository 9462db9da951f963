//! The source of a user message.

use crate::json::{Number, Str};
use crate::table::{names, record, union};

union! {
    /// Where a user message comes from. What a host sends on its message is repeated on the turn's `result`.
    Origin<'a> by "kind" {
        /// A person at a keyboard.
        "human" => Human(PlainOrigin<'a>) since "2.1.325",
        "channel" => Channel(ChannelOrigin<'a>) since "2.1.325",
        "peer" => Peer(Box<PeerOrigin<'a>>) since "2.1.325",
        "task-notification" => TaskNotification(TaskNotificationOrigin<'a>) since "2.1.325",
        "coordinator" => Coordinator(PlainOrigin<'a>) since "2.1.325",
        "unclassified" => Unclassified(PlainOrigin<'a>) since "2.1.325",
        "observer" => Observer(ObserverOrigin<'a>) since "2.1.325",
        /// The agent continues by itself.
        "auto-continuation" => AutoContinuation(PlainOrigin<'a>) since "2.1.325",
        "observer-activity" => ObserverActivity(PlainOrigin<'a>) since "2.1.325",
    }
}

record! {
    /// An origin of which only the kind is known.
    PlainOrigin<'a> {}
}

record! {
    /// A message that an MCP server delivered.
    ChannelOrigin<'a> {
        essential { server: Str<'a> }
    }
}

record! {
    /// A message of another agent.
    PeerOrigin<'a> {
        essential { from: Str<'a> }
        "2.1.325" {
            optional from_mode = "fromMode": PeerMode<'a>,
            optional name: Str<'a>,
            optional from_session = "fromSession": Str<'a>,
            optional sender_task_id = "senderTaskId": Str<'a>,
            /// The message without what was put around it.
            optional body: Str<'a>,
            optional verified_peer_pid = "verifiedPeerPid": Number<'a>,
        }
    }
}

names! {
    /// Whether the sending agent asks for permission itself.
    PeerMode<'a> {
        "bypass" => Bypass,
        "prompting" => Prompting,
    }
}

record! {
    /// A background task ended, or something that was scheduled is due.
    TaskNotificationOrigin<'a> {
        "2.1.325" {
            optional subkind: NotificationSubkind<'a>,
            optional fire_reason = "fireReason": Str<'a>,
            optional run_id = "runId": Str<'a>,
            /// Such as `session-task`.
            optional producer: Str<'a>,
        }
    }
}

names! {
    /// What sent a notification, if it was not a task of the session.
    NotificationSubkind<'a> {
        "scheduled-trigger" => ScheduledTrigger,
        "peer-send-message" => PeerSendMessage,
        "projects-relay" => ProjectsRelay,
        "session-inbox" => SessionInbox,
    }
}

record! {
    /// A message of an agent that watches this one.
    ObserverOrigin<'a> {
        essential { from: Str<'a> }
        "2.1.325" {
            always sender_task_id = "senderTaskId": Str<'a>,
        }
    }
}
