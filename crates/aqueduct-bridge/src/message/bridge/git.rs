use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use crate::message::table::reply;

reply! {
    /// What changed in a working tree. Nothing was written to find out, not even git's index.
    Diff<'a> {
        essential {
            /// The working tree.
            root: Str<'a>,
            files: Vec<DiffFile<'a>>,
        }
        "1" {
            always staged: bool,
            optional branch: Str<'a>,
            /// Whether there was too much to show all.
            always cut: bool,
        }
    }
}

record! {
    /// A file that changed.
    DiffFile<'a> {
        essential {
            /// From the working tree's folder.
            path: Str<'a>,
            change: FileChangeKind<'a>,
            hunks: Vec<DiffHunk<'a>>,
        }
        "1" {
            /// What it was called before.
            optional old_path = "oldPath": Str<'a>,
            always added: u64,
            always removed: u64,
            optional binary: bool,
            /// Whether there was too much to show all.
            optional cut: bool,
        }
    }
}

names! {
    /// In which way a file changed.
    FileChangeKind<'a> {
        "added" => Added,
        "modified" => Modified,
        "deleted" => Deleted,
        "renamed" => Renamed,
        "copied" => Copied,
        /// A file became a link, or the other way round.
        "type_changed" => TypeChanged,
        /// Git does not know it yet.
        "untracked" => Untracked,
        /// A merge could not be made.
        "conflicted" => Conflicted,
    }
}

record! {
    /// A run of changed lines.
    DiffHunk<'a> {
        essential {
            old_start = "oldStart": u64,
            old_lines = "oldLines": u64,
            new_start = "newStart": u64,
            new_lines = "newLines": u64,
            /// Each begins with a space, `-`, `+`, or `\` for a note.
            lines: Vec<Str<'a>>,
        }
        "1" {
            /// The function or section that it is in.
            optional heading: Str<'a>,
        }
    }
}

reply! {
    /// The branch of a project, and which files changed.
    GitState<'a> {
        essential {
            /// The working tree.
            root: Str<'a>,
            changes: Vec<GitChange<'a>>,
        }
        "1" {
            /// Absent where no branch is checked out.
            optional branch: Str<'a>,
            /// The commit that is checked out; absent before the first.
            optional commit: Str<'a>,
            optional upstream: Str<'a>,
            /// Commits that the upstream does not have.
            optional ahead: u64,
            /// Commits that only the upstream has.
            optional behind: u64,
            /// Whether there were too many changes to list all.
            optional cut: bool,
        }
    }
}

record! {
    /// A file that changed.
    GitChange<'a> {
        essential {
            /// From the working tree's folder.
            path: Str<'a>,
        }
        "1" {
            optional staged: FileChangeKind<'a>,
            optional unstaged: FileChangeKind<'a>,
            /// What it was called before.
            optional old_path = "oldPath": Str<'a>,
        }
    }
}
