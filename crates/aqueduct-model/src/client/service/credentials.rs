//! The credentials of a client's calls.

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};

#[cfg(feature = "vertex")]
use super::google;
use super::{Bedrock, BedrockAuth, Service, Vertex, VertexAuth};
#[cfg(feature = "bedrock")]
use super::{aws, explain::aws_source};
use crate::client::Endpoint;
use crate::client::endpoint::secret;
use crate::error::{Error, ErrorKind};

/// What authenticates the calls of a client: made once, so that tokens are fetched once.
#[derive(Debug, Default)]
pub(in crate::client) struct ServiceCredentials {
    #[cfg(feature = "bedrock")]
    aws: tokio::sync::OnceCell<aws::Aws>,
    #[cfg(feature = "vertex")]
    google: tokio::sync::OnceCell<google::Google>,
}

impl ServiceCredentials {
    /// The service refused the credentials of a call: fetches new ones, where that may help.
    pub(in crate::client) async fn renew(&self) -> bool {
        #[cfg(feature = "vertex")]
        if let Some(google) = self.google.get() {
            return google.renew().await;
        }
        false
    }

    /// The tokens that were fetched, to keep them out of errors.
    pub(in crate::client) fn fetched(&self) -> Vec<String> {
        #[cfg(feature = "vertex")]
        if let Some(google) = self.google.get() {
            return google.fetched();
        }
        Vec::new()
    }

    /// Adds the credentials of a call to its headers.
    pub(in crate::client) async fn add(
        &self,
        endpoint: &Endpoint,
        url: &Url,
        headers: &mut HeaderMap,
        body: &[u8],
    ) -> Result<(), Error> {
        match &endpoint.service {
            Service::Api => endpoint.add_helped(headers).await,
            Service::Bedrock(Bedrock { auth: BedrockAuth::None, .. })
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
                         the home, and from the machine",
                        aws_source(variables)
                    );
                    Error::plain(ErrorKind::Authentication, message).with_hint(
                        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or \
                         AWS_BEARER_TOKEN_BEDROCK, or log in with `aws sso login`.",
                    )
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
                let feature = if matches!(service, Service::Vertex(_)) { "vertex" } else { "bedrock" };
                let message = format!("This build can't load credentials for {}", service.name());
                let hint = format!("Build it with the feature `{feature}`, which is on by default.");
                Err(Error::plain(ErrorKind::Authentication, message).with_hint(hint))
            }
        }
    }
}

#[cfg(feature = "vertex")]
fn no_google(reason: google::TokenError) -> Error {
    let message = format!("Could not get a Google access token: {reason}");
    Error::plain(ErrorKind::Authentication, message).with_hint(
        "Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account, or run \
         `gcloud auth application-default login`.",
    )
}
