//! The names and messages of errors.

use crate::json::{Raw, Str};
use crate::table::{either, names, record};

names! {
    /// Why a call of the model failed, in one word. It is on `assistant` frames that hold an error's
    /// text, on retries, and in the input of the hook that runs when a turn fails.
    ErrorName<'a> {
        "authentication_failed" => AuthenticationFailed,
        "billing_error" => BillingError,
        "rate_limit" => RateLimit,
        "invalid_request" => InvalidRequest,
        "server_error" => ServerError,
        "unknown" => Unknown,
        "max_output_tokens" => MaxOutputTokens,
        "oauth_org_not_allowed" => OauthOrgNotAllowed,
        "account_on_hold" => AccountOnHold,
        "verification_required" => VerificationRequired,
        "overloaded" => Overloaded,
        "model_not_found" => ModelNotFound,
        "cloud_credential_error" => CloudCredentialError,
    }
}

either! {
    /// An error in either of the forms in which it is sent.
    ErrorDetail<'a> {
        /// Only its text.
        Text(Str<'a>),
        /// Its kind and its text.
        Object(ErrorObject<'a>),
    }
}

impl ErrorDetail<'_> {
    /// What went wrong, for people; the kind if there is no text.
    pub fn message(&self) -> &str {
        match self {
            ErrorDetail::Text(text) => text,
            ErrorDetail::Object(object) => {
                object.message.as_deref().or(object.kind.as_deref()).unwrap_or_default()
            }
        }
    }

    /// The kind, where the error has one.
    pub fn kind(&self) -> Option<&str> {
        match self {
            ErrorDetail::Text(_) => None,
            ErrorDetail::Object(object) => object.kind.as_deref(),
        }
    }
}

record! {
    /// An error with its kind, as the Messages API writes it.
    ErrorObject<'a> {
        "2.1.37" {
            /// Such as `overloaded_error`.
            always kind = "type": Str<'a>,
            always message: Str<'a>,
            optional details: Raw<'a>,
        }
    }
}
