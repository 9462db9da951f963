use aqueduct_wire::json::{Fault, IntoOwned, Json, Raw, Reader, Str};
use aqueduct_wire::table::{Shape, record};

use super::{PermissionRequest, QueuedInput, SessionInfo};
use crate::message::BridgeMessage;
use crate::message::client::ExportFormat;
use crate::message::table::reply;

reply! {
    /// Stored messages, oldest first.
    HistoryPage<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            messages: Vec<StoredMessage<'a>>,
        }
        "1" {
            /// The number of the first message here; absent where there is none.
            optional from_seq = "fromSeq": u64,
            /// The number of the last message here.
            optional to_seq = "toSeq": u64,
            /// Whether there are more in the direction that was asked for.
            always more: bool,
            /// The newest number of the session's sequence.
            always last_seq = "lastSeq": u64,
        }
    }
}

reply! {
    /// This client watches the session from here on. What it missed follows as `history_delta`, and what grows as `partial`.
    Subscribed<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            snapshot: SessionSnapshot<'a>,
        }
    }
}

reply! {
    /// The current state of one session.
    SessionReply<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            snapshot: SessionSnapshot<'a>,
        }
    }
}

record! {
    /// The current state of a session.
    SessionSnapshot<'a> {
        essential {
            session: SessionInfo<'a>,
            /// The newest number of the session's sequence. After `subscribed` the `history_delta`s lead up to it.
            last_seq = "lastSeq": u64,
            /// All that is to be decided, oldest first.
            pending: Vec<PermissionRequest<'a>>,
            /// All inputs that wait, in order.
            queue: Vec<QueuedInput<'a>>,
        }
    }
}

reply! {
    /// Stored messages that a subscriber missed, oldest first: after `subscribe`, and after it was too slow.
    HistoryDelta<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            messages: Vec<StoredMessage<'a>>,
            from_seq = "fromSeq": u64,
            to_seq = "toSeq": u64,
        }
        "1" {
            /// Whether further `history_delta`s follow.
            always more: bool,
            /// Whether older messages were left out because of `limit`: `get_history` gives them.
            optional cut: bool,
        }
    }
}

reply! {
    /// Where the words were found, best first.
    SearchResults<'a> {
        essential {
            query: Str<'a>,
            hits: Vec<SearchHit<'a>>,
        }
        "1" {
            always more: bool,
        }
    }
}

record! {
    /// A place where the words were found.
    SearchHit<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The text around, with the words between U+E000 and U+E001.
            excerpt: Str<'a>,
        }
        "1" {
            /// The message; absent where the session is only in a transcript.
            optional seq: u64,
            optional time: u64,
            /// The kind of the message, such as `assistant`.
            optional kind: Str<'a>,
            optional title: Str<'a>,
            optional project_path = "projectPath": Str<'a>,
        }
    }
}

reply! {
    /// A session as a document.
    ExportedSession<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            format: ExportFormat<'a>,
            /// A name for the file.
            name: Str<'a>,
            content: Str<'a>,
        }
    }
}

/// A message as it was stored, spliced in without being read. [`BridgeMessage::parse`] types it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage<'a>(pub Raw<'a>);

impl<'a> Json<'a> for StoredMessage<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        match reader.peek() {
            Some(b'{') => Raw::read(reader).map(StoredMessage),
            _ => reader.skip().map_err(Fault::from).and(Err(Fault::Misfit("an object"))),
        }
    }

    fn write(&self, out: &mut String) {
        self.0.write(out);
    }

    fn shape() -> Shape {
        Shape::Defined(BridgeMessage::DEFINITION)
    }
}

impl IntoOwned for StoredMessage<'_> {
    type Owned = StoredMessage<'static>;

    fn into_owned(self) -> StoredMessage<'static> {
        StoredMessage(self.0.into_owned())
    }
}

impl<'a> From<Raw<'a>> for StoredMessage<'a> {
    fn from(message: Raw<'a>) -> Self {
        StoredMessage(message)
    }
}
