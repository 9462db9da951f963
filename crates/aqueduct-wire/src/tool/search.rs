use crate::json::{Number, Str};
use crate::table::{names, record};

record! {
    /// Finds files by their path.
    GlobInput<'a> {
        essential { pattern: Str<'a> }
        "2.1.37" {
            /// The directory to look in; the working directory where there is none.
            optional path: Str<'a>,
        }
    }
}

record! {
    /// The files that were found.
    GlobResult<'a> {
        essential { filenames: Vec<Str<'a>> }
        "2.1.37" {
            always duration_ms = "durationMs": Number<'a>,
            always num_files = "numFiles": Number<'a>,
            /// There are more.
            always truncated: bool,
        }
        "2.1.325" {
            optional total_matches = "totalMatches": Number<'a>,
            optional count_is_complete = "countIsComplete": bool,
            optional timed_out = "timedOut": bool,
        }
    }
}

record! {
    /// Finds lines in files by a regular expression.
    GrepInput<'a> {
        essential { pattern: Str<'a> }
        "2.1.37" {
            optional path: Str<'a>,
            /// Only files whose path matches.
            optional glob: Str<'a>,
            optional output_mode: GrepMode<'a>,
            /// Lines of context after each match.
            optional after = "-A": Number<'a>,
            /// Lines of context before each match.
            optional before = "-B": Number<'a>,
            /// Lines of context on both sides.
            optional around = "-C": Number<'a>,
            /// The same as `-C`.
            optional context: Number<'a>,
            optional line_numbers = "-n": bool,
            optional ignore_case = "-i": bool,
            /// Only files of a language, such as `rust`.
            optional kind = "type": Str<'a>,
            /// How many lines or files at most.
            optional head_limit: Number<'a>,
            /// How many lines or files to pass over first.
            optional offset: Number<'a>,
            /// A match may go over several lines.
            optional multiline: bool,
        }
        "2.1.325" {
            /// Only the part that matches.
            optional only_matching = "-o": bool,
        }
    }
}

names! {
    /// What a search gives back.
    GrepMode<'a> {
        "content" => Content,
        "files_with_matches" => FilesWithMatches,
        "count" => Count,
    }
}

record! {
    /// What was found.
    GrepResult<'a> {
        "2.1.37" {
            optional mode: GrepMode<'a>,
            /// 0 where lines were asked for.
            always num_files = "numFiles": Number<'a>,
            always filenames: Vec<Str<'a>>,
            /// The lines, or the counts.
            optional content: Str<'a>,
            optional num_lines = "numLines": Number<'a>,
            optional num_matches = "numMatches": Number<'a>,
        }
        "2.1.74" {
            /// The limit that cut the answer off.
            optional applied_limit = "appliedLimit": Number<'a>,
            optional applied_offset = "appliedOffset": Number<'a>,
        }
        "2.1.325" {
            optional total_files = "totalFiles": Number<'a>,
            optional total_lines = "totalLines": Number<'a>,
            optional timed_out = "timedOut": bool,
        }
    }
}
