//! The permission context of this machine: settings files where they really are, home, working directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use aqueduct_agent::trust::{self, FolderItem, FolderTrust, ProvisionKind, TrustPlaces};
use aqueduct_rules::settings::{self, Settings};
use aqueduct_rules::{Behavior, Context, Error, Mode, Repository, Source, credential_places};

use super::RulesLocation;
use crate::explained::advice;

/// Settings that an organisation manages, where the agents look for them.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// A context and what was wrong in the files it was read from.
pub(super) struct RuleSources {
    pub(super) context: Context,
    pub(super) errors: Vec<Error>,
}

pub(super) fn find(place: &RulesLocation, folders: &Folders) -> anyhow::Result<RuleSources> {
    let cwd = match &place.cwd {
        Some(folder) => {
            std::fs::canonicalize(folder).with_context(|| format!("can't open {}", folder.display()))?
        }
        None => std::env::current_dir()
            .context(advice("cannot determine the current folder", "name it with --cwd"))?,
    };
    let mut files: Vec<(Source, PathBuf, bool)> = Vec::new();
    if !place.no_found_settings {
        files.extend(folders.settings(&cwd).into_iter().map(|(source, file)| (source, file, false)));
    }
    files.extend(place.settings.iter().map(|file| (Source::FlagSettings, file.clone(), true)));

    let (is_trusted, granted) = folders.trust(&cwd);
    let trusted = place.trust || is_trusted;
    let mut context = Context::new(cwd.to_string_lossy()).with_trust(trusted).with_granted(granted);
    if let Some(home) = &folders.home {
        context = context.with_home(home.to_string_lossy());
    }
    if let Some(config) = &folders.config {
        context = context.with_config_folder(config.to_string_lossy());
    }
    let variables: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let variable =
        |name: &str| variables.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.to_str());
    context = context.with_credentials(credential_places(variable));

    let mut errors = Vec::new();
    let mut mode = Mode::Default;
    let (mut disables_bypass, mut managed_only) = (false, false);
    for (source, file, required) in files {
        let Some(text) = text_of(&file, required)? else { continue };
        let (read, mut faults) = settings::read(&file.to_string_lossy(), &text);
        errors.append(&mut faults);
        read.add_to(&mut context, source);
        disables_bypass |= read.disables_bypass;
        managed_only |= source == Source::PolicySettings && read.managed_rules_only;
        mode = mode_from(&read, source, trusted).unwrap_or(mode);
    }
    for (behavior, rules) in
        [(Behavior::Allow, &place.allow), (Behavior::Ask, &place.ask), (Behavior::Deny, &place.deny)]
    {
        if let Err(invalid) = context.add_rules(Source::CliArg, behavior, rules) {
            errors.extend(invalid.rules().iter().map(|rule| rule.error.clone()));
        }
    }
    for folder in &place.add_dir {
        let real = std::fs::canonicalize(folder).unwrap_or_else(|_| cwd.join(folder));
        context.add_directories(Source::CliArg, [real.to_string_lossy()]);
    }
    let context = context.with_managed_rules_only(managed_only).with_bypass_disabled(disables_bypass);
    let context = context.with_mode(place.mode.unwrap_or(mode))?;
    Ok(RuleSources { context, errors })
}

/// The folders of a user.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folders {
    home: Option<PathBuf>,
    /// The configuration folder that a variable names.
    named: Option<PathBuf>,
    /// The configuration folder.
    config: Option<PathBuf>,
    /// The folder of data that a variable names.
    data: Option<PathBuf>,
}

impl Folders {
    /// Those of the user whose process this is.
    pub(crate) fn of_this_process() -> Self {
        let folder =
            |name: &str| std::env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        Folders::new(std::env::home_dir(), folder("CLAUDE_CONFIG_DIR"), folder("XDG_DATA_HOME"))
    }

    /// A home, and folders of configuration and of data if they are not where they usually are.
    pub(crate) fn new(home: Option<PathBuf>, named: Option<PathBuf>, data: Option<PathBuf>) -> Self {
        let config = named.clone().or_else(|| home.as_ref().map(|home| home.join(".claude")));
        Folders { home, named, config, data }
    }

    /// Where trust is kept.
    fn trust_places(&self) -> Option<TrustPlaces> {
        let home = self.home.as_ref()?;
        Some(TrustPlaces::new(home, self.named.as_deref(), self.data.as_deref()))
    }

    /// Whether the user trusts a folder, and the rules that the user has granted there by itself.
    fn trust(&self, cwd: &Path) -> (bool, Vec<(Source, String)>) {
        let report = self.trust_places().and_then(|places| trust::inspect(cwd, &places).ok());
        let Some(report) = report else { return (false, Vec::new()) };
        let is_trusted = matches!(report.state, FolderTrust::Nothing | FolderTrust::Trusted);
        let files = self.settings(cwd);
        let granted = report
            .items
            .iter()
            .filter(|item| item.is_granted && item.kind == ProvisionKind::AllowRule.name());
        let of_file = |item: &FolderItem| {
            let file = item.source.rsplit_once(':').map_or(item.source.as_str(), |(file, _)| file);
            let (source, _) = files.iter().find(|(_, path)| path.as_os_str() == file)?;
            Some((*source, item.name.clone()))
        };
        (is_trusted, granted.filter_map(of_file).collect())
    }

    /// The settings files of a folder, whether they exist or not.
    pub(crate) fn files(&self, cwd: &Path) -> Vec<PathBuf> {
        let settings = self.settings(cwd).into_iter().map(|(_, file)| file);
        let trust = self.trust_places().map(|places| places.store);
        settings.chain(self.records()).chain(trust).chain([cwd.join(".mcp.json")]).collect()
    }

    /// The permission context of a folder. Errors in settings are skipped: `aqueduct doctor` reports them.
    pub(crate) fn context(&self, cwd: &Path) -> anyhow::Result<Context> {
        let place = RulesLocation { cwd: Some(cwd.to_owned()), ..RulesLocation::default() };
        Ok(find(&place, self)?.context)
    }

    /// Settings files, those that others overrule first.
    fn settings(&self, cwd: &Path) -> Vec<(Source, PathBuf)> {
        let mut files = Vec::new();
        files.extend(self.config.iter().map(|folder| (Source::UserSettings, folder.join("settings.json"))));
        files.push((Source::ProjectSettings, cwd.join(".claude/settings.json")));
        files.push((Source::LocalSettings, cwd.join(".claude/settings.local.json")));
        files.push((Source::PolicySettings, MANAGED.into()));
        files
    }

    /// What is remembered of each project. It is in the home, or in the configuration folder where a variable names
    /// that one.
    fn records(&self) -> Option<PathBuf> {
        self.named.as_ref().or(self.home.as_ref()).map(|folder| folder.join(".claude.json"))
    }
}

/// A project may choose a careful mode; one that waives questions takes trust, and bypassing is never its to choose.
fn mode_from(settings: &Settings, source: Source, trusted: bool) -> Option<Mode> {
    settings.default_mode.filter(|mode| match mode {
        _ if !source.comes_with_the_project() => true,
        Mode::BypassPermissions => false,
        Mode::AcceptEdits => trusted,
        _ => true,
    })
}

fn text_of(file: &Path, required: bool) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if !required && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read the settings file {}", file.display())),
    }
}

/// What git would use in these directories, for a session in a folder. Variables of this process are those of the
/// session's commands.
pub(super) fn repositories(cwd: &Path, directories: Vec<String>) -> Vec<(String, Repository)> {
    let variables: Vec<_> = std::env::vars_os().collect();
    aqueduct_agent::repository::repositories(cwd, &variables, directories)
}
