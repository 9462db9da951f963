//! The permission context of this machine: settings files where they really are, home, working directory.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use aqueduct_rules::settings::{self, Settings};
use aqueduct_rules::{Behavior, Context, Error, Mode, Source};

use super::Where;

/// A context and what was wrong in the files it was read from.
pub(super) struct Found {
    pub(super) context: Context,
    pub(super) errors: Vec<Error>,
}

pub(super) fn find(place: &Where) -> anyhow::Result<Found> {
    let cwd = match &place.cwd {
        Some(folder) => {
            std::fs::canonicalize(folder).with_context(|| format!("can't open {}", folder.display()))?
        }
        None => std::env::current_dir().context("can't tell the current folder; name it with --cwd")?,
    };
    let home = std::env::home_dir();
    let named = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let config = named.clone().or_else(|| home.as_ref().map(|home| home.join(".claude")));

    let mut files = Vec::new();
    if !place.no_found_settings {
        files.extend(config.iter().map(|folder| (Source::UserSettings, folder.join("settings.json"), false)));
        files.push((Source::ProjectSettings, cwd.join(".claude/settings.json"), false));
        files.push((Source::LocalSettings, cwd.join(".claude/settings.local.json"), false));
    }
    files.extend(place.settings.iter().map(|file| (Source::FlagSettings, file.clone(), true)));

    let trusted = place.trust || is_trusted(&cwd, named.as_deref().or(home.as_deref()));
    let mut context = Context::new(cwd.to_string_lossy()).with_trust(trusted);
    if let Some(home) = &home {
        context = context.with_home(home.to_string_lossy());
    }
    if let Some(config) = &config {
        context = context.with_config_folder(config.to_string_lossy());
    }

    let mut errors = Vec::new();
    let mut mode = Mode::Default;
    let mut disables_bypass = false;
    for (source, file, required) in files {
        let Some(text) = text_of(&file, required)? else { continue };
        let (read, mut faults) = settings::read(&file.to_string_lossy(), &text);
        errors.append(&mut faults);
        read.add_to(&mut context, source);
        disables_bypass |= read.disables_bypass;
        mode = mode_from(&read, source).unwrap_or(mode);
    }
    for (behavior, rules) in
        [(Behavior::Allow, &place.allow), (Behavior::Ask, &place.ask), (Behavior::Deny, &place.deny)]
    {
        context.add_rules(Source::CliArg, behavior, rules);
    }
    for folder in &place.add_dir {
        let real = std::fs::canonicalize(folder).unwrap_or_else(|_| cwd.join(folder));
        context.add_directories(Source::CliArg, [real.to_string_lossy()]);
    }
    let context = context.with_bypass_disabled(disables_bypass).with_mode(place.mode.unwrap_or(mode))?;
    Ok(Found { context, errors })
}

/// A project may choose a careful mode, not one that waives questions.
fn mode_from(settings: &Settings, source: Source) -> Option<Mode> {
    let waives = |mode: &Mode| *mode == Mode::BypassPermissions;
    settings.default_mode.filter(|mode| !source.comes_with_the_project() || !waives(mode))
}

fn text_of(file: &Path, required: bool) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if !required && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read the settings file {}", file.display())),
    }
}

/// Whether the user has trusted this very folder, and not only one above it. The records are in the home, or
/// in the configuration folder where a variable names that one.
fn is_trusted(cwd: &Path, records: Option<&Path>) -> bool {
    let text = records.map(|folder| std::fs::read_to_string(folder.join(".claude.json")).unwrap_or_default());
    let record: serde_json::Value = serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default();
    record["projects"][cwd.to_string_lossy().as_ref()]["hasTrustDialogAccepted"] == true
}

/// Where the paths of a call really lead, for those that exist. A path with a wildcard leads to where every
/// link does that it may stand for.
pub(super) fn resolve(paths: Vec<String>) -> Vec<(String, String)> {
    let mut resolved = Vec::new();
    for path in paths {
        let links = links_matched_by(Path::new(&path));
        let real = real_path(Path::new(&path)).into_iter().chain(links);
        resolved.extend(real.map(|real| (path.clone(), real.to_string_lossy().into_owned())));
    }
    resolved
}

/// More links than this in one folder are not followed.
const MOST_LINKS: usize = 1000;

/// Where the links lead that the wildcard in the last name of a path may stand for. Only the beginning and the
/// end of the name are compared, so there may be too many of them, never too few.
fn links_matched_by(path: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let name = name.to_string_lossy();
    let wild = |c: char| matches!(c, '*' | '?' | '[' | ']' | '\\');
    let (Some(first), Some(last)) = (name.find(wild), name.rfind(wild)) else { return Vec::new() };
    let (begin, end) = (&name[..first], &name[last + 1..]);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        is_link && name.starts_with(begin) && name.ends_with(end)
    });
    links.take(MOST_LINKS).filter_map(|link| std::fs::canonicalize(link.path()).ok()).collect()
}

/// The real path of a file, or of the folder it would be made in.
fn real_path(path: &Path) -> Option<PathBuf> {
    match std::fs::canonicalize(path) {
        Ok(real) => Some(real),
        Err(_) => Some(real_path(path.parent()?)?.join(path.file_name()?)),
    }
}
