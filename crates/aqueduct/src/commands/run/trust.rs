//! Whether what the folder's files provide takes effect in a run.

use std::path::PathBuf;

use aqueduct_agent::trust::{self, FolderReport, FolderTrust, TRUST_WORKSPACE, TrustPlaces, TrustSource};
use aqueduct_client::{Builder, Profile};
use aqueduct_wire::control::{InitializeRequest, WorkspaceTrust};

use super::Args;
use super::ask::Tty;
use crate::agents::AgentProgram;
use crate::commands::trust::{page, places, shown_folder};
use crate::config::UserEnvironment;
use crate::output;
use crate::terminal::Ink;

/// What to do about the folder's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrustDecision {
    /// The agent decides by what is recorded, and that is known to be right.
    AsRecorded,
    /// All of it takes effect, in this run.
    Vouched,
    /// Nothing of it takes effect.
    Without {
        /// The person has seen that, so that the agent need not report it.
        is_shown: bool,
    },
    /// The run is off.
    Quit,
}

/// A folder that provides what the user has not trusted.
pub(super) struct UntrustedFolder {
    report: FolderReport,
    places: TrustPlaces,
    known: UserEnvironment,
}

impl UntrustedFolder {
    /// Looks at the folder that a run works in. None, where there is nothing to ask.
    pub(super) fn about(args: &Args) -> anyhow::Result<Result<UntrustedFolder, TrustDecision>> {
        let known = UserEnvironment::of_this_process()?;
        let is_set = known.variable(TRUST_WORKSPACE).and_then(|value| value.to_str());
        let is_vouched =
            is_set.is_some_and(|value| ["1", "true", "yes", "on"].contains(&&*value.to_lowercase()));
        if args.trust_workspace || is_vouched {
            return Ok(Err(TrustDecision::Vouched));
        }
        let folder: PathBuf =
            args.cwd.as_ref().map_or_else(|| known.cwd.clone(), |folder| known.cwd.join(folder));
        // Without a home there is nothing recorded, and a folder that is not there fails later, with a better word.
        let Ok(places) = places(&known) else { return Ok(Err(TrustDecision::Without { is_shown: false })) };
        if !folder.is_dir() {
            return Ok(Err(TrustDecision::AsRecorded));
        }
        let report = trust::inspect(&folder, &places)?;
        Ok(match report.state {
            FolderTrust::Nothing | FolderTrust::Trusted => Err(TrustDecision::AsRecorded),
            FolderTrust::Untrusted | FolderTrust::Changed => Ok(UntrustedFolder { report, places, known }),
        })
    }

    /// Asks the person.
    pub(super) async fn ask(&self, tty: &mut Tty, ink: Ink) -> anyhow::Result<TrustDecision> {
        tty.write(&page(&self.report, &self.known, ink))?;
        loop {
            let folder = shown_folder(&self.report, &self.known);
            let question = format!("Trust {folder} with this? [y]es, [n]o: run without it, [q]uit: ");
            let answer = match tty.takes_keys() {
                true => tty.key(&question).await?.map(String::from),
                false => tty.line(&question).await?,
            };
            let Some(answer) = answer else { return Ok(TrustDecision::Quit) };
            match answer.to_lowercase().as_str() {
                "y" | "yes" => {
                    trust::trust(&self.report.folder, &self.report.digest, TrustSource::Cli, &self.places)?;
                    return Ok(TrustDecision::AsRecorded);
                }
                "n" | "no" => return Ok(TrustDecision::Without { is_shown: true }),
                "q" | "quit" => return Ok(TrustDecision::Quit),
                _ => {}
            }
        }
    }

    /// Reports that the run continues without it, where no user can be asked.
    pub(super) fn note(&self) {
        let folder = shown_folder(&self.report, &self.known);
        let why = match self.report.state {
            FolderTrust::Changed => "has changed what it provides since you trusted it",
            _ => "is not trusted",
        };
        let count = self.report.items.len();
        let (things, them) = match count {
            1 => ("thing that it provides is", "it"),
            _ => ("things that it provides are", "them"),
        };
        output::remark(&format!(
            "{folder} {why}: {count} {things} not in effect. aqueduct trust shows {them} and asks; --trust-workspace \
             lets {them} take effect in this run"
        ));
    }
}

/// Decides for an agent whose files in a folder can't be inspected: it runs without them, unless the caller vouches for
/// the folder.
pub(super) fn with_profile(
    course: TrustDecision,
    args: &Args,
    profile: Profile,
) -> anyhow::Result<TrustDecision> {
    if profile == Profile::REFERENCE || course != TrustDecision::AsRecorded {
        return Ok(course);
    }
    let known = UserEnvironment::of_this_process()?;
    let folder = args.cwd.as_ref().map_or_else(|| known.cwd.clone(), |folder| known.cwd.join(folder));
    if !folder.join(profile.project_folder).exists() {
        return Ok(course);
    }
    output::remark(&format!(
        "{} reads no settings in this run, because those in {} may start programs. --trust-workspace lets it read them",
        profile.title, profile.project_folder
    ));
    Ok(TrustDecision::Without { is_shown: true })
}

/// Lets an agent take its course. An agent that is not this program's own trusts every folder it is started in; without
/// trust it is started to read no files of the project: no settings, and no CLAUDE.md either.
pub(super) fn apply(
    course: TrustDecision,
    builder: Builder,
    agent: &AgentProgram,
    profile: Profile,
) -> Builder {
    match (course, agent.is_builtin) {
        (TrustDecision::Vouched, true) => builder.argument("--trust-workspace"),
        (TrustDecision::Without { is_shown: true }, true) => {
            let mut trust = WorkspaceTrust::new();
            trust.accepted = Some(false);
            let mut request = InitializeRequest::new();
            request.workspace_trust = Some(trust);
            builder.initialize(request)
        }
        (TrustDecision::Without { .. }, false) => profile
            .untrusted
            .into_iter()
            .flatten()
            .fold(builder, |builder, argument| builder.argument(*argument)),
        _ => builder,
    }
}
