use reqwest::Url;
use reqwest::header::HeaderValue;
use serde_json::Value;

use super::client::OAuthClient;
use super::error::SignInError;
use super::record::{SignInRecord, SignInTokens, now};
use super::shown::shown;
use super::web::{AuthAnswer, AuthWeb, text};

/// Why tokens were not renewed.
#[derive(Debug)]
pub(super) enum RenewError {
    /// The authorization server does not accept them any more: the user has to sign in again.
    Ended,
    /// It could not be asked, or does not answer as it should.
    Failed(SignInError),
}

/// Where tokens are issued, and for what.
#[derive(Debug)]
pub(super) struct TokenEndpoint<'t> {
    pub(super) web: &'t AuthWeb,
    pub(super) issuer: &'t str,
    pub(super) url: &'t Url,
    pub(super) client: &'t OAuthClient,
    pub(super) resource: &'t str,
}

impl TokenEndpoint<'_> {
    /// Exchanges a code for tokens.
    pub(super) async fn exchange(&self, code: &str, verifier: &str) -> Result<SignInTokens, SignInError> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", self.client.redirect.as_str()),
            ("code_verifier", verifier),
        ];
        let answer = self.ask(&fields).await?;
        match answer.status.is_success() {
            true => tokens(&answer),
            false => Err(SignInError::Refused { issuer: shown(self.issuer), error: answer.failure().1 }),
        }
    }

    /// Exchanges tokens for new ones.
    pub(super) async fn renew(&self, old: &SignInTokens) -> Result<SignInTokens, RenewError> {
        let Some(refresh) = &old.refresh else { return Err(RenewError::Ended) };
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
        let answer = self.ask(&fields).await.map_err(RenewError::Failed)?;
        if !answer.status.is_success() {
            let (code, error) = answer.failure();
            return Err(match code.as_str() {
                "invalid_grant" | "invalid_client" | "unauthorized_client" => RenewError::Ended,
                _ => RenewError::Failed(SignInError::Refused { issuer: shown(self.issuer), error }),
            });
        }
        let mut new = tokens(&answer).map_err(RenewError::Failed)?;
        // An answer without them means that they are as before.
        new.refresh = new.refresh.or_else(|| Some(refresh.clone()));
        new.scope = new.scope.or_else(|| old.scope.clone());
        Ok(new)
    }

    async fn ask(&self, fields: &[(&str, &str)]) -> Result<AuthAnswer, SignInError> {
        let (mut form, header) = self.client.credentials();
        form.extend_from_slice(fields);
        form.push(("resource", self.resource));
        self.web.post_form(self.url, &form, header).await
    }
}

/// Revokes the tokens of a sign-in (RFC 7009), as far as the authorization server offers that.
pub(super) async fn revoke(web: &AuthWeb, record: &SignInRecord) -> Result<(), SignInError> {
    let endpoint = record.revocation_endpoint.as_deref().and_then(|url| Url::parse(url).ok());
    let (Some(endpoint), Some(tokens)) = (endpoint, &record.tokens) else { return Ok(()) };
    let kinds =
        [("refresh_token", tokens.refresh.as_deref()), ("access_token", Some(tokens.access.as_str()))];
    for (kind, token) in kinds.into_iter().filter_map(|(kind, token)| Some((kind, token?))) {
        let (mut form, header) = record.client.credentials();
        form.extend([("token", token), ("token_type_hint", kind)]);
        let answer = web.post_form(&endpoint, &form, header).await?;
        if !answer.status.is_success() {
            return Err(SignInError::Refused { issuer: shown(&record.issuer), error: answer.failure().1 });
        }
    }
    Ok(())
}

fn tokens(answer: &AuthAnswer) -> Result<SignInTokens, SignInError> {
    let value = answer.object()?;
    let access =
        text(&value, "access_token").ok_or_else(|| answer.invalid("it issues no access_token".to_owned()))?;
    if bearer(&access).is_none() {
        return Err(answer.invalid("its access_token has characters that can't be sent".to_owned()));
    }
    let kind = text(&value, "token_type").unwrap_or_default();
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(answer.invalid(format!("its tokens are of the type {:?}, not Bearer", shown(&kind))));
    }
    let seconds = value.get("expires_in").and_then(seconds);
    Ok(SignInTokens {
        access,
        refresh: text(&value, "refresh_token"),
        expires: seconds.map(|seconds| now().saturating_add(seconds)),
        scope: text(&value, "scope"),
    })
}

/// A number of seconds. Some servers write it as a text or with a fraction.
fn seconds(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => {
            number.as_u64().or_else(|| number.as_f64().map(|seconds| seconds.max(0.0) as u64))
        }
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A token as the header that carries it.
pub(super) fn bearer(token: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).ok()?;
    value.set_sensitive(true);
    (!token.contains(|c: char| c.is_whitespace())).then_some(value)
}
