use aqueduct_wire::json::Str;

use crate::message::table::request;

request! {
    /// List a folder, to choose a project. It must be under one of the bridge's roots.
    ListDirectory<'a> {
        "1" {
            /// The roots if absent.
            optional path: Str<'a>,
            /// Whether to list names that begin with a dot.
            optional hidden: bool,
        }
    }
}

request! {
    /// Find files of a project by parts of their names, best first. What git ignores is left out.
    ListFiles<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The folder, if there is no session yet.
            optional project_path = "projectPath": Str<'a>,
            /// Letters of the path, in order; all files if absent.
            optional query: Str<'a>,
            /// At most this many; 50 if absent.
            optional limit: u64,
        }
    }
}

request! {
    /// Read a file of a project.
    ReadFile<'a> {
        essential {
            /// Absolute, or from the project's folder.
            path: Str<'a>,
        }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The folder, if there is no session.
            optional project_path = "projectPath": Str<'a>,
            /// The first line to give, from 1.
            optional line: u64,
            /// At most this many lines.
            optional limit: u64,
        }
    }
}

request! {
    /// What changed in a project's working tree since the last commit.
    GetDiff<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The folder, if there is no session.
            optional project_path = "projectPath": Str<'a>,
            /// What is staged, instead of all that changed.
            optional staged: bool,
            /// Only this file or folder.
            optional path: Str<'a>,
            /// How many unchanged lines to show around a change; 3 if absent.
            optional context: u64,
        }
    }
}

request! {
    /// The branch of a project, and which files changed.
    GetGitStatus<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The folder, if there is no session.
            optional project_path = "projectPath": Str<'a>,
        }
    }
}
