//! `auth status`: which credentials are in effect. No value of a credential is printed.

use serde::Serialize;

use super::context::{Console, Context};
use super::parse::Given;
use crate::configuration::Configuration;
use crate::environment::Environment;

/// Providers by the variable that chooses them, with their names for programs and for people.
const PROVIDERS: &[(&str, &str, &str)] = &[
    ("CLAUDE_CODE_USE_BEDROCK", "bedrock", "Amazon Bedrock"),
    ("CLAUDE_CODE_USE_VERTEX", "vertex", "Google Vertex AI"),
    ("CLAUDE_CODE_USE_FOUNDRY", "foundry", "Microsoft Foundry"),
];

/// Variables with a token, the one that counts first.
const TOKENS: [&str; 2] = ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

const API_KEY: &str = "ANTHROPIC_API_KEY";
const KEY_HELPER: &str = "apiKeyHelper";

/// What hosts read. The order and the names of the members are theirs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
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
struct Credentials {
    /// The provider, unless it is the usual one.
    provider: Option<(&'static str, &'static str)>,
    /// Where a token comes from.
    token: Option<&'static str>,
    /// Where a key comes from.
    key: Option<&'static str>,
    has_helper: bool,
}

impl Credentials {
    fn of(environment: &Environment, configuration: &Configuration) -> Self {
        let provider = PROVIDERS.iter().find(|(variable, ..)| environment.flag(variable));
        let has_helper = configuration.text(KEY_HELPER).is_some();
        let has_key = environment.variable(API_KEY).is_some();
        let token = TOKENS.into_iter().find(|name| environment.variable(name).is_some());
        Credentials {
            provider: provider.map(|(_, name, shown)| (*name, *shown)),
            // A key counts before the token of a login.
            token: token.filter(|name| *name == TOKENS[0] || !(has_key || has_helper)),
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

/// `auth status`. The exit code is 1 where nobody is logged in.
pub(super) fn status(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let (configuration, environment) = context.configuration()?;
    let credentials = Credentials::of(&environment, &configuration);
    let is_logged_in = credentials.method() != "none";
    if given.has("--text") {
        console.print(&shown(&credentials, &environment));
    } else {
        let status = Status {
            logged_in: is_logged_in,
            auth_method: credentials.method(),
            api_provider: credentials.provider.map_or("firstParty", |(name, _)| name),
            // There are no analytics here.
            analytics_disabled: true,
            projects_directory: environment.config.join("projects").display().to_string(),
            config_directory: environment.config.display().to_string(),
            login_expires_at: None,
            console_profile_sign_in_offered: credentials.provider.is_none().then_some(false),
            api_key_source: credentials.key,
        };
        let text = serde_json::to_string_pretty(&status).map_err(|error| error.to_string())?;
        console.print(&format!("{text}\n"));
    }
    Ok(u8::from(!is_logged_in))
}

/// The same for people.
fn shown(credentials: &Credentials, environment: &Environment) -> String {
    let mut lines = Vec::new();
    if let Some((name, shown)) = credentials.provider {
        lines.push(format!("API provider: {shown}"));
        let variable = |name: &str| environment.variable(name).map(str::to_owned);
        match name {
            "bedrock" => {
                let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"));
                lines.push(match region {
                    Some(region) => format!("AWS region: {region}"),
                    None => {
                        "AWS region: us-east-1 (default — set AWS_REGION or add a region to your AWS config)"
                            .to_owned()
                    }
                });
            }
            "vertex" => {
                lines.extend(
                    variable("ANTHROPIC_VERTEX_PROJECT_ID").map(|project| format!("GCP project: {project}")),
                );
                let region = variable("CLOUD_ML_REGION").unwrap_or_else(|| "us-east5".to_owned());
                lines.push(format!("Default region: {region}"));
            }
            _ => (),
        }
        return lines.join("\n") + "\n";
    }
    let token = credentials.token.or(credentials.has_helper.then_some(KEY_HELPER));
    lines.extend(token.map(|source| format!("Auth token: {source}")));
    let key = credentials.key.filter(|source| *source == API_KEY);
    lines.extend(key.map(|source| format!("API key: {source}")));
    lines.extend(environment.variable("ANTHROPIC_BASE_URL").map(|url| format!("Anthropic base URL: {url}")));
    if credentials.method() == "none" {
        lines.push(format!("Not logged in. Set {API_KEY}, or {} for a gateway.", TOKENS[0]));
    }
    lines.join("\n") + "\n"
}
