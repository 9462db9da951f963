//! Trust as a session meets it: what is in effect at the start, what is granted later, and folders beside.

use std::path::Path;

use aqueduct_rules::{Mode, Source};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::permission::{PermissionUpdate, RuleBehavior, RulesUpdate};

use super::entry::TrustEntry;
use super::judge::{accepted, judge};
use super::store::TrustStore;
use super::{
    FolderTrust, Inventory, TRUST_WORKSPACE, TrustError, TrustPlaces, TrustSource, name_of, read, record,
};
use crate::configuration::{Configuration, allow_rule, default_mode, directory, settings_file};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::provision::{AcceptedProvisions, Provision, ProvisionKind};

/// How many withheld provisions are named one by one.
const MOST_NAMED: usize = 20;

/// What of a folder is not in effect without trust.
#[derive(Debug, Default)]
pub(crate) struct UntrustedReport {
    /// What people should know.
    pub(crate) summary: Vec<Diagnostic>,
    /// The provisions, a line each.
    pub(crate) lines: Vec<String>,
}

/// Decides what the working directory's files put into effect, and lets the configuration hold to it. `is_vouched` is
/// whether the command line vouches for the folder.
pub(crate) fn settle(
    environment: &Environment,
    configuration: &mut Configuration,
    is_vouched: bool,
) -> UntrustedReport {
    if is_vouched || environment.flag(TRUST_WORKSPACE) {
        configuration.hold_to(AcceptedProvisions::All);
        return UntrustedReport::default();
    }
    let inventory = Inventory::gather(environment, configuration);
    let is_in_reference = configuration.is_recorded_as_trusted();
    match decide(&environment.cwd, &inventory, is_in_reference, &TrustPlaces::of(environment)) {
        Ok((state, accepted)) => {
            let reported = match state {
                FolderTrust::Nothing | FolderTrust::Trusted => UntrustedReport::default(),
                FolderTrust::Untrusted | FolderTrust::Changed => {
                    withheld(environment, &inventory, &accepted, state)
                }
            };
            configuration.hold_to(accepted);
            reported
        }
        Err(_) if inventory.provisions.is_empty() => UntrustedReport::default(),
        Err(error) => {
            let message = format!("nothing of what this folder provides is in effect: {error}");
            let why = Diagnostic { hint: error.hint(), ..Diagnostic::problem(message) };
            let mut withheld =
                withheld(environment, &inventory, &AcceptedProvisions::nothing(), FolderTrust::Untrusted);
            withheld.summary.insert(0, why);
            withheld
        }
    }
}

fn decide(
    folder: &Path,
    inventory: &Inventory,
    is_in_reference: bool,
    places: &TrustPlaces,
) -> Result<(FolderTrust, AcceptedProvisions), TrustError> {
    let entry = TrustStore::read(&places.store)?.get(&name_of(folder)?);
    let judgement = judge(inventory, &entry, is_in_reference);
    if judgement.is_unbound {
        // From now on the record covers what is there now, and nothing that is added later.
        record(folder, inventory, TrustSource::Reference, places)?;
    }
    Ok((judgement.state, accepted(judgement, inventory, &entry)))
}

/// Lists the provisions that are not in effect.
fn withheld(
    environment: &Environment,
    inventory: &Inventory,
    accepted: &AcceptedProvisions,
    state: FolderTrust,
) -> UntrustedReport {
    // What only other agents use is not missed here, and servers are named where they are asked about.
    let is_missed = |provision: &&Provision| {
        !matches!(provision.kind, ProvisionKind::Helper | ProvisionKind::Server)
            && !accepted.covers(provision)
    };
    let missed: Vec<&Provision> = inventory.provisions.iter().filter(is_missed).collect();
    if missed.is_empty() {
        return UntrustedReport::default();
    }
    let why = match state {
        FolderTrust::Changed => "what it provides has changed since you trusted it",
        _ => "this folder is not trusted",
    };
    let (things, are, them) = match missed.len() {
        1 => ("1 thing".to_owned(), "is", "it"),
        count => (format!("{count} things"), "are", "them"),
    };
    let folder = environment.cwd.display();
    let summary = visible(&format!("{things} that {folder} provides {are} not in effect: {why}"));
    let hint = visible(&format!("To see and trust {them}: aqueduct trust {folder}"));
    let shown = |provision: &&Provision| {
        let Provision { kind, name, detail, .. } = provision;
        let between = if detail.is_empty() { "" } else { ": " };
        visible(&format!("  {} {name}{between}{detail} ({})", kind.name(), provision.source()))
    };
    let mut lines: Vec<String> = missed.iter().take(MOST_NAMED).map(shown).collect();
    if missed.len() > MOST_NAMED {
        lines.push(format!("  and {} more", missed.len() - MOST_NAMED));
    }
    UntrustedReport { summary: vec![Diagnostic::problem(summary).sentence(hint)], lines }
}

/// A text in one line in which nothing is hidden from people.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\'' | '"' | '\\' => out.push(letter),
            _ => out.extend(letter.escape_debug()),
        }
    }
    out
}

/// Whether a provision of a folder beside the working directory, or below it, is part of what the user trusts that
/// folder with.
pub(crate) fn is_accepted_elsewhere(provision: &Provision, cwd: &Path, places: &TrustPlaces) -> bool {
    let Some(folder) = folder_of(&provision.file).filter(|folder| *folder != cwd) else { return false };
    let Ok((inventory, is_in_reference)) = read(folder, places) else { return false };
    decide(folder, &inventory, is_in_reference, places).is_ok_and(|(_, accepted)| accepted.covers(provision))
}

/// The folder that a file in a `.claude` folder belongs to.
fn folder_of(file: &Path) -> Option<&Path> {
    let own = |folder: &&Path| folder.file_name().is_some_and(|name| name == crate::project_folders::FOLDER);
    file.ancestors().skip(1).find(own)?.parent()
}

/// Records what a person has granted by itself in a settings file of the working directory, so that it stays in effect.
pub(crate) fn grant(
    environment: &Environment,
    update: &PermissionUpdate<'_>,
    places: &TrustPlaces,
) -> Result<(), TrustError> {
    let Ok(source) = Source::of_update(update) else { return Ok(()) };
    let Some(file) = settings_file(environment, source).filter(|_| source.comes_with_the_project()) else {
        return Ok(());
    };
    let allows = |update: &RulesUpdate<'_>| update.behavior == Some(RuleBehavior::Allow);
    let change = |entry: &mut TrustEntry| {
        let of_kind = |kind: ProvisionKind| {
            let file = file.clone();
            move |known: &super::RecordedProvision| known.kind == kind && known.file == file
        };
        match update {
            PermissionUpdate::AddRules(update) if allows(update) => {
                update.rules.iter().for_each(|rule| entry.grant(&allow_rule(&file, &rule.to_string())));
            }
            PermissionUpdate::ReplaceRules(update) if allows(update) => {
                entry.forget(of_kind(ProvisionKind::AllowRule));
                update.rules.iter().for_each(|rule| entry.grant(&allow_rule(&file, &rule.to_string())));
            }
            PermissionUpdate::RemoveRules(update) if allows(update) => {
                let gone: Vec<_> =
                    update.rules.iter().map(|rule| allow_rule(&file, &rule.to_string()).digest).collect();
                entry.forget(|known| gone.contains(&known.digest));
            }
            PermissionUpdate::AddDirectories(update) => {
                update.directories.iter().for_each(|path| entry.grant(&directory(&file, path)));
            }
            PermissionUpdate::RemoveDirectories(update) => {
                let gone: Vec<_> =
                    update.directories.iter().map(|path| directory(&file, path).digest).collect();
                entry.forget(|known| gone.contains(&known.digest));
            }
            PermissionUpdate::SetMode(update) => {
                entry.forget(of_kind(ProvisionKind::Mode));
                let mode = Mode::try_from(&update.mode).ok();
                mode.and_then(|mode| default_mode(&file, mode)).iter().for_each(|mode| entry.grant(mode));
            }
            _ => (),
        }
    };
    TrustStore::change(&places.store, &name_of(&environment.cwd)?, change)
}
