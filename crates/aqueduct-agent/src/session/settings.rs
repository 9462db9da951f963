//! Settings that change while the session runs, and what they take effect on.

use aqueduct_rules::Source;
use aqueduct_sandbox::SandboxEnvironment;

use super::AgentSession;
use crate::configuration::{self, ConfigurationError};
use crate::diagnostic::Diagnostic;
use crate::subagent::RunningSubagent;
use aqueduct_tools::Hidden;
use aqueduct_wire::hint::{Hint, HintedError};

/// Settings of the host that can't be applied.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HostSettingsError {
    /// Rules can't be read, or a mode can't be entered.
    #[error(transparent)]
    Rules(#[from] aqueduct_rules::Error),
    /// Members have another shape.
    #[error("nothing is applied: {} has another shape than it must have", .0.join(", "))]
    Shape(Vec<String>),
    /// They are not settings.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
}

impl HintedError for HostSettingsError {
    fn hint(&self) -> Option<Hint> {
        match self {
            HostSettingsError::Rules(error) => error.hint(),
            HostSettingsError::Configuration(error) => error.hint(),
            HostSettingsError::Shape(_) => None,
        }
    }
}

impl AgentSession {
    /// Applies settings that the host sends while the session runs.
    pub(crate) async fn apply_flag_settings(&self, text: &str) -> Result<(), HostSettingsError> {
        let (settings, errors) = aqueduct_rules::settings::read("settings", text);
        if let Some(error) = errors.into_iter().next() {
            return Err(error.into());
        }
        let wrong = configuration::misfits(&serde_json::from_str(text).unwrap_or_default());
        if !wrong.is_empty() {
            return Err(HostSettingsError::Shape(wrong));
        }
        self.permissions.apply_flag_settings(&settings)?;
        let diagnostics = self.configuration().apply(Source::FlagSettings, text)?;
        for diagnostic in diagnostics {
            self.send_diagnostic(&diagnostic).await;
        }
        let was_on = self.tool_context.commands.sandbox.policy().enabled;
        self.renew_sandbox();
        self.renew_key_helper();
        for warning in self.tool_context.commands.sandbox.warnings().into_iter().filter(|_| !was_on) {
            self.send_diagnostic(&Diagnostic::warning(warning)).await;
        }
        Ok(())
    }

    /// Applies the settings of the host's organisation; whether they take effect. If the machine has managed settings,
    /// only those do.
    pub(crate) async fn take_in_policy(&self, text: &str) -> Result<bool, HostSettingsError> {
        let (settings, errors) = aqueduct_rules::settings::read("managedSettings", text);
        if let Some(error) = errors.into_iter().next() {
            return Err(error.into());
        }
        let diagnostics = {
            let mut configuration = self.configuration();
            if configuration.has_policy() {
                return Ok(false);
            }
            configuration.apply(Source::PolicySettings, text)?
        };
        self.permissions.apply_policy(&settings);
        for diagnostic in diagnostics {
            self.send_diagnostic(&diagnostic).await;
        }
        self.renew_sandbox();
        self.renew_key_helper();
        Ok(true)
    }

    /// Updates the sandbox after a change of settings or rules.
    pub(crate) fn renew_sandbox(&self) {
        let mut policy = self.configuration().sandbox(&self.environment);
        policy.add_rules(&self.permissions.rules(), &SandboxEnvironment::from(&*self.environment));
        self.tool_context.commands.sandbox.set(policy);
    }

    /// Updates which files searches skip because of rules, for the agent or a subagent.
    pub(crate) fn hide_files(&self, by: Option<&RunningSubagent>) {
        let tool_context = self.tool_context_of(by);
        let hidden = Hidden::by(&self.permissions.rules(), &tool_context.workspace.cwd());
        tool_context.files.hide(hidden);
    }
}
