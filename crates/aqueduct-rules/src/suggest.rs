//! What "always allow" could add, in the order a person would want it.

use crate::behavior::Behavior;
use crate::context::Context;
use crate::mode::Mode;
use crate::operation::Operation;
use crate::path;
use crate::rule::Rule;
use crate::source::Source;

/// Something that would have to be granted for a shell command to be allowed.
#[derive(Debug)]
pub(crate) enum Wish {
    /// A rule for this command. The words are empty where only the exact text is worth a rule.
    Command {
        text: String,
        words: Vec<String>,
        /// Whether accepting edits would cover it.
        everyday: bool,
    },
    Read(String),
    Write {
        path: String,
        working: bool,
    },
}

/// Programs that run whatever they are given, or remove it: a rule for them would be a rule for anything.
const NEVER: [&str; 58] = [
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "csh",
    "tcsh",
    "ash",
    "python",
    "python2",
    "python3",
    "node",
    "deno",
    "ruby",
    "perl",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "Rscript",
    "osascript",
    "pwsh",
    "sudo",
    "doas",
    "su",
    "runuser",
    "rm",
    "rmdir",
    "shred",
    "unlink",
    "dd",
    "env",
    "xargs",
    "parallel",
    "timeout",
    "nice",
    "nohup",
    "stdbuf",
    "time",
    "command",
    "builtin",
    "exec",
    "eval",
    "source",
    ".",
    "ssh",
    "find",
    "awk",
    "gawk",
    "sed",
    "watch",
    "strace",
    "chroot",
    "setsid",
    "flock",
    "busybox",
    "ts-node",
];

/// Programs whose second word says what they do.
const WITH_COMMANDS: [&str; 39] = [
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "cmake",
    "composer",
    "docker",
    "dotnet",
    "flutter",
    "gcloud",
    "gh",
    "git",
    "go",
    "gradle",
    "helm",
    "just",
    "kubectl",
    "make",
    "mix",
    "mvn",
    "npm",
    "npx",
    "nx",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "rustup",
    "systemctl",
    "terraform",
    "turbo",
    "uv",
    "yarn",
    "zig",
];

/// Programs that take files and not commands; their siblings have nothing in common but the program.
const FILE_PROGRAMS: [&str; 12] =
    ["touch", "mkdir", "cp", "mv", "ln", "chmod", "chown", "tee", "truncate", "install", "curl", "wget"];

/// The narrowest rule that covers a command and its obvious siblings, if a rule for it is wise at all.
fn command_rule(text: &str, words: &[String]) -> Option<Rule> {
    let program = words.first().map(|word| word.rsplit('/').next().unwrap_or(word));
    if program.is_some_and(|program| NEVER.contains(&program) || program.starts_with("python")) {
        return None;
    }
    let is_word = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let sub = words.get(1).filter(|word| is_word(word));
    match (program, sub) {
        (Some(program), Some(sub))
            if WITH_COMMANDS.contains(&program) || !FILE_PROGRAMS.contains(&program) =>
        {
            Some(Rule::with_content("Bash", format!("{} {sub} *", words[0])))
        }
        _ => exact(text),
    }
}

/// A rule for exactly this text, if a rule can say it.
fn exact(text: &str) -> Option<Rule> {
    const MOST: usize = 200;
    let sayable = !text.is_empty() && text.len() <= MOST && !text.contains(['*', '\n']);
    sayable.then(|| Rule::with_content("Bash", text))
}

fn add(rules: Vec<Rule>, destination: Source) -> Operation {
    Operation::AddRules { rules, behavior: Behavior::Allow, destination }
}

fn accept_edits() -> Operation {
    Operation::SetMode { mode: Mode::AcceptEdits, destination: Source::Session }
}

fn directory(path: &str) -> Operation {
    Operation::AddDirectories { directories: vec![path.to_owned()], destination: Source::Session }
}

/// For a shell command: rules that together would allow it, then directories, then the mode.
pub(crate) fn shell(context: &Context, wishes: Vec<Wish>) -> Vec<Operation> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut reads: Vec<Rule> = Vec::new();
    let mut directories: Vec<Operation> = Vec::new();
    let (mut complete, mut everyday) = (true, true);
    for wish in wishes {
        match wish {
            Wish::Command { text, words, everyday: covered } => {
                everyday &= covered;
                match command_rule(&text, &words) {
                    Some(rule) if !rules.contains(&rule) => rules.push(rule),
                    Some(_) => {}
                    None => complete = false,
                }
            }
            Wish::Read(path) => {
                everyday = false;
                let rule = read_rule(&path);
                if !reads.contains(&rule) {
                    reads.push(rule);
                }
            }
            Wish::Write { path, working } => {
                let rule = Rule::with_content("Edit", format!("/{path}"));
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
                let add = directory(path::parent(&path));
                if !working && !directories.contains(&add) {
                    directories.push(add);
                }
            }
        }
    }
    rules.extend(reads);
    let mut suggestions = Vec::new();
    if complete && !rules.is_empty() {
        suggestions.push(add(rules, Source::LocalSettings));
    }
    if everyday {
        suggestions.extend(directories);
        if context.mode() == Mode::Default {
            suggestions.push(accept_edits());
        }
    }
    suggestions
}

fn read_rule(path: &str) -> Rule {
    let folder = path::parent(path);
    // A rule for the root would be a rule for every file there is.
    let content = if folder == "/" { format!("/{path}/**") } else { format!("/{folder}/**") };
    Rule::with_content("Read", content)
}

/// For reading a file outside the working directories.
pub(crate) fn read(path: &str) -> Vec<Operation> {
    if path == "/" {
        return Vec::new();
    }
    vec![add(vec![read_rule(path)], Source::Session)]
}

/// For editing a file.
pub(crate) fn edit(context: &Context, path: &str, working: bool) -> Vec<Operation> {
    let mut suggestions = Vec::new();
    if context.mode() == Mode::Default || context.mode() == Mode::Delegate {
        suggestions.push(accept_edits());
    }
    if !working && path::parent(path) != "/" {
        suggestions.push(directory(path::parent(path)));
    }
    suggestions
}

/// For fetching from a host.
pub(crate) fn host(host: &str) -> Vec<Operation> {
    vec![add(vec![Rule::with_content("WebFetch", format!("domain:{host}"))], Source::LocalSettings)]
}

/// For running a skill.
pub(crate) fn skill(name: &str) -> Vec<Operation> {
    let rule = Rule::with_content("Skill", name);
    if rule.problem().is_some() { Vec::new() } else { vec![add(vec![rule], Source::LocalSettings)] }
}

/// For a tool that is named whole.
pub(crate) fn tool(name: &str) -> Vec<Operation> {
    let rule = Rule::tool(name);
    if rule.problem().is_some() { Vec::new() } else { vec![add(vec![rule], Source::LocalSettings)] }
}
