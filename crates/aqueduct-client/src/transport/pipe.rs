use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{AgentReader, AgentWriter};
use crate::Error;

/// Two open streams to an agent. Clones are the same streams, and the first session that is started uses them up.
#[derive(Clone)]
pub struct OpenPipe(Arc<Mutex<Option<(AgentReader, AgentWriter)>>>);

impl OpenPipe {
    pub(super) fn new(output: AgentReader, input: AgentWriter) -> Self {
        OpenPipe(Arc::new(Mutex::new(Some((output, input)))))
    }

    pub(super) fn take(&self) -> Result<(AgentReader, AgentWriter), Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(|| Error::Options {
            problem: "another session has used this pipe".to_owned(),
            hint: Some("Give each clone of the builder a `transport` of its own"),
        })
    }
}

impl fmt::Debug for OpenPipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenPipe")
    }
}
