//! Services that are called instead of the public Messages API.

use crate::environment::Environment;

/// A service, by the variable that chooses it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Provider {
    variable: &'static str,
    /// Its name for programs.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
}

/// The services that can be called; the first that is chosen counts.
const PROVIDERS: &[Provider] = &[
    Provider { variable: "CLAUDE_CODE_USE_BEDROCK", name: "bedrock", title: "Amazon Bedrock" },
    Provider { variable: "CLAUDE_CODE_USE_VERTEX", name: "vertex", title: "Google Vertex AI" },
    Provider { variable: "CLAUDE_CODE_USE_FOUNDRY", name: "foundry", title: "Microsoft Foundry" },
];

impl Provider {
    /// The one that the environment chooses; none for the Messages API.
    pub(crate) fn of(environment: &Environment) -> Option<&'static Provider> {
        PROVIDERS.iter().find(|provider| environment.flag(provider.variable))
    }
}
