use aqueduct_wire::control::{
    DialogCancelled, DialogCompleted, DialogReply, ElicitationAction, ElicitationReply, ElicitationRequest,
    UserDialogRequest,
};
use aqueduct_wire::json::Raw;

/// An MCP server wants to know something of the user. See [`Elicitation`].
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

    /// Its message.
    pub fn message(&self) -> &str {
        &self.request.message
    }

    /// The JSON Schema of the form, where it is one.
    ///
    /// ```
    /// use aqueduct_client::{Elicitation, ElicitationForm};
    ///
    /// async fn fill_in(form: ElicitationForm) -> Elicitation {
    ///     match form.schema() {
    ///         Some(schema) if schema.as_str().contains("address") => {
    ///             Elicitation::accept(serde_json::json!({"address": "ada@example.org"}))
    ///         }
    ///         _ => Elicitation::Decline,
    ///     }
    /// }
    /// ```
    pub fn schema(&self) -> Option<&Raw<'static>> {
        self.request.requested_schema.as_ref()
    }

    /// The agent's whole request.
    pub fn request(&self) -> &ElicitationRequest<'static> {
        &self.request
    }
}

/// What the user does with a server's question.
///
/// ```
/// use aqueduct_client::{Elicitation, ElicitationForm, Session};
/// use serde_json::json;
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"elicitation","mcp_server_name":"mail","message":"Your address?"}"#;
///
/// async fn fill_in(form: ElicitationForm) -> Elicitation {
///     println!("{} asks: {}", form.server(), form.message());
///     Elicitation::accept(json!({"address": "ada@example.org"}))
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let outcome = builder.on_elicitation(fill_in).query("Send a mail.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("ada@example.org")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Elicitation {
    /// The form is filled in, or the page was visited.
    Accept(Option<Raw<'static>>),
    /// The user declines.
    Decline,
    /// The user closed it.
    Cancel,
}

impl Elicitation {
    /// The form is filled in with this content.
    ///
    /// ```
    /// use aqueduct_client::Elicitation;
    ///
    /// let answer = Elicitation::accept(serde_json::json!({"name": "Ada"}));
    /// ```
    pub fn accept(content: impl Into<Raw<'static>>) -> Self {
        Elicitation::Accept(Some(content.into()))
    }

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

/// The agent wants a dialog shown, of a kind that the host announced. See [`Dialog`].
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

    /// The agent's whole request.
    pub fn request(&self) -> &UserDialogRequest<'static> {
        &self.request
    }
}

/// How a dialog ended.
///
/// ```
/// use aqueduct_client::{Dialog, Session};
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"request_user_dialog","dialog_kind":"tour","payload":{}}"#;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let builder = builder.on_dialog(["tour"], |dialog| async move {
///     println!("a dialog: {}", dialog.kind());
///     Dialog::Cancelled
/// });
/// let outcome = builder.query("Show me around.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("cancelled")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Dialog {
    /// The user finished it, with this result.
    Completed(Raw<'static>),
    /// The user left it.
    Cancelled,
}

impl Dialog {
    /// The user finished it, with this result.
    ///
    /// ```
    /// use aqueduct_client::Dialog;
    ///
    /// let dialog = Dialog::completed(serde_json::json!({"choice": 1}));
    /// ```
    pub fn completed(result: impl Into<Raw<'static>>) -> Self {
        Dialog::Completed(result.into())
    }

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
