//! The services that serve models: the public Messages API and its gateways, Amazon Bedrock, Google Vertex AI.
//!
//! They differ in addresses, model ids, a few members of the body, credentials, and Bedrock in the framing of the
//! stream. The events of the stream are the same.

#[cfg(feature = "bedrock")]
mod aws;
mod body;
#[cfg(feature = "vertex")]
mod google;
mod model_id;
mod variables;

use std::collections::HashMap;
use std::fmt;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};

pub use self::variables::Variables;
use super::address;
use super::endpoint::secret;
use crate::error::{Error, ErrorKind};
use crate::request::Request;

/// Which service serves the model.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Service {
    /// A Messages API: the public one, a gateway, a local server.
    #[default]
    Api,
    /// Amazon Bedrock.
    Bedrock(Bedrock),
    /// Google Vertex AI.
    Vertex(Vertex),
}

/// Amazon Bedrock.
#[derive(Debug, Clone)]
pub struct Bedrock {
    /// The AWS region.
    pub region: String,
    /// How calls are authenticated.
    pub auth: BedrockAuth,
}

/// How calls of Bedrock are authenticated.
#[derive(Clone)]
#[non_exhaustive]
pub enum BedrockAuth {
    /// Not at all: a gateway adds the credentials.
    None,
    /// With a Bedrock API key.
    Bearer(String),
    /// With a signature by the AWS credentials that these variables, the files in the home or the machine have.
    Aws(Variables),
}

/// Google Vertex AI.
#[derive(Debug, Clone)]
pub struct Vertex {
    /// The Google Cloud project.
    pub project: String,
    /// The region, `global`, or a multi-region: `us`, `eu`.
    pub region: String,
    /// Regions of single models, by variables such as `VERTEX_REGION_CLAUDE_4_5_SONNET`.
    pub model_regions: HashMap<String, String>,
    /// How calls are authenticated.
    pub auth: VertexAuth,
}

/// How calls of Vertex AI are authenticated.
#[derive(Clone)]
#[non_exhaustive]
pub enum VertexAuth {
    /// Not at all: a gateway adds the credentials.
    None,
    /// With a token of the Google credentials that these variables, the files in the home or the machine have.
    Google(Variables),
}

impl fmt::Debug for BedrockAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BedrockAuth::None => "None",
            BedrockAuth::Bearer(_) => "Bearer",
            BedrockAuth::Aws(_) => "Aws",
        })
    }
}

impl fmt::Debug for VertexAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VertexAuth::None => "None",
            VertexAuth::Google(_) => "Google",
        })
    }
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// A model answers.
    Messages,
    /// The tokens of a prompt are counted.
    CountTokens,
}

impl Service {
    /// The name of the service in messages.
    fn name(&self) -> &'static str {
        match self {
            Service::Api => "the API",
            Service::Bedrock(_) => "Amazon Bedrock",
            Service::Vertex(_) => "Vertex AI",
        }
    }

    /// The model that an alias stands for with this service, where it is another one than with the public API:
    /// new models come to the others later.
    pub fn alias(&self, alias: &str) -> Option<&'static str> {
        match (self, alias) {
            (Service::Api, _) => None,
            (_, "sonnet" | "opusplan") => Some("claude-sonnet-4-5-20250929"),
            (_, "haiku") => Some("claude-haiku-4-5-20251001"),
            _ => None,
        }
    }

    /// The variable that names the address.
    pub(super) fn base_variable(&self) -> &'static str {
        match self {
            Service::Api => "ANTHROPIC_BASE_URL",
            Service::Bedrock(_) => "ANTHROPIC_BEDROCK_BASE_URL",
            Service::Vertex(_) => "ANTHROPIC_VERTEX_BASE_URL",
        }
    }

    /// The address where none is configured; `model` may have a region of its own.
    pub(super) fn default_base(&self, model: &str) -> String {
        match self {
            Service::Api => super::PUBLIC_API.to_owned(),
            Service::Bedrock(Bedrock { region, .. }) => {
                let end = if region.starts_with("cn-") { ".cn" } else { "" };
                format!("https://bedrock-runtime.{region}.amazonaws.com{end}")
            }
            Service::Vertex(vertex) => match vertex.region_of(model) {
                "global" => "https://aiplatform.googleapis.com/v1".to_owned(),
                region @ ("us" | "eu") => format!("https://aiplatform.{region}.rep.googleapis.com/v1"),
                region => format!("https://{region}-aiplatform.googleapis.com/v1"),
            },
        }
    }

    /// The address of an operation.
    pub(super) fn url(&self, base: &str, request: &Request, operation: Operation) -> Result<Url, Error> {
        let variable = self.base_variable();
        match (self, operation) {
            (Service::Api, Operation::Messages) => address::below(base, variable, "/v1/messages"),
            (Service::Api, Operation::CountTokens) => {
                address::below(base, variable, "/v1/messages/count_tokens")
            }
            (Service::Bedrock(bedrock), Operation::Messages) => {
                let id = model_id::bedrock(request.model_name(), &bedrock.region);
                // A slash is part of the id; other characters of ids can be sent as they are.
                let id = id.replace('%', "%25").replace('/', "%2F").replace(['?', '#', ' '], "");
                address::below(base, variable, &format!("/model/{id}/invoke-with-response-stream"))
            }
            (Service::Bedrock(_), Operation::CountTokens) => {
                let message = "Amazon Bedrock does not count tokens here. The count is estimated instead.";
                Err(Error::plain(ErrorKind::NotFound, message.to_owned()))
            }
            (Service::Vertex(vertex), operation) => {
                let id = model_id::vertex(request.model_name());
                let region = vertex.region_of(&id);
                let call = match operation {
                    Operation::Messages => {
                        format!("{}:streamRawPredict", id.replace(['/', '?', '#', ' '], ""))
                    }
                    Operation::CountTokens => "count-tokens:rawPredict".to_owned(),
                };
                let path = format!(
                    "/projects/{}/locations/{region}/publishers/anthropic/models/{call}",
                    vertex.project
                );
                address::below(base, variable, &path)
            }
        }
    }

    /// The body of an operation.
    pub(super) fn body(&self, request: &Request, operation: Operation) -> String {
        let json = match operation {
            Operation::Messages => request.to_json(),
            Operation::CountTokens => request.to_count_json(),
        };
        match self {
            Service::Api => json,
            Service::Bedrock(_) => body::bedrock(&json, &request.beta_names()),
            Service::Vertex(_) => body::vertex(&json, &model_id::vertex(request.model_name()), operation),
        }
    }

    /// The names of beta features that belong into the header.
    pub(super) fn header_betas(&self, request: &Request) -> Option<String> {
        let mut betas = request.beta_names();
        if let Service::Bedrock(_) = self {
            betas.retain(|name| !body::BEDROCK_BETAS.contains(name));
        }
        (!betas.is_empty()).then(|| betas.join(","))
    }

    /// What must not appear in messages.
    pub(super) fn secrets(&self) -> Vec<&String> {
        let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
        match self {
            Service::Bedrock(Bedrock { auth: BedrockAuth::Bearer(token), .. }) => vec![token],
            Service::Bedrock(Bedrock { auth: BedrockAuth::Aws(variables), .. }) => {
                names.iter().filter_map(|name| variables.values.get(*name)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether calls go without a key of the Messages API.
    pub(super) fn has_own_credentials(&self) -> bool {
        !matches!(self, Service::Api)
    }

    /// An error with what to check for this service, where that differs from the Messages API: which credentials
    /// were used.
    pub(super) fn explain(&self, mut error: Error) -> Error {
        if matches!(self, Service::Api) || error.status.is_none() {
            return error;
        }
        if let Some(said) = error.said.as_deref().and_then(body::plain_message) {
            error.said = Some(said);
        }
        if !matches!(error.kind, ErrorKind::Authentication | ErrorKind::Permission | ErrorKind::NotFound) {
            return error;
        }
        let status = error.status.unwrap_or_default();
        let said = error.said.as_deref().unwrap_or("no reason given");
        let said = said.trim_end_matches('.');
        error.message = match error.kind {
            ErrorKind::NotFound => format!(
                "{} has no such model or address ({status}: {said}). Check the model's id, the region and {}.",
                self.name(),
                self.base_variable()
            ),
            _ => format!("{} denies access ({status}: {said}). {}", self.name(), self.tried()),
        };
        error
    }

    /// Which credentials were used.
    fn tried(&self) -> String {
        match self {
            Service::Api => String::new(),
            Service::Bedrock(Bedrock { region, auth }) => match auth {
                BedrockAuth::None => {
                    "No credentials were sent, because CLAUDE_CODE_SKIP_BEDROCK_AUTH is set: the gateway adds them."
                        .to_owned()
                }
                BedrockAuth::Bearer(_) => format!(
                    "The call used AWS_BEARER_TOKEN_BEDROCK for the region {region}. Renew it, or check its access \
                     to the model."
                ),
                BedrockAuth::Aws(variables) => format!(
                    "The call used {} for the region {region}. Renew these credentials, or check their access to \
                     the model.",
                    aws_source(variables)
                ),
            },
            Service::Vertex(Vertex { project, auth, .. }) => match auth {
                VertexAuth::None => {
                    "No credentials were sent, because CLAUDE_CODE_SKIP_VERTEX_AUTH is set: the gateway adds them."
                        .to_owned()
                }
                VertexAuth::Google(variables) => format!(
                    "The call used {} for the project {project}. Renew these credentials, or check their access to \
                     the model.",
                    google_source(variables)
                ),
            },
        }
    }
}

impl Vertex {
    /// The region of a model.
    fn region_of(&self, model: &str) -> &str {
        let variable = model_id::vertex_region_variable(model);
        variable.and_then(|name| self.model_regions.get(&name)).unwrap_or(&self.region)
    }
}

/// Where AWS credentials come from, as far as variables tell.
fn aws_source(variables: &Variables) -> String {
    match (variables.get("AWS_ACCESS_KEY_ID"), variables.get("AWS_PROFILE")) {
        (Some(_), _) => "the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".to_owned(),
        (None, Some(profile)) => format!("the AWS profile {profile}"),
        (None, None) if variables.get("AWS_WEB_IDENTITY_TOKEN_FILE").is_some() => {
            "the web identity in AWS_WEB_IDENTITY_TOKEN_FILE".to_owned()
        }
        (None, None) => "the default AWS credentials".to_owned(),
    }
}

/// Where Google credentials come from, as far as variables tell.
fn google_source(variables: &Variables) -> String {
    match variables.get("GOOGLE_APPLICATION_CREDENTIALS") {
        Some(file) => format!("the credentials in {file} (GOOGLE_APPLICATION_CREDENTIALS)"),
        None => "the application default credentials".to_owned(),
    }
}

/// What authenticates the calls of a client: made once, so that tokens are fetched once.
#[derive(Debug, Default)]
pub(super) struct Credentials {
    #[cfg(feature = "bedrock")]
    aws: tokio::sync::OnceCell<aws::Aws>,
    #[cfg(feature = "vertex")]
    google: tokio::sync::OnceCell<google::Google>,
}

impl Credentials {
    /// Adds the credentials of a call to its headers.
    pub(super) async fn add(
        &self,
        endpoint: &super::Endpoint,
        url: &Url,
        headers: &mut HeaderMap,
        body: &[u8],
    ) -> Result<(), Error> {
        match &endpoint.service {
            Service::Api
            | Service::Bedrock(Bedrock { auth: BedrockAuth::None, .. })
            | Service::Vertex(Vertex { auth: VertexAuth::None, .. }) => Ok(()),
            Service::Bedrock(Bedrock { auth: BedrockAuth::Bearer(token), .. }) => {
                let token = format!("Bearer {token}");
                let value = secret(&token, ErrorKind::Authentication, "AWS_BEARER_TOKEN_BEDROCK")?;
                headers.insert(AUTHORIZATION, value);
                Ok(())
            }
            #[cfg(feature = "bedrock")]
            Service::Bedrock(Bedrock { auth: BedrockAuth::Aws(variables), region }) => {
                let aws =
                    self.aws.get_or_init(async || aws::Aws::new(variables, region, &endpoint.proxy)).await;
                aws.sign(url, headers, body).await.map_err(|reason| {
                    let message = format!(
                        "Could not load AWS credentials: {reason}. They were looked for in {}, in the AWS files of \
                         the home, and from the machine. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
                         AWS_PROFILE or AWS_BEARER_TOKEN_BEDROCK, or log in with `aws sso login`.",
                        aws_source(variables)
                    );
                    Error::plain(ErrorKind::Authentication, message)
                })
            }
            #[cfg(feature = "vertex")]
            Service::Vertex(Vertex { auth: VertexAuth::Google(variables), .. }) => {
                let google = self
                    .google
                    .get_or_try_init(|| google::Google::new(variables))
                    .await
                    .map_err(no_google)?;
                let token = google.token().await.map_err(no_google)?;
                let token = format!("Bearer {token}");
                headers.insert(AUTHORIZATION, secret(&token, ErrorKind::Authentication, "Google's token")?);
                Ok(())
            }
            #[allow(unreachable_patterns, reason = "which services are built depends on features")]
            service => {
                let _ = (url, body);
                let message = format!("this build has no credentials for {}.", service.name());
                Err(Error::plain(ErrorKind::Authentication, message))
            }
        }
    }
}

#[cfg(feature = "vertex")]
fn no_google(reason: String) -> Error {
    let message = format!(
        "Could not get a Google access token: {reason}. Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a \
         service account, or run `gcloud auth application-default login`."
    );
    Error::plain(ErrorKind::Authentication, message)
}
