//! What went wrong with a service, and which credentials were used.

use super::{Bedrock, BedrockAuth, Service, Variables, Vertex, VertexAuth, body};
use crate::error::{Error, ErrorKind};

impl Service {
    /// An error with what to check for this service, where that differs from the Messages API: which credentials
    /// were used.
    pub(in crate::client) fn explain(&self, mut error: Error) -> Error {
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
        let (what, hint) = match error.kind {
            ErrorKind::NotFound => {
                let hint = format!("Check the model's id, the region and {}.", self.base_variable());
                ("has no such model or address", hint)
            }
            _ => ("denies access", self.tried()),
        };
        let message = format!("{} {what} ({status}: {said})", self.name());
        Error { message, ..error }.with_hint(hint)
    }

    /// Which credentials were used, and what to do about them.
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

/// Where AWS credentials come from, as far as variables show.
pub(super) fn aws_source(variables: &Variables) -> String {
    match (variables.get("AWS_ACCESS_KEY_ID"), variables.get("AWS_PROFILE")) {
        (Some(_), _) => "the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".to_owned(),
        (None, Some(profile)) => format!("the AWS profile {profile}"),
        (None, None) if variables.get("AWS_WEB_IDENTITY_TOKEN_FILE").is_some() => {
            "the web identity in AWS_WEB_IDENTITY_TOKEN_FILE".to_owned()
        }
        (None, None) => "the default AWS credentials".to_owned(),
    }
}

/// Where Google credentials come from, as far as variables show.
fn google_source(variables: &Variables) -> String {
    match variables.get("GOOGLE_APPLICATION_CREDENTIALS") {
        Some(file) => format!("the credentials in {file} (GOOGLE_APPLICATION_CREDENTIALS)"),
        None => "the application default credentials".to_owned(),
    }
}
