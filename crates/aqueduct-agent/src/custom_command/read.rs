//! One custom command and its front matter.

use std::path::{Path, PathBuf};

use aqueduct_rules::Source;
use aqueduct_wire::hint::HintedError as _;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::effort::EFFORTS;
use crate::front_matter::{FrontMatter, ListedTool, UnreadableFile, read_file};
use crate::hook_config::{ConfiguredHook, of_front_matter};
use crate::plugin::Plugin;
use crate::provision::{Provision, ProvisionDigest, ProvisionKind};

/// How long a description may be, in characters.
const DESCRIPTION_LIMIT: usize = 1024;

/// How long a skill's name may be.
const NAME_LIMIT: usize = 64;

/// How much of the body replaces a missing description, in characters.
const EXCERPT: usize = 100;

/// The known keys in the front matter of a custom command.
const KEYS: &[&str] = &[
    "name",
    "description",
    "when_to_use",
    "argument-hint",
    "arguments",
    "allowed-tools",
    "model",
    "user-invocable",
    "disable-model-invocation",
    "context",
    "agent",
    "hooks",
    // Of the Agent Skills format, and of other programs. They change nothing here.
    "license",
    "compatibility",
    "metadata",
    "version",
    "author",
    "tags",
    "effort",
    "shell",
    "paths",
];

/// A prompt in a file.
#[derive(Debug, Clone)]
pub(crate) struct CustomCommand {
    /// Its name, from its path.
    pub(crate) name: String,
    /// The name in its front matter, if that differs. It can be called by that name as well.
    pub(crate) alias: Option<String>,
    /// What it is for.
    pub(crate) description: String,
    /// What may follow its name.
    pub(crate) argument_hint: String,
    /// The names of its arguments, in their order.
    pub(crate) arguments: Vec<String>,
    /// Rules that hold while it is at work.
    pub(crate) allowed_tools: Vec<String>,
    /// The model that it wants.
    pub(crate) model: Option<String>,
    /// Users may call it.
    pub(crate) is_for_users: bool,
    /// The model may call it.
    pub(crate) is_for_model: bool,
    /// It wants a conversation of its own, with this kind of agent if it names one.
    pub(crate) fork: Option<Option<String>>,
    /// The kind of custom command.
    pub(crate) kind: CustomCommandKind,
    /// Whose it is.
    pub(crate) origin: CommandOrigin,
    /// Hooks that hold once it was called.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// The plugin that brings it.
    pub(crate) plugin: Option<Plugin>,
    /// Its file.
    pub(crate) path: PathBuf,
    /// The digest of its file's text.
    pub(crate) digest: ProvisionDigest,
}

/// The kind of custom command that a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CustomCommandKind {
    /// A file of its own.
    Command,
    /// A folder with files that go with it.
    Skill,
}

/// Where a custom command comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandOrigin {
    /// The user's, for all projects.
    User,
    /// The project's.
    Project,
    /// A plugin's.
    Plugin,
}

impl CommandOrigin {
    /// What hooks know it by.
    pub(crate) fn source(self) -> &'static str {
        match self {
            CommandOrigin::User => "userSettings",
            CommandOrigin::Project => "projectSettings",
            CommandOrigin::Plugin => "plugin",
        }
    }

    /// The settings source with the same precedence.
    fn settings(self) -> Source {
        match self {
            CommandOrigin::User => Source::UserSettings,
            CommandOrigin::Project => Source::ProjectSettings,
            CommandOrigin::Plugin => Source::FlagSettings,
        }
    }
}

impl CustomCommand {
    /// Reads a custom command that is named `name` by its path. Also returns what is wrong with it.
    pub(super) fn read(
        kind: CustomCommandKind,
        origin: CommandOrigin,
        name: String,
        path: &Path,
        plugin: Option<&Path>,
    ) -> (Option<CustomCommand>, Vec<Diagnostic>) {
        let text = match read_file(path) {
            Ok(text) => text,
            Err(error) => return (None, vec![error.describe(path)]),
        };
        let mut matter = FrontMatter::read(&text);
        matter.know(KEYS);
        let alias = own_name(&mut matter, kind).filter(|own| *own != name);
        let description = matter.text("description");
        let mut shown = description.clone().unwrap_or_else(|| excerpt(matter.body));
        if let Some(more) = matter.text("when_to_use") {
            shown = format!("{shown} {more}");
        }
        if let Some(end) = shown.char_indices().nth(DESCRIPTION_LIMIT).map(|(at, _)| at) {
            let line = matter.get("description").map_or(1, |entry| entry.line);
            let what = format!("description has more than {DESCRIPTION_LIMIT} characters");
            matter.wrong(line, Diagnostic::problem(what).clause("the rest is cut"));
            shown.truncate(end);
        }
        if kind == CustomCommandKind::Skill && description.is_none() {
            matter.lacks("description", "a skill needs a description, for the model to choose by");
        }
        if matter.body.trim().is_empty() {
            matter.lacks("", "it is empty: write the instructions for the model below the front matter");
        }
        matter.one_of("effort", EFFORTS);
        matter.one_of("shell", &["bash"]);
        matter.list("paths");
        // If the key can't be read, it counts as set.
        let key = "disable-model-invocation";
        let is_withheld = matter.get(key).is_some() || matter.is_invalid() || matter.is_misspelt(key);
        let mut allowed_tools = rules(&mut matter);
        let read = of_front_matter(&mut matter, origin.settings(), plugin);
        if read.is_incomplete && !allowed_tools.is_empty() {
            let what = "allowed-tools grants nothing: a hook that can't be read may guard it";
            matter.wrong(matter.line("allowed-tools"), what);
            allowed_tools.clear();
        }
        let custom_command = CustomCommand {
            description: shown,
            arguments: argument_names(&mut matter),
            argument_hint: matter.text_in_brackets("argument-hint").unwrap_or_default(),
            allowed_tools,
            model: matter.text("model").filter(|model| model != "inherit"),
            is_for_users: matter.truth("user-invocable").unwrap_or(true),
            is_for_model: !matter.truth("disable-model-invocation").unwrap_or(is_withheld),
            fork: fork(&mut matter),
            hooks: read.hooks,
            kind,
            origin,
            plugin: None,
            path: path.to_owned(),
            digest: ProvisionDigest::of(text.as_bytes()),
            name,
            alias,
        };
        (Some(custom_command), matter.take_diagnostics(path))
    }

    /// Whether it is meant by this name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias.as_deref() == Some(name)
    }

    /// The current text of its body, and the digest of the current text of its file.
    pub(crate) fn body(&self) -> Result<(String, ProvisionDigest), UnreadableFile> {
        let text = read_file(&self.path)?;
        Ok((FrontMatter::read(&text).body.to_owned(), ProvisionDigest::of(text.as_bytes())))
    }

    /// What a project provides with it: the permissions and hooks of its front matter, with the whole text of its
    /// file. `None` if it has neither, or if it is not the project's.
    pub(crate) fn provision(&self) -> Option<Provision> {
        let has_rights = !(self.allowed_tools.is_empty() && self.hooks.is_empty());
        if self.origin != CommandOrigin::Project || !has_rights {
            return None;
        }
        let kind = match self.kind {
            CustomCommandKind::Command => ProvisionKind::Command,
            CustomCommandKind::Skill => ProvisionKind::Skill,
        };
        let mut rights = Vec::new();
        if !self.allowed_tools.is_empty() {
            rights.push(format!("allows {}", self.allowed_tools.join(", ")));
        }
        if !self.hooks.is_empty() {
            rights.push("has hooks".to_owned());
        }
        let content = Value::String(self.digest.to_string());
        Some(Provision::new(kind, &self.path, &format!("/{}", self.name), &content, rights.join("; ")))
    }

    /// The same, followed by each of its hooks, for people to see.
    pub(crate) fn provisions(&self) -> Vec<Provision> {
        let owner = format!("/{}", self.name);
        let hook =
            |(position, hook): (usize, &ConfiguredHook)| hook.provision(&self.path, position, Some(&owner));
        let provision = self.provision();
        let hooks =
            self.hooks.iter().enumerate().filter(|_| provision.is_some()).map(hook).collect::<Vec<_>>();
        provision.into_iter().chain(hooks).collect()
    }

    /// The folder of a skill, with the files that go with it.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.path.parent().filter(|_| self.kind == CustomCommandKind::Skill)
    }
}

/// The name that a skill gives itself.
fn own_name(matter: &mut FrontMatter<'_>, kind: CustomCommandKind) -> Option<String> {
    let own = matter.text("name").filter(|_| kind == CustomCommandKind::Skill)?;
    let is_fine = own.len() <= NAME_LIMIT
        && own.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    if is_fine {
        return Some(own);
    }
    let what = format!("name must have at most {NAME_LIMIT} lower-case letters, digits and hyphens");
    matter.wrong(matter.line("name"), Diagnostic::problem(what).clause("the name of the folder is used"));
    None
}

/// The names of `arguments`. A number is not a name: it is the index of a word.
fn argument_names(matter: &mut FrontMatter<'_>) -> Vec<String> {
    let names = matter.names("arguments");
    names.into_iter().filter(|name| !name.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// The rules of `allowed-tools`; an entry that is not a rule is an error.
fn rules(matter: &mut FrontMatter<'_>) -> Vec<String> {
    let listed = matter.tools("allowed-tools").unwrap_or_default();
    let is_rule = |entry: &ListedTool| match aqueduct_rules::Rule::parse(&entry.text) {
        Ok(_) => true,
        Err(error) => {
            let message = format!("allowed-tools: {error}");
            matter.wrong(entry.line, Diagnostic { hint: error.hint(), ..Diagnostic::problem(message) });
            false
        }
    };
    listed.into_iter().filter(is_rule).map(|entry| entry.text).collect()
}

/// Whether it wants a conversation of its own.
fn fork(matter: &mut FrontMatter<'_>) -> Option<Option<String>> {
    let agent = matter.text("agent");
    let context = matter.text("context");
    match context.as_deref() {
        Some("fork") => return Some(agent),
        None | Some("inline") => (),
        Some(_) => matter.wrong(matter.line("context"), "context must be fork or inline"),
    }
    if agent.is_some() && context.is_none_or(|context| context == "inline") {
        matter.wrong(matter.line("agent"), "agent means nothing without `context: fork`");
    }
    None
}

/// The beginning of a body, for people.
fn excerpt(body: &str) -> String {
    let line =
        body.lines().map(|line| line.trim_start_matches(['#', ' ']).trim()).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(EXCERPT).collect()
}
