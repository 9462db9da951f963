//! Variables set in front of a command.

use crate::shell::Assignment;

/// Variables that change how output looks or which target is built, and never what is run. A command with
/// one of these in front of it is matched without it.
const HARMLESS: [&str; 33] = [
    "ANTHROPIC_API_KEY",
    "BLOCKSIZE",
    "BLOCK_SIZE",
    "CGO_ENABLED",
    "CHARSET",
    "CI",
    "CLICOLOR",
    "COLORTERM",
    "COLUMNS",
    "FORCE_COLOR",
    "GCC_COLORS",
    "GIT_TERMINAL_PROMPT",
    "GO111MODULE",
    "GOARCH",
    "GOEXPERIMENT",
    "GOOS",
    "GREP_COLOR",
    "GREP_COLORS",
    "LANGUAGE",
    "LC_TIME",
    "LINES",
    "LSCOLORS",
    "LS_COLORS",
    "NODE_ENV",
    "NO_COLOR",
    "PYTEST_DEBUG",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "TIME_STYLE",
    "TZ",
];

/// Variables that are harmless as long as they name a locale or a terminal.
const NAMING: [&str; 4] = ["LANG", "LC_ALL", "LC_CTYPE", "TERM"];

/// Beginnings and parts of names that programs take as orders: where to find code, what to run, how to
/// split words.
const LOADED: [&str; 48] = [
    "PATH", "LD_", "DYLD_", "GIT_", "BASH", "ENV", "IFS", "HOME", "SHELL", "PAGER", "EDITOR", "VISUAL",
    "OPT", "FLAGS", "PROXY", "NODE", "PYTHON", "PERL", "RUBY", "JAVA", "JDK", "PS4", "PROMPT", "TMP",
    "CONFIG", "COMMAND", "LESS", "SSH", "EXEC", "RC", "PRELOAD", "CARGO", "NPM", "RUST", "CC", "CXX", "MAKE",
    "GO", "DOCKER", "KUBE", "WRAPPER", "BROWSER", "ASKPASS", "HELPER", "PLUGIN", "LIB", "LINK", "DIR",
];

/// Parts of the names of variables that the shell itself acts on when they are set, or whose values it
/// evaluates.
const SPECIAL: [&str; 27] = [
    "RANDOM",
    "SECONDS",
    "LINENO",
    "EPOCHREALTIME",
    "HIST",
    "GLOBIGNORE",
    "FIGNORE",
    "NULLCMD",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PSVAR",
    "UID",
    "GID",
    "PPID",
    "SHLVL",
    "DIRSTACK",
    "FUNCNAME",
    "GROUPS",
    "POSIX",
    "MAILCHECK",
    "TIMEFORMAT",
    "TMOUT",
    "FCEDIT",
    "STTY",
    "ARGV",
];

/// Whether the command is the same with and without this assignment in front of it.
pub(crate) fn is_harmless(assignment: &Assignment<'_>) -> bool {
    let value = &assignment.value;
    let name: &str = &assignment.name;
    let spelled = |c: char| c.is_ascii_alphanumeric() || "_.,:=;/+@%-".contains(c);
    if !value.is_plain() || !value.value.chars().all(spelled) {
        return false;
    }
    // A locale, a terminal or a time zone may also be a file that is named.
    let names_file = value.value.starts_with(['/', ':', '.']) || value.value.contains("..");
    let names_something = value.value.starts_with(|c: char| c.is_ascii_alphabetic());
    if NAMING.contains(&name) {
        return (names_something || name == "TERM") && !value.value.contains('/');
    }
    HARMLESS.contains(&name) && !(name == "TZ" && names_file)
}

/// Whether setting this variable for the commands that follow can change what they run.
pub(crate) fn is_loaded(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    LOADED.iter().chain(&SPECIAL).any(|part| name.contains(part))
}
