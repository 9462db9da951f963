use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use reqwest::header::HeaderValue;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::SignInError;
use super::metadata::IssuerMetadata;
use super::shown::shown;
use super::web::{AuthWeb, encoded, text};

/// The name under which we register, which users see when they sign in.
const CLIENT_NAME: &str = "Aqueduct";

/// Ourselves, as an authorization server knows us.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OAuthClient {
    pub(super) id: String,
    /// A secret that the authorization server gave, though a program on the user's machine can keep none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// How we authenticate at the token endpoint.
    method: ClientMethod,
    /// Where browsers are sent back to.
    pub(super) redirect: String,
    /// It was registered for us, and can be registered again.
    pub(super) is_registered: bool,
}

/// How a client authenticates at the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ClientMethod {
    None,
    ClientSecretBasic,
    ClientSecretPost,
}

impl ClientMethod {
    fn name(self) -> &'static str {
        match self {
            ClientMethod::None => "none",
            ClientMethod::ClientSecretBasic => "client_secret_basic",
            ClientMethod::ClientSecretPost => "client_secret_post",
        }
    }

    /// The first of these that an authorization server supports. One that names none supports `client_secret_basic`
    /// (RFC 8414), and in practice `none`.
    fn choose(order: &[ClientMethod], issuer: &IssuerMetadata) -> ClientMethod {
        let supported = |method: &&ClientMethod| issuer.methods.iter().any(|name| name == method.name());
        let first = order.first().copied().unwrap_or(ClientMethod::None);
        order.iter().find(supported).copied().unwrap_or(first)
    }
}

impl OAuthClient {
    /// A client that the user has registered.
    pub(super) fn configured(
        id: &str,
        secret: Option<&str>,
        redirect: &Url,
        issuer: &IssuerMetadata,
    ) -> Self {
        use ClientMethod::{ClientSecretBasic, ClientSecretPost, None};
        let method = match secret {
            Some(_) => ClientMethod::choose(&[ClientSecretBasic, ClientSecretPost], issuer),
            Option::None => None,
        };
        OAuthClient {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            method,
            redirect: redirect.to_string(),
            is_registered: false,
        }
    }

    /// Registers a client (RFC 7591).
    pub(super) async fn register(
        web: &AuthWeb,
        issuer: &IssuerMetadata,
        redirect: &Url,
        scopes: &[String],
    ) -> Result<Self, SignInError> {
        use ClientMethod::{ClientSecretBasic, ClientSecretPost, None};
        let Some(endpoint) = &issuer.registration else {
            return Err(SignInError::NoRegistration { issuer: shown(&issuer.issuer) });
        };
        let method = ClientMethod::choose(&[None, ClientSecretPost, ClientSecretBasic], issuer);
        let mut request = json!({
            "client_name": CLIENT_NAME,
            "redirect_uris": [redirect.as_str()],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": method.name(),
            "application_type": "native",
        });
        if !scopes.is_empty() {
            request["scope"] = scopes.join(" ").into();
        }
        let answer = web.post_json(endpoint, &request).await?;
        if !answer.status.is_success() {
            let (_, error) = answer.failure();
            return Err(SignInError::Refused { issuer: shown(&issuer.issuer), error });
        }
        let value = answer.object()?;
        let id = text(&value, "client_id")
            .ok_or_else(|| answer.invalid("it registers no client_id".to_owned()))?;
        let secret = text(&value, "client_secret");
        let method = match (text(&value, "token_endpoint_auth_method").as_deref(), &secret) {
            (_, Option::None) | (Some("none"), _) => None,
            (Some("client_secret_basic"), _) => ClientSecretBasic,
            (Some("client_secret_post"), _) => ClientSecretPost,
            (Some(_) | Option::None, Some(_)) => {
                ClientMethod::choose(&[ClientSecretPost, ClientSecretBasic], issuer)
            }
        };
        Ok(OAuthClient { id, secret, method, redirect: redirect.to_string(), is_registered: true })
    }

    /// What authenticates us in a request: fields of its form, and a header.
    pub(super) fn credentials(&self) -> (Vec<(&str, &str)>, Option<HeaderValue>) {
        match (self.method, &self.secret) {
            (ClientMethod::ClientSecretBasic, Some(secret)) => {
                let part = |text: &str| encoded(&[("", text)]).trim_start_matches('=').to_owned();
                let pair = STANDARD.encode(format!("{}:{}", part(&self.id), part(secret)));
                let header = HeaderValue::from_str(&format!("Basic {pair}")).ok().map(|mut header| {
                    header.set_sensitive(true);
                    header
                });
                (Vec::new(), header)
            }
            (ClientMethod::ClientSecretPost, Some(secret)) => {
                (vec![("client_id", &self.id), ("client_secret", secret)], None)
            }
            _ => (vec![("client_id", &self.id)], None),
        }
    }
}

impl std::fmt::Debug for OAuthClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OAuthClient")
            .field("id", &self.id)
            .field("method", &self.method)
            .field("redirect", &self.redirect)
            .finish_non_exhaustive()
    }
}
