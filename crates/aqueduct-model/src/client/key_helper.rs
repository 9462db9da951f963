//! A key that is not known before it is needed.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// Why there is no key; it names what the user can do.
pub type KeyError = Box<dyn Error + Send + Sync>;

/// The way to a key.
pub type KeyFuture<'k> = Pin<Box<dyn Future<Output = Result<String, KeyError>> + Send + 'k>>;

/// Gives keys of the Messages API, such as a command of the user's. Neither its `Debug` nor its errors may show a key.
pub trait KeyHelper: fmt::Debug + Send + Sync {
    /// Whether a key can be fetched this way.
    fn is_configured(&self) -> bool;

    /// The key for the next call; the error states what the user can do.
    fn key(&self) -> KeyFuture<'_>;

    /// The server refused the key: the next one is a new one.
    fn refused(&self);

    /// The keys that were given, to keep them out of errors.
    fn given(&self) -> Vec<String>;
}
