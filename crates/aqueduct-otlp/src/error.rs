use aqueduct_wire::hint::{Hint, HintedError};

/// Why telemetry can't be sent at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OtlpError {
    /// The address is not one of HTTP.
    #[error("`{url}` is not the address of a collector")]
    Address {
        /// What was given.
        url: String,
    },
    /// The address has a user or a password.
    #[error("the address of the collector has a user or a password, which logs would show")]
    Credentials,
    /// Headers would go over the network unencrypted.
    #[error("the collector at {host} has headers that can be secrets, and no TLS")]
    Unencrypted {
        /// The host.
        host: String,
    },
    /// A list of `name=value` is malformed.
    #[error("{variable} is not a list of name=value, separated by commas")]
    List {
        /// The variable, or what else it is from.
        variable: String,
    },
    /// A header is not one of HTTP.
    #[error("the header `{name}` of {variable} is not valid")]
    Header {
        /// The header's name.
        name: String,
        /// The variable, or what else it is from.
        variable: String,
    },
    /// A variable has a value that it can't have.
    #[error("{variable} is `{value}`, which is not supported")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it can be.
        supported: &'static str,
    },
    /// The certificates can't be used.
    #[error("the certificates of OTEL_EXPORTER_OTLP_CERTIFICATE can't be used: {reason}")]
    Certificates {
        /// Why.
        reason: String,
    },
    /// The HTTP client can't be made.
    #[error("the client of the collector can't be started: {0}")]
    Client(#[from] reqwest::Error),
}

impl HintedError for OtlpError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            OtlpError::Address { .. } => Hint::clause("give http://HOST:4318 or https://HOST:4318"),
            OtlpError::Credentials => Hint::clause("give them as a header"),
            OtlpError::Unencrypted { .. } => {
                Hint::clause("use https://, or a collector on this machine that forwards to it")
            }
            OtlpError::List { .. } => Hint::clause("write commas and equals signs in values as %2C and %3D"),
            OtlpError::Header { .. } => Hint::clause("write it as name=value"),
            OtlpError::Variable { supported, .. } => Hint::clause(format!("use {supported}")),
            OtlpError::Certificates { .. } => Hint::clause("name a file with certificates in PEM"),
            OtlpError::Client(_) => return None,
        })
    }
}
