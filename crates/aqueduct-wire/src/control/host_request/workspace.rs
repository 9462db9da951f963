use crate::json::{Number, Str};
use crate::table::{names, record};

record! {
    /// Bring files back to where they were at a message.
    RewindFilesRequest<'a> {
        essential { user_message_id: Str<'a> }
        "2.1.37" {
            /// Only return what would change.
            optional dry_run: bool,
        }
    }
}

record! {
    /// Read a file where the agent runs.
    ReadFileRequest<'a> {
        essential { path: Str<'a> }
        "2.1.325" {
            optional max_bytes: Number<'a>,
            optional encoding: FileEncoding<'a>,
        }
    }
}

names! {
    /// How a file's bytes are written in JSON.
    FileEncoding<'a> {
        "utf-8" => Utf8,
        "base64" => Base64,
    }
}

record! {
    /// Files whose names match what the user has typed.
    FileSuggestionsRequest<'a> {
        essential { query: Str<'a> }
    }
}

record! {
    /// Count a file as read, so that it may be edited.
    SeedReadStateRequest<'a> {
        essential { path: Str<'a> }
        "2.1.325" {
            always mtime: Number<'a>,
        }
    }
}

record! {
    /// Make a directory a working directory.
    RegisterRepoRootRequest<'a> {
        essential { directory: Str<'a> }
        "2.1.325" {
            optional reload_claude_md: bool,
            optional reload_plugins: bool,
            optional reload_skills: bool,
        }
    }
}

record! {
    /// Work in another directory.
    SetCwdRequest<'a> {
        essential { path: Str<'a> }
        "2.1.325" {
            optional trust_accepted: bool,
            optional trusted_directory: Str<'a>,
        }
    }
}
