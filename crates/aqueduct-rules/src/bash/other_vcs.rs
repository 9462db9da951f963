//! Version control besides git. Their repositories name programs in their configuration as well.

/// Programs with the beginnings of options that name settings, programs or another repository.
const PROGRAMS: [(&str, &[&str]); 6] = [
    (
        "hg",
        &[
            "--conf",
            "--cw",
            "--rep",
            "-R",
            "--debugger",
            "--prof",
            "--tool",
            "-t",
            "--ssh",
            "-e",
            "--remotecmd",
        ],
    ),
    ("jj", &["--config", "-R", "--repository", "--tool"]),
    ("svn", &["--diff-cmd", "--diff3-cmd", "--editor-cmd", "--config-dir", "--config-option"]),
    ("bzr", &["-O", "-d", "--directory", "--using", "--diff-options"]),
    ("brz", &["-O", "-d", "--directory", "--using", "--diff-options"]),
    ("fossil", &["--chdir", "-R", "--repository", "--command", "--comfmtflags"]),
];

/// Commands of theirs that run programs or serve the repository.
const RUNS: &str =
    "extdiff serve debugshell bisect exec diffedit difftool sync util all server ui gdiff shell histedit";

/// Whether a program is one of them.
pub(super) fn is_one(program: &str) -> bool {
    PROGRAMS.iter().any(|(name, _)| *name == program)
}

/// Why a prefix or wildcard rule does not cover a command of these words, if it doesn't.
pub(super) fn exceeds(program: &str, values: &[&str]) -> Option<&'static str> {
    let (_, options) = PROGRAMS.iter().find(|(name, _)| *name == program)?;
    let names = |value: &&str| options.iter().any(|option| value.starts_with(option));
    let runs = values.iter().any(|value| RUNS.split(' ').any(|command| command == *value));
    (runs || values.iter().any(names)).then_some("it is given other settings, programs or repositories")
}
