use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use crate::message::table::reply;

reply! {
    /// What is in a folder: folders first, by name.
    Directory<'a> {
        essential {
            /// Absolute, with symlinks resolved; empty for the list of roots.
            path: Str<'a>,
            entries: Vec<DirectoryEntry<'a>>,
        }
        "1" {
            /// The folder above, where that may be listed.
            optional parent: Str<'a>,
            /// Whether there were too many to list all.
            optional cut: bool,
        }
    }
}

record! {
    /// Something in a folder.
    DirectoryEntry<'a> {
        essential {
            name: Str<'a>,
            path: Str<'a>,
            kind: EntryKind<'a>,
        }
        "1" {
            /// Whether it is a git repository.
            optional git: bool,
            /// How many sessions the bridge knows there.
            optional sessions: u64,
        }
    }
}

names! {
    /// What something in a folder is.
    EntryKind<'a> {
        "directory" => Directory,
        "file" => File,
        /// A symlink that leads out of the roots, a socket, a device.
        "other" => OtherKind,
    }
}

reply! {
    /// Files of a project, best match first.
    Files<'a> {
        essential {
            /// The project's folder.
            root: Str<'a>,
            files: Vec<FileMatch<'a>>,
        }
        "1" {
            /// Whether there are more.
            always more: bool,
        }
    }
}

record! {
    /// A file that fits.
    FileMatch<'a> {
        essential {
            /// From the project's folder.
            path: Str<'a>,
        }
        "1" {
            /// Which characters of the path matched, from 0.
            optional positions: Vec<u64>,
            /// Whether it is a folder.
            optional directory: bool,
        }
    }
}

reply! {
    /// A file, or some lines of it.
    FileContent<'a> {
        essential {
            /// Absolute, with symlinks resolved.
            path: Str<'a>,
            /// In bytes.
            size: u64,
            encoding: FileEncodingName<'a>,
            content: Str<'a>,
        }
        "1" {
            /// Such as `text/plain` or `image/png`.
            always media_type = "mediaType": Str<'a>,
            /// The number of the first line given, from 1.
            optional line: u64,
            /// How many lines are given.
            optional lines: u64,
            /// Whether something is left out after this.
            always more: bool,
            /// When it was last changed, in milliseconds since 1970.
            optional modified: u64,
        }
    }
}

names! {
    /// How a file's content is given.
    FileEncodingName<'a> {
        "text" => Text,
        "base64" => Base64,
        /// Not at all: it is not text and no image.
        "none" => None,
    }
}
