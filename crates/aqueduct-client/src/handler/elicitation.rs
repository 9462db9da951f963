use aqueduct_wire::control::{
    DialogCancelled, DialogCompleted, DialogReply, ElicitationAction, ElicitationReply, ElicitationRequest,
    UserDialogRequest,
};
use aqueduct_wire::json::Raw;

/// An MCP server wants to know something of the user.
#[derive(Debug, Clone)]
pub struct ElicitationForm {
    request: ElicitationRequest<'static>,
}

impl ElicitationForm {
    pub(crate) fn new(request: ElicitationRequest<'static>) -> Self {
        ElicitationForm { request }
    }

    /// Which server asks.
    pub fn server(&self) -> &str {
        &self.request.mcp_server_name
    }

    /// What it says.
    pub fn message(&self) -> &str {
        &self.request.message
    }

    /// The JSON Schema of the form, where it is one.
    pub fn schema(&self) -> Option<&Raw<'static>> {
        self.request.requested_schema.as_ref()
    }

    /// All that the agent said.
    pub fn request(&self) -> &ElicitationRequest<'static> {
        &self.request
    }
}

/// What the user does with a server's question.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Elicitation {
    /// The form is filled in, or the page was visited.
    Accept(Option<Raw<'static>>),
    /// The user says no.
    Decline,
    /// The user closed it.
    Cancel,
}

impl Elicitation {
    pub(crate) fn into_reply(self) -> ElicitationReply<'static> {
        let (action, content) = match self {
            Elicitation::Accept(content) => (ElicitationAction::Accept, content),
            Elicitation::Decline => (ElicitationAction::Decline, None),
            Elicitation::Cancel => (ElicitationAction::Cancel, None),
        };
        let mut reply = ElicitationReply::new(action);
        reply.content = content;
        reply
    }
}

/// The agent wants a dialog shown, of a kind that the host said it can show.
#[derive(Debug, Clone)]
pub struct DialogRequest {
    request: UserDialogRequest<'static>,
}

impl DialogRequest {
    pub(crate) fn new(request: UserDialogRequest<'static>) -> Self {
        DialogRequest { request }
    }

    /// The kind of dialog.
    pub fn kind(&self) -> &str {
        &self.request.dialog_kind
    }

    /// All that the agent said.
    pub fn request(&self) -> &UserDialogRequest<'static> {
        &self.request
    }
}

/// How a dialog ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Dialog {
    /// The user finished it, with this result.
    Completed(Raw<'static>),
    /// The user left it.
    Cancelled,
}

impl Dialog {
    pub(crate) fn into_reply(self) -> DialogReply<'static> {
        match self {
            Dialog::Completed(result) => {
                let mut completed = DialogCompleted::new();
                completed.result = Some(result);
                DialogReply::Completed(completed)
            }
            Dialog::Cancelled => DialogReply::Cancelled(DialogCancelled::new()),
        }
    }
}
