/// One call of a tool, and the command that finds the same.
pub(super) struct Case {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) tool: &'static str,
    /// The tool's input, as JSON.
    pub(super) input: &'static str,
    pub(super) peer: &'static str,
    pub(super) words: &'static [&'static str],
    /// After how many lines the peer's output is closed, as `head` does.
    pub(super) head: Option<usize>,
    /// How many times as long as the peer the tool may take.
    pub(super) target: Option<f64>,
}

impl Case {
    /// The peer's command, as people write it.
    pub(super) fn shown_peer(&self) -> String {
        let head = self.head.map(|lines| format!(" \\| head -{lines}")).unwrap_or_default();
        let name = if self.peer == FD { "fd" } else { self.peer };
        format!("{name} {}{head}", self.words.join(" "))
    }
}

const RG: &str = "rg";
/// Debian's name for it.
const FD: &str = "fdfind";

/// The rows of the table. The tools look at hidden files too, Grep respects ignore files, and Glob does not.
pub(super) const CASES: &[Case] = &[
    Case {
        id: "grep_rare",
        name: "Grep: lines, 10 matches",
        tool: "Grep",
        input: r#"{"pattern":"rare_needle","output_mode":"content"}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-n", "rare_needle"],
        head: None,
        target: Some(1.2),
    },
    Case {
        id: "grep_none",
        name: "Grep: lines, no match, without case",
        tool: "Grep",
        input: r#"{"pattern":"no_such_word","output_mode":"content","-i":true}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-n", "-i", "no_such_word"],
        head: None,
        target: Some(1.2),
    },
    Case {
        id: "grep_files",
        name: "Grep: files, nearly all match",
        tool: "Grep",
        input: r#"{"pattern":"session"}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-l", "session"],
        head: None,
        target: Some(1.2),
    },
    Case {
        id: "grep_count",
        name: "Grep: counts, nearly all match",
        tool: "Grep",
        input: r#"{"pattern":"session","output_mode":"count"}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-c", "session"],
        head: None,
        target: Some(1.2),
    },
    Case {
        id: "grep_limit",
        name: "Grep: lines, the first 100 of very many",
        tool: "Grep",
        input: r#"{"pattern":"session","output_mode":"content","head_limit":100}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-n", "session"],
        head: Some(100),
        target: Some(1.2),
    },
    Case {
        id: "grep_folder",
        name: "Grep: lines, in a folder of 100 files",
        tool: "Grep",
        input: r#"{"pattern":"no_such_word","output_mode":"content","path":"area03/part007"}"#,
        peer: RG,
        words: &["--hidden", "-g!.git", "-n", "no_such_word", "area03/part007"],
        head: None,
        target: Some(1.2),
    },
    Case {
        id: "glob_some",
        name: "Glob: `**/*.rs`, a quarter matches",
        tool: "Glob",
        input: r#"{"pattern":"**/*.rs"}"#,
        peer: FD,
        words: &["-HI", "-E.git", "-g", "*.rs"],
        head: None,
        target: Some(1.5),
    },
    Case {
        id: "glob_all",
        name: "Glob: `**/*`, all match",
        tool: "Glob",
        input: r#"{"pattern":"**/*"}"#,
        peer: FD,
        words: &["-HI", "-E.git", "-tf", "."],
        head: None,
        target: Some(1.5),
    },
];
