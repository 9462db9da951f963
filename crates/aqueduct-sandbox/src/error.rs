//! Why a command does not run in the sandbox.

use std::error::Error;

/// Why a command could not be started in the sandbox. It did not run at all.
#[derive(Debug, thiserror::Error)]
#[error("The command did not run: it can't be put into the sandbox: {0}")]
pub struct EnterError(Box<dyn Error + Send + Sync>);

impl EnterError {
    pub(crate) fn new(cause: impl Error + Send + Sync + 'static) -> Self {
        EnterError(Box::new(cause))
    }
}
