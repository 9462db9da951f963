use crate::json::Str;
use crate::table::record;

/// A line that hangs in the chain of a conversation: what all of these lines have in common.
///
/// A text is `None` where the line does not have it.
pub trait Chained {
    /// The line's id, which is the frame's too.
    fn uuid(&self) -> Option<&str>;
    /// The line that this one follows.
    fn parent_uuid(&self) -> Option<&str>;
    /// The line that this one follows for those who look behind a compaction.
    fn logical_parent_uuid(&self) -> Option<&str>;
    /// Whether the line is a subagent's.
    fn is_sidechain(&self) -> bool;
    /// Whether it is not the user's words, but for the model.
    fn is_meta(&self) -> bool;
    /// When it was written.
    fn timestamp(&self) -> Option<&str>;
    /// The session.
    fn session_id(&self) -> Option<&str>;
    /// The working directory.
    fn cwd(&self) -> Option<&str>;
    /// The branch that was checked out; `HEAD` where there was none.
    fn git_branch(&self) -> Option<&str>;
    /// The version of the protocol, which for the reference is its own.
    fn version(&self) -> Option<&str>;
    /// How the program was started.
    fn entrypoint(&self) -> Option<&str>;
    /// The subagent.
    fn agent_id(&self) -> Option<&str>;
    /// The team of agents whose line it is: not part of the main conversation.
    fn team_name(&self) -> Option<&str>;
    /// The program that wrote it, where that is one of ours.
    fn program(&self) -> Option<&str>;
}

/// Makes a record of a line that hangs in the chain: its own members, and those that all such lines have.
macro_rules! chained {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $(essential { $($essential:tt)* })?
            $( $since:literal { $($row:tt)* } )*
        }
    ) => {
        $crate::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                $(essential { $($essential)* })?
                "2.1.37" {
                    /// The line that this one follows; `null` for the first, and at a compaction.
                    nullable parent_uuid = "parentUuid": $crate::json::Str<$a>,
                    /// At a compaction, the line that was the last one before it.
                    optional logical_parent_uuid = "logicalParentUuid": $crate::json::Str<$a>,
                    /// A subagent's line.
                    always is_sidechain = "isSidechain": bool,
                    /// Not the user's words, but for the model.
                    optional is_meta = "isMeta": bool,
                }
                $( $since { $($row)* } )*
                "2.1.37" {
                    /// The line's id, which is the frame's too.
                    always uuid: $crate::json::Str<$a>,
                    always timestamp: $crate::json::Str<$a>,
                    /// The subagent of the message.
                    optional agent_id = "agentId": $crate::json::Str<$a>,
                    /// The team of agents whose line it is.
                    optional team_name = "teamName": $crate::json::Str<$a>,
                    optional agent_name = "agentName": $crate::json::Str<$a>,
                    /// `external`.
                    always user_type = "userType": $crate::json::Str<$a>,
                }
                "2.1.325" {
                    /// How the program was started, such as `cli` or `sdk-py`.
                    always entrypoint: $crate::json::Str<$a>,
                    optional session_kind = "sessionKind": $crate::json::Str<$a>,
                    /// In a copy of a conversation: what this line was.
                    optional forked_from = "forkedFrom": Box<$crate::transcript::ForkedFrom<$a>>,
                    /// Written by `aqueduct-agent`: its name and version. Other programs pass over it.
                    optional program = "aqueductProgram": $crate::json::Str<$a>,
                }
                "2.1.37" {
                    always cwd: $crate::json::Str<$a>,
                    always session_id = "sessionId": $crate::json::Str<$a>,
                    /// The version of the protocol, which for the reference is its own.
                    always version: $crate::json::Str<$a>,
                    /// `HEAD` where no branch is checked out.
                    always git_branch = "gitBranch": $crate::json::Str<$a>,
                    /// A name for the conversation's files, in words.
                    optional slug: $crate::json::Str<$a>,
                }
            }
        }

        impl $crate::transcript::Chained for $name<'_> {
            $crate::transcript::chained::texts! {
                uuid, parent_uuid, logical_parent_uuid, timestamp, session_id, cwd, git_branch, version,
                entrypoint, agent_id, team_name, program
            }

            fn is_sidechain(&self) -> bool {
                self.is_sidechain == Some(true)
            }

            fn is_meta(&self) -> bool {
                self.is_meta == Some(true)
            }
        }
    };
}

/// The accessors of texts.
macro_rules! texts {
    ($($name:ident),*) => {$(
        fn $name(&self) -> Option<&str> {
            self.$name.as_deref()
        }
    )*};
}

pub(crate) use {chained, texts};

chained! {
    /// Any line that hangs in the chain, as far as that goes: the way to look at kinds that are not known.
    Link<'a> {}
}

record! {
    /// What a line of a copied conversation was.
    ForkedFrom<'a> {
        essential {
            /// The conversation that was copied.
            session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            /// The line's id there.
            always message_uuid = "messageUuid": Str<'a>,
        }
    }
}
