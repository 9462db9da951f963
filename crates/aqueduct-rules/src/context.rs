//! Everything a decision depends on besides the call itself.

use serde::Serialize;

use crate::behavior::Behavior;
use crate::credentials::{self, CredentialFilter, MachinePaths};
use crate::entry::Entry;
use crate::error::Error;
use crate::invalid_rules::{InvalidRule, InvalidRules};
use crate::mode::Mode;
use crate::path;
use crate::pattern::PatternRoots;
use crate::rule::Rule;
use crate::rule_set::RuleSet;
use crate::source::Source;

/// A directory in which the agent may work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Directory {
    /// Its absolute path.
    pub path: String,
    /// Who added it.
    pub source: Source,
}

/// The permission context: mode, rules, directories, and what the host knows about the machine.
///
/// Paths are absolute texts with `/` between their components. The host fills this in; nothing in this
/// crate looks at a disk or an environment.
#[derive(Debug, Clone)]
pub struct Context {
    mode: Mode,
    /// Where the agent was started; this is the first working directory.
    start: String,
    cwd: String,
    home: Option<String>,
    project: String,
    config: Option<String>,
    directories: Vec<Directory>,
    /// The working directories that count; the first is where the agent was started.
    working: Vec<String>,
    rules: RuleSet,
    trusted: bool,
    /// Rules and directories that the person has granted by itself; they count without trust in the folder.
    granted: Vec<(Source, String)>,
    bypass_available: bool,
    bypass_disabled: bool,
    managed_only: bool,
    avoids_prompts: bool,
    filters_searches: bool,
    sandboxed: bool,
    open_prefixes: bool,
    /// Files and folders that hold credentials, besides those every machine has.
    credentials: Vec<String>,
}

impl Context {
    /// A context in default mode, with no rules, for a trusted project folder in which the agent works.
    pub fn new(cwd: impl AsRef<str>) -> Self {
        let cwd = path::lexical(cwd.as_ref());
        Self {
            mode: Mode::Default,
            project: cwd.clone(),
            working: vec![cwd.clone()],
            start: cwd.clone(),
            cwd,
            home: None,
            config: None,
            directories: Vec::new(),
            rules: RuleSet::default(),
            trusted: true,
            granted: Vec::new(),
            bypass_available: false,
            bypass_disabled: false,
            managed_only: false,
            avoids_prompts: false,
            filters_searches: false,
            sandboxed: false,
            open_prefixes: false,
            credentials: Vec::new(),
        }
    }

    /// Sets the user's home, which `~` and `$HOME` denote. The user's settings are assumed to be in
    /// `.claude` there until `with_config_folder` changes it.
    pub fn with_home(mut self, home: impl AsRef<str>) -> Self {
        let home = path::lexical(home.as_ref());
        self.config.get_or_insert_with(|| path::lexical(&format!("{home}/.claude")));
        self.home = Some(home);
        self.recompile();
        self
    }

    /// Sets the folder of the user's settings.
    pub fn with_config_folder(mut self, folder: impl AsRef<str>) -> Self {
        self.config = Some(path::lexical(folder.as_ref()));
        self.recompile();
        self
    }

    /// Sets the project folder, which its settings count `/x` from, where the agent starts elsewhere.
    pub fn with_project(mut self, folder: impl AsRef<str>) -> Self {
        self.project = path::lexical(folder.as_ref());
        self.recompile();
        self
    }

    /// Sets whether the user has trusted the project folder. Until then its allow rules and directories
    /// don't count, because the author of the project could have written them.
    pub fn with_trust(mut self, trusted: bool) -> Self {
        self.trusted = trusted;
        self.count_directories();
        self.recompile();
        self
    }

    /// Sets which allow rules of the project the user has granted individually: they count also without trust
    /// in the folder.
    pub fn with_granted(mut self, rules: impl IntoIterator<Item = (Source, String)>) -> Self {
        self.granted.extend(rules);
        self.recompile();
        self
    }

    pub(crate) fn note_grant(&mut self, source: Source, what: &str) {
        self.granted.push((source, what.to_owned()));
        if !self.trusted {
            // It may be there already, withheld until now.
            self.recompile();
        }
    }

    fn is_granted(&self, source: Source, what: &str) -> bool {
        self.granted.iter().any(|(granted, text)| *granted == source && text == what)
    }

    /// Sets whether only rules from the organisation's settings count.
    pub fn with_managed_rules_only(mut self, managed_only: bool) -> Self {
        self.managed_only = managed_only;
        self.recompile();
        self
    }

    /// Makes bypassing possible: the agent was started with the flag for it.
    pub fn with_bypass_available(mut self, available: bool) -> Self {
        self.bypass_available = available;
        self
    }

    /// Switches bypassing off for good, as a policy can. A context that was bypassing falls back to default.
    pub fn with_bypass_disabled(mut self, disabled: bool) -> Self {
        self.bypass_disabled = disabled;
        if disabled && self.mode == Mode::BypassPermissions {
            self.mode = Mode::Default;
        }
        self
    }

    /// Sets that no user can be asked: what would be asked is denied, questions to the user included.
    pub fn with_prompts_avoided(mut self, avoided: bool) -> Self {
        self.avoids_prompts = avoided;
        self
    }

    /// Sets that the host's own search tools skip files that may not be read, so that a search need not be
    /// asked about because of a file on its way.
    pub fn with_searches_filtered(mut self, filtered: bool) -> Self {
        self.filters_searches = filtered;
        self
    }

    /// Lets rules with a prefix or a wildcard cover every option of the programs they name. This is for patterns
    /// that choose commands and permit nothing.
    pub fn with_open_prefixes(mut self) -> Self {
        self.open_prefixes = true;
        self
    }

    /// Adds files and folders that hold credentials on this machine, as [`crate::credential_places`] gives
    /// them. A folder that holds a working directory or the home is left out:
    /// it would make every file a credential.
    pub fn with_credentials<I>(mut self, places: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        for place in places {
            let place = path::lexical(place.as_ref());
            let holds = |directory: &str| path::is_within(directory, &place);
            let too_wide = self.working.iter().map(String::as_str).chain(self.home()).any(holds);
            if !too_wide && place != "/dev/null" {
                self.credentials.push(place);
            }
        }
        self
    }

    /// Starts in a mode. Starting with bypassing makes it available, unless a policy forbids it.
    pub fn with_mode(mut self, mode: Mode) -> Result<Self, Error> {
        if mode == Mode::BypassPermissions {
            self.bypass_available = true;
        }
        self.set_mode(mode)?;
        Ok(self)
    }

    /// Changes the mode while running.
    pub fn set_mode(&mut self, mode: Mode) -> Result<(), Error> {
        if mode == Mode::BypassPermissions {
            if self.bypass_disabled {
                let reason = "a policy has switched it off";
                return Err(Error::BypassUnavailable { reason, hint: None });
            }
            if !self.bypass_available {
                let reason = "the agent was not started with it";
                let hint = Some("start it again with --permission-mode bypassPermissions");
                return Err(Error::BypassUnavailable { reason, hint });
            }
        }
        self.mode = mode;
        Ok(())
    }

    /// Follows the shell to another directory. Relative paths are counted from it; it is not a working
    /// directory for that.
    pub fn set_cwd(&mut self, cwd: impl AsRef<str>) {
        self.cwd = path::lexical(cwd.as_ref());
    }

    /// Confines the agent to another folder, which takes the place of the one that it was started in: it is the first
    /// working directory, and what `/x` in the project's settings is counted from.
    pub fn confined_to(mut self, folder: impl AsRef<str>) -> Self {
        let folder = path::lexical(folder.as_ref());
        self.start.clone_from(&folder);
        self.cwd.clone_from(&folder);
        self.count_directories();
        self.with_project(folder)
    }

    /// Whether shell commands run in a sandbox that makes questions needless: they are then allowed where no rule and
    /// no protected place forbids it. Plan mode asks all the same.
    pub fn set_sandboxed(&mut self, sandboxed: bool) {
        self.sandboxed = sandboxed;
    }

    /// Adds rules as written. A rule that can't be used is an error, which names all of them. A caller that continues
    /// all the same has the other rules; those that can't be used are kept with their error: among deny and ask rules
    /// they make the calls they may have meant asked, among allow rules they mean nothing.
    ///
    /// ```
    /// use aqueduct_rules::{Behavior, Context, Source};
    ///
    /// let mut context = Context::new("/proj");
    /// let error = context.add_rules(Source::Session, Behavior::Deny, ["Bash(rm:*)", "Bash(mv"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "deny[1]: rule `Bash(mv` does not end with the parenthesis that closes its content; \
    ///      write it as `Tool` or `Tool(content)`"
    /// );
    /// ```
    pub fn add_rules<I>(&mut self, source: Source, behavior: Behavior, rules: I) -> Result<(), InvalidRules>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut invalid = Vec::new();
        for (index, text) in rules.into_iter().enumerate() {
            let text = text.as_ref();
            if let Some(error) = self.add_entry(source, behavior, text.to_owned(), Rule::parse(text)) {
                invalid.push(InvalidRule::new(behavior, index, text, error));
            }
        }
        InvalidRules::check(invalid)
    }

    /// Adds a rule. Returns why it can't be used, if it can't.
    pub(crate) fn add_entry(
        &mut self,
        source: Source,
        behavior: Behavior,
        text: String,
        rule: Result<Rule, Error>,
    ) -> Option<Error> {
        if self.rules.holds(source, behavior, &text) {
            return rule.err();
        }
        let withheld = self.withholds(source, behavior, &text);
        let settings = settings_root(source, self.config.as_deref(), &self.project);
        let roots = PatternRoots { home: self.home.as_deref(), settings };
        self.rules.push(Entry { source, behavior, text, rule, withheld }, roots)
    }

    /// Removes all rules of a source, when it has ended.
    pub fn remove_rules(&mut self, source: Source) {
        if self.rules.entries().any(|entry| entry.source == source) {
            self.retain_rules(|entry| entry.source != source);
        }
    }

    /// Keeps only the rules for which `keep` holds.
    pub(crate) fn retain_rules(&mut self, keep: impl Fn(&Entry) -> bool) {
        let entries: Vec<Entry> = self.rules.entries().filter(|entry| keep(entry)).cloned().collect();
        self.fill(entries);
    }

    fn recompile(&mut self) {
        let entries = self.rules.entries().cloned().collect();
        self.fill(entries);
    }

    fn fill(&mut self, entries: Vec<Entry>) {
        let mut rules = RuleSet::default();
        for mut entry in entries {
            // What could not be compared with anything may be comparable now.
            entry.rule = Rule::parse(&entry.text);
            entry.withheld = self.withholds(entry.source, entry.behavior, &entry.text);
            let settings = settings_root(entry.source, self.config.as_deref(), &self.project);
            rules.push(entry, PatternRoots { home: self.home.as_deref(), settings });
        }
        self.rules = rules;
    }

    fn withholds(&self, source: Source, behavior: Behavior, text: &str) -> Option<&'static str> {
        if self.managed_only && source != Source::PolicySettings {
            return Some("a policy lets only its own rules count");
        }
        let needs_trust = behavior == Behavior::Allow && source.comes_with_the_project();
        if needs_trust && !self.trusted && !self.is_granted(source, text) {
            return Some("the project folder is not trusted");
        }
        None
    }

    /// Adds directories to work in.
    pub fn add_directories<I>(&mut self, source: Source, directories: I)
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        for directory in directories {
            let Some(path) = path::absolute(directory.as_ref(), &self.cwd, self.home.as_deref()) else {
                continue;
            };
            let directory = Directory { path, source };
            if !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
        self.count_directories();
    }

    pub(crate) fn retain_directories(&mut self, keep: impl Fn(&Directory) -> bool) {
        self.directories.retain(keep);
        self.count_directories();
    }

    /// The current mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The directory commands run in.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// The user's home, where it is known.
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    pub(crate) fn has_open_prefixes(&self) -> bool {
        self.open_prefixes
    }

    pub(crate) fn is_sandboxed(&self) -> bool {
        self.sandboxed && self.mode != Mode::Plan
    }

    /// What a path holds, if it holds credentials. Reading it takes a rule that names it.
    pub fn credential(&self, path: &str) -> Option<&'static str> {
        credentials::held(path, false, self.machine())
    }

    /// A quick check of the files directly in a folder, whose path is absolute.
    pub fn credential_filter(&self, folder: &str) -> CredentialFilter {
        CredentialFilter::new(folder, self.machine())
    }

    /// What a path holds that may not be written without asking, if that is credentials. Files outside of the
    /// working directories that only look like keys are left to the rules.
    pub(crate) fn credential_to_write(&self, path: &str) -> Option<&'static str> {
        let everywhere = ["/".to_owned()];
        credentials::held(path, false, MachinePaths { working: &everywhere, ..self.machine() })
    }

    /// What a path that its wildcards may match holds, if that is credentials.
    pub(crate) fn credential_like(&self, glob: &str) -> Option<&'static str> {
        credentials::held(glob, true, self.machine())
    }

    /// Whether a search of a folder, of its hidden names too or not, may come across credentials.
    pub(crate) fn may_hold_credentials(&self, folder: &str, hidden: bool) -> bool {
        credentials::may_be_below(folder, hidden, self.machine())
    }

    fn machine(&self) -> MachinePaths<'_> {
        MachinePaths { home: self.home.as_deref(), working: &self.working, more: &self.credentials }
    }

    /// Whether bypassing can be entered.
    pub fn is_bypass_available(&self) -> bool {
        self.bypass_available && !self.bypass_disabled
    }

    /// Whether no user can be asked.
    pub fn avoids_prompts(&self) -> bool {
        self.avoids_prompts
    }

    /// Whether the host's search tools pass over files that may not be read.
    pub(crate) fn filters_searches(&self) -> bool {
        self.filters_searches
    }

    /// Whether only rules from the organisation's settings count.
    pub fn is_managed_only(&self) -> bool {
        self.managed_only
    }

    /// Every rule, in the order in which it was added.
    pub fn rules(&self) -> impl Iterator<Item = &Entry> {
        self.rules.entries()
    }

    /// The additional directories.
    pub fn directories(&self) -> &[Directory] {
        &self.directories
    }

    pub(crate) fn rule_set(&self) -> &RuleSet {
        &self.rules
    }

    pub(crate) fn working(&self) -> &[String] {
        &self.working
    }

    fn count_directories(&mut self) {
        let counts = |directory: &&Directory| {
            let Directory { source, path } = directory;
            self.trusted || !source.comes_with_the_project() || self.is_granted(*source, path)
        };
        let more = self.directories.iter().filter(counts).map(|directory| directory.path.clone());
        self.working = std::iter::once(self.start.clone()).chain(more).collect();
    }

    /// Whether this is the directory in which the agent was started.
    pub(crate) fn is_start(&self, directory: &str) -> bool {
        self.start == directory
    }

    pub(crate) fn is_working(&self, path: &str) -> bool {
        self.working.iter().any(|directory| path::is_within(path, directory))
    }
}

/// The folder that `/x` in a rule of this source is counted from.
fn settings_root<'c>(source: Source, config: Option<&'c str>, project: &'c str) -> &'c str {
    match source {
        Source::UserSettings => config.unwrap_or(project),
        _ => project,
    }
}
