//! `auth status`: which credentials are in effect. No value of a credential is printed.

use serde::Serialize;

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;
use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::key_helper::KEY_HELPER;
use crate::provider::Provider;

/// Variables with a token, the one that counts first.
const TOKENS: [&str; 2] = ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

const API_KEY: &str = "ANTHROPIC_API_KEY";

/// Where other programs of this kind keep a login, in the folder of the user's settings.
const STORED_LOGIN: &str = ".credentials.json";

/// What hosts read. The order and the names of the members are theirs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthReport {
    logged_in: bool,
    auth_method: &'static str,
    api_provider: &'static str,
    analytics_disabled: bool,
    projects_directory: String,
    config_directory: String,
    login_expires_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    console_profile_sign_in_offered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key_source: Option<&'static str>,
}

/// The credentials that are there.
#[derive(Debug, Default)]
struct FoundCredentials {
    /// The provider, unless it is the usual one.
    provider: Option<&'static Provider>,
    /// Where a token comes from.
    token: Option<&'static str>,
    /// Where a token comes from, also one that does not count.
    any_token: Option<&'static str>,
    /// Where a key comes from.
    key: Option<&'static str>,
    has_helper: bool,
}

impl FoundCredentials {
    fn of(environment: &Environment, configuration: &Configuration) -> Self {
        let has_helper = configuration.text(KEY_HELPER).is_some_and(|command| !command.trim().is_empty());
        let has_key = environment.variable(API_KEY).is_some();
        let token = TOKENS.into_iter().find(|name| environment.variable(name).is_some());
        FoundCredentials {
            provider: Provider::of(environment),
            // A key counts before the token of a login.
            token: token.filter(|name| *name == TOKENS[0] || !(has_key || has_helper)),
            any_token: token,
            key: if has_key { Some(API_KEY) } else { has_helper.then_some(KEY_HELPER) },
            has_helper,
        }
    }

    fn method(&self) -> &'static str {
        match (self.provider, self.token) {
            (Some(_), _) => "third_party",
            (None, Some(_)) => "oauth_token",
            (None, None) if self.has_helper => "api_key_helper",
            (None, None) if self.key.is_some() => "api_key",
            (None, None) => "none",
        }
    }
}

/// `auth status`. The exit code is 1 if no user is logged in.
pub(super) fn status(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let (configuration, environment) = context.configuration()?;
    let credentials = FoundCredentials::of(&environment, &configuration);
    let is_logged_in = credentials.method() != "none";
    if given.has("--text") {
        console.print(&shown(&credentials, &environment));
    } else {
        let status = AuthReport {
            logged_in: is_logged_in,
            auth_method: credentials.method(),
            api_provider: credentials.provider.map_or("firstParty", |provider| provider.name),
            // There are no analytics here.
            analytics_disabled: true,
            projects_directory: environment.config.join("projects").display().to_string(),
            config_directory: environment.config.display().to_string(),
            login_expires_at: None,
            console_profile_sign_in_offered: credentials.provider.is_none().then_some(false),
            api_key_source: credentials.key,
        };
        let text = serde_json::to_string_pretty(&status).map_err(SubcommandError::Output)?;
        console.print(&format!("{text}\n"));
    }
    for unused in unused(&credentials, &environment) {
        console.warn(&unused);
    }
    Ok(u8::from(!is_logged_in))
}

/// Credentials of other programs, which have no effect here.
fn unused(credentials: &FoundCredentials, environment: &Environment) -> Vec<String> {
    let mut notes = Vec::new();
    let stored = environment.config.join(STORED_LOGIN);
    if stored.exists() {
        notes.push(format!(
            "Note: {} is the login of another program. This agent neither reads nor uses it.",
            stored.display()
        ));
    }
    if credentials.any_token == Some(TOKENS[1]) {
        notes.push(format!(
            "Note: {} is the login of another program. This agent does not send it.",
            TOKENS[1]
        ));
    }
    notes
}

/// The same for people.
fn shown(credentials: &FoundCredentials, environment: &Environment) -> String {
    let mut lines = Vec::new();
    if let Some(provider) = credentials.provider {
        lines.push(format!("API provider: {}", provider.title));
        lines.extend(details(provider.name, environment));
        return lines.join("\n") + "\n";
    }
    let helper = credentials.has_helper.then_some(KEY_HELPER);
    let token = credentials.any_token.filter(|_| credentials.has_helper).or(credentials.token).or(helper);
    lines.extend(token.map(|source| format!("Auth token: {source}")));
    let key = credentials.key.filter(|source| *source == API_KEY);
    lines.extend(key.map(|source| format!("API key: {source}")));
    lines.extend(environment.variable("ANTHROPIC_BASE_URL").map(|url| format!("Anthropic base URL: {url}")));
    if credentials.method() == "none" {
        lines.push(format!("Not logged in. Set {API_KEY}, or {} for a gateway.", TOKENS[0]));
    }
    lines.join("\n") + "\n"
}

/// What a service is called with, for people.
fn details(provider: &str, environment: &Environment) -> Vec<String> {
    let variable = |name: &str| environment.variable(name);
    let line = |title: &str, name: &str| variable(name).map(|value| format!("{title}: {value}"));
    let skipped = |title: &str, name: &str| environment.flag(name).then(|| format!("{title} auth skipped"));
    let lines = match provider {
        "bedrock" => {
            let region =
                line("AWS region", "AWS_REGION").or_else(|| line("AWS region", "AWS_DEFAULT_REGION"));
            let usual = "AWS region: us-east-1 (default — set AWS_REGION or add a region to your AWS config)";
            vec![
                line("Bedrock base URL", "ANTHROPIC_BEDROCK_BASE_URL"),
                Some(region.unwrap_or_else(|| usual.to_owned())),
                skipped("AWS", "CLAUDE_CODE_SKIP_BEDROCK_AUTH"),
            ]
        }
        "vertex" => vec![
            line("Vertex base URL", "ANTHROPIC_VERTEX_BASE_URL"),
            line("GCP project", "ANTHROPIC_VERTEX_PROJECT_ID"),
            Some(format!("Default region: {}", variable("CLOUD_ML_REGION").unwrap_or("us-east5"))),
            skipped("GCP", "CLAUDE_CODE_SKIP_VERTEX_AUTH"),
        ],
        _ => vec![
            line("Microsoft Foundry base URL", "ANTHROPIC_FOUNDRY_BASE_URL"),
            line("Microsoft Foundry resource", "ANTHROPIC_FOUNDRY_RESOURCE"),
            skipped("Microsoft Foundry", "CLAUDE_CODE_SKIP_FOUNDRY_AUTH"),
        ],
    };
    lines.into_iter().flatten().collect()
}
