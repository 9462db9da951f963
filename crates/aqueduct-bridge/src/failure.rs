use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::machine::{ControlError, UNSUPPORTED_REQUEST};
use thiserror::Error;

use crate::log::LogError;
use crate::message::bridge::ErrorReply;
use crate::message::{BridgeMessage, ErrorCode, Scope};

/// The error of a client's request: a code for programs, a message and a hint for people.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{message}")]
pub struct Failure {
    /// The error code.
    pub code: ErrorCode<'static>,
    /// What is wrong.
    pub message: String,
    /// What to do about it. Clients receive it behind the message.
    pub hint: Option<Box<Hint>>,
    /// The end of what the agent wrote to stderr.
    pub stderr: Option<String>,
    /// After how many milliseconds to retry.
    pub retry_after_ms: Option<u64>,
    /// The scope that is needed.
    pub scope: Option<Scope>,
    /// What to repeat the request with, where it has to be confirmed.
    pub confirm: Option<Box<str>>,
}

impl Failure {
    /// A failure with a code.
    pub fn new(code: ErrorCode<'static>, message: impl Into<String>) -> Self {
        Failure {
            code,
            message: message.into(),
            hint: None,
            stderr: None,
            retry_after_ms: None,
            scope: None,
            confirm: None,
        }
    }

    /// A failure with a code, and with the message and the hint of an error.
    pub(crate) fn of(code: ErrorCode<'static>, error: &impl HintedError) -> Self {
        Failure::new(code, error.to_string()).hinted(error.hint())
    }

    /// The same with the hint of an error.
    #[must_use]
    pub(crate) fn hinted(self, hint: Option<Hint>) -> Self {
        Failure { hint: hint.map(Box::new), ..self }
    }

    /// The same with a clause about what to do.
    #[must_use]
    pub fn clause(self, hint: impl Into<String>) -> Self {
        self.hinted(Some(Hint::clause(hint)))
    }

    /// The same with a sentence about what to do.
    #[must_use]
    pub fn sentence(self, hint: impl Into<String>) -> Self {
        self.hinted(Some(Hint::sentence(hint)))
    }

    /// The agent failed.
    pub fn agent(message: impl Into<String>) -> Self {
        Failure::new(ErrorCode::AgentFailed, message)
    }

    /// The failure as a message.
    pub fn to_message(&self, request_id: Option<&str>, session_id: Option<&str>) -> BridgeMessage<'static> {
        let mut reply = ErrorReply::new(self.code.clone(), self.advised());
        reply.request_id = request_id.map(|id| id.to_owned().into());
        reply.session_id = session_id.map(|id| id.to_owned().into());
        reply.stderr = self.stderr.clone().map(Into::into);
        reply.retry_after_ms = self.retry_after_ms;
        reply.scope = self.scope.map(Into::into);
        reply.confirm = self.confirm.as_deref().map(|value| value.to_owned().into());
        reply.into()
    }
}

impl HintedError for Failure {
    fn hint(&self) -> Option<Hint> {
        self.hint.as_deref().cloned()
    }
}

/// An agent's refusal. Those of older agents have no code, and begin like this.
impl From<ControlError> for Failure {
    fn from(error: ControlError) -> Self {
        let is_unsupported = error.code.as_deref() == Some(UNSUPPORTED_REQUEST)
            || error.message.starts_with("Unsupported control request");
        let code = if is_unsupported { ErrorCode::NotSupported } else { ErrorCode::AgentFailed };
        Failure::new(code, error.message)
    }
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Self {
        let code = match &error {
            LogError::NoSession { .. } => ErrorCode::SessionNotFound,
            LogError::Full | LogError::ReadOnly | LogError::Lost { .. } | LogError::Io { .. } => {
                ErrorCode::StorageFailed
            }
            _ => ErrorCode::Internal,
        };
        Failure::of(code, &error)
    }
}
