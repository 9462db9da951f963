//! What the web tools of a conversation work with.

use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_model::client::ProxySettings;
use aqueduct_model::{Model, Request};
use aqueduct_wire::message::AssistantMessage;
use tokio_util::sync::CancellationToken;

use super::{Pages, Permits};
use crate::side_call::{CallUsage, SideCallError, ask};

/// The web, for the tools of one conversation.
#[derive(Debug, Default)]
pub struct WebContext {
    /// Pages that were fetched not long ago.
    pub(crate) pages: Arc<Pages>,
    call_context: Mutex<Option<Arc<WebCallContext>>>,
    spent: Mutex<Vec<CallUsage>>,
}

/// Who answers, and what holds, as it is when a call begins.
#[derive(Debug)]
pub struct WebCallContext {
    /// The model of the conversation, and its name.
    pub main: (Model, String),
    /// The model that reads pages, and its name.
    pub small: (Model, String),
    /// The permission rules for hosts.
    pub permits: Permits,
    /// The ways out of this network.
    pub proxy: ProxySettings,
    /// Who asks, for the API.
    pub user: String,
}

impl WebContext {
    /// The web for a subagent: what was fetched is the same.
    pub fn for_subagent(&self) -> WebContext {
        WebContext { pages: self.pages.clone(), ..WebContext::default() }
    }

    /// Sets who answers and what holds from now on.
    pub fn set_service(&self, call_context: WebCallContext) {
        *self.call_context.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(call_context));
    }

    /// Who answers and what holds; nothing before a call was ever allowed.
    pub fn call_context(&self) -> Option<Arc<WebCallContext>> {
        self.call_context.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks a model something, and notes what it used.
    pub async fn ask(
        &self,
        (model, name): &(Model, String),
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<AssistantMessage<'static>, SideCallError> {
        let request = Request { model: name.clone(), ..request };
        let (answer, spent) = ask(model, request, cancel).await;
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).extend(spent);
        answer
    }

    /// What models used since this was last asked.
    pub fn take_spent(&self) -> Vec<CallUsage> {
        std::mem::take(&mut self.spent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
