use std::fs;
use std::path::PathBuf;

use aqueduct_rules::{Behavior, Context, Error, Mode, Source, credential_places};

use super::Configuration;
use super::provided::rank;
use crate::environment::Environment;
use crate::options::split_list;

/// The permission options of the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct StartOptions {
    /// `--allowed-tools`: rules, or lists of them.
    pub(crate) allowed_tools: Vec<String>,
    /// `--disallowed-tools`.
    pub(crate) disallowed_tools: Vec<String>,
    /// `--add-dir`.
    pub(crate) directories: Vec<PathBuf>,
    /// `--permission-mode`, or bypassing by `--dangerously-skip-permissions`.
    pub(crate) mode: Option<Mode>,
    /// `--allow-dangerously-skip-permissions`: bypassing can be entered later.
    pub(crate) allows_bypass: bool,
    /// No user can be asked: calls that need a prompt are denied.
    pub(crate) avoids_prompts: bool,
}

impl Configuration {
    /// The permission context that a session starts with. The one thing that can fail is a mode that the
    /// command line asks for and a policy forbids.
    pub(crate) fn rules(&self, environment: &Environment, options: &StartOptions) -> Result<Context, Error> {
        let policy = |scope: &&super::scope::SettingsScope| scope.source == Source::PolicySettings;
        let managed_only = self.scopes.iter().filter(policy).any(|scope| scope.settings.managed_rules_only);
        let mut context = Context::new(environment.cwd.to_string_lossy())
            .with_home(environment.home.to_string_lossy())
            .with_config_folder(environment.config.to_string_lossy())
            .with_managed_rules_only(managed_only)
            .with_bypass_available(options.allows_bypass)
            .with_bypass_disabled(self.scopes.iter().any(|scope| scope.settings.disables_bypass))
            .with_prompts_avoided(options.avoids_prompts)
            .with_credentials(credential_places(|name| environment.variable(name)))
            // Glob and Grep show nothing of a file that a rule forbids, nor of credentials.
            .with_searches_filtered(true);
        for scope in &self.scopes {
            scope.settings.add_to(&mut context, scope.source);
        }
        for (behavior, lists) in
            [(Behavior::Allow, &options.allowed_tools), (Behavior::Deny, &options.disallowed_tools)]
        {
            // The agent reports what can't be used when it starts, and starts all the same, as the reference does.
            let _ =
                context.add_rules(Source::CliArg, behavior, lists.iter().flat_map(|list| split_list(list)));
        }
        for folder in &options.directories {
            let path = environment.cwd.join(folder);
            let real = fs::canonicalize(&path).unwrap_or(path);
            context.add_directories(Source::CliArg, [real.to_string_lossy()]);
        }
        match (options.mode, self.default_mode()) {
            (Some(mode), _) => context.with_mode(mode),
            // A policy that forbids the mode of a settings file leaves the default one.
            (None, Some(mode)) => Ok(context.clone().with_mode(mode).unwrap_or(context)),
            (None, None) => Ok(context),
        }
    }

    /// The mode that the settings ask for. A project may choose a more careful one than the user has; one that waives
    /// questions takes the user's trust and is withheld without it, and bypassing is never a project's to choose.
    fn default_mode(&self) -> Option<Mode> {
        let mut chosen = None;
        for scope in &self.scopes {
            let Some(mode) = scope.settings.default_mode else { continue };
            let counts = match mode {
                _ if !scope.source.comes_with_the_project() => true,
                Mode::BypassPermissions => false,
                Mode::AcceptEdits => true,
                _ => rank(mode) <= rank(chosen.unwrap_or_default()),
            };
            if counts {
                chosen = Some(mode);
            }
        }
        chosen
    }
}
