//! The services that serve models: the public Messages API and its gateways, Amazon Bedrock, Google Vertex AI.
//!
//! They differ in addresses, model ids, a few members of the body, credentials, and Bedrock in the framing of the
//! stream. The events of the stream are the same.

#[cfg(feature = "bedrock")]
mod aws;
mod body;
mod credentials;
mod explain;
#[cfg(feature = "vertex")]
mod google;
mod model_id;
mod variables;

use std::collections::HashMap;
use std::fmt;

use reqwest::Url;

pub(super) use self::credentials::ServiceCredentials;
pub use self::variables::Variables;
use super::address;
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

    /// The model that an alias denotes with this service, where it is another one than with the public API:
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
                let error = Error::plain(ErrorKind::NotFound, "Amazon Bedrock does not count tokens here");
                Err(error.with_hint("The count is estimated instead."))
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
}

impl Vertex {
    /// The region of a model.
    fn region_of(&self, model: &str) -> &str {
        let variable = model_id::vertex_region_variable(model);
        variable.and_then(|name| self.model_regions.get(&name)).unwrap_or(&self.region)
    }
}
