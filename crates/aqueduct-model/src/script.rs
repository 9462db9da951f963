//! The scripted model.

use crate::request::Request;
use crate::stream::Stream;

/// A model that says what its script or the prompt tells it to.
#[derive(Debug, Clone, Default)]
pub struct Scripted {}

impl Scripted {
    /// Answers a request.
    pub fn stream(&self, _request: Request) -> Stream {
        Stream::spawn(|_| async {})
    }
}
