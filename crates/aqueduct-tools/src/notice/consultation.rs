//! Questions of MCP servers to the user, and answers to them, as hooks are consulted about them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_mcp::{HostFuture, Verdict};
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use tokio::sync::{mpsc, oneshot};

use super::Notice;

/// What an MCP server asks, or was answered: for the hooks of the session, whose verdict is waited for.
#[derive(Clone)]
pub struct Consultation {
    /// What it is about.
    pub about: ConsultationSubject,
    listener: Arc<Mutex<Option<Listener>>>,
}

/// Who waits for the verdict: gets the hooks that run, if there are any.
type Listener = oneshot::Sender<Option<HostFuture<'static, Verdict>>>;

/// What hooks are consulted about.
#[derive(Debug, Clone)]
pub enum ConsultationSubject {
    /// A question of a server.
    Question(Box<ElicitationInput<'static>>),
    /// What a server is to be answered.
    Answer(Box<ElicitationResultInput<'static>>),
}

impl fmt::Debug for Consultation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consultation").field("about", &self.about).finish_non_exhaustive()
    }
}

impl PartialEq for Consultation {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.listener, &other.listener)
    }
}

impl Consultation {
    /// Consults the hooks of the session that receives these notices.
    pub async fn hold(to: &mpsc::Sender<Notice>, about: ConsultationSubject) -> Verdict {
        let (sender, receiver) = oneshot::channel();
        let consultation = Consultation { about, listener: Arc::new(Mutex::new(Some(sender))) };
        // Only a session that ends does not listen.
        if to.send(Notice::Consulted(consultation)).await.is_err() {
            return Verdict::Continue;
        }
        match receiver.await {
            Ok(Some(verdict)) => verdict.await,
            _ => Verdict::Continue,
        }
    }

    /// Passes on what the hooks decide, or that there are none.
    pub fn settle(&self, verdict: Option<HostFuture<'static, Verdict>>) {
        if let Some(listener) = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // The waiting task may have been dropped.
            let _ = listener.send(verdict);
        }
    }
}
