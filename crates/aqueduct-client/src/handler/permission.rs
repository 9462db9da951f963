use aqueduct_wire::control::{
    CanUseToolRequest, DecisionClassification, PermissionAllow, PermissionDeny, PermissionReply,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionUpdate;

/// The agent wants to use a tool and asks. See [`Permission`].
#[derive(Debug, Clone)]
pub struct PermissionRequest {
    request: Box<CanUseToolRequest<'static>>,
}

impl PermissionRequest {
    pub(crate) fn new(request: Box<CanUseToolRequest<'static>>) -> Self {
        PermissionRequest { request }
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.request.tool_name
    }

    /// What the tool would be called with. `to` reads it into a type of the caller's, `view` into one of
    /// [`aqueduct_wire::tool`].
    pub fn input(&self) -> &Raw<'static> {
        &self.request.input
    }

    /// The id of the call.
    pub fn tool_use_id(&self) -> Option<&str> {
        self.request.tool_use_id.as_deref()
    }

    /// What "always allow" could mean, as the agent suggests it. Each is an offer of its own, and some are wide:
    /// a rule for this command, another permission mode. Check its content before you accept it.
    pub fn suggestions(&self) -> &[PermissionUpdate<'static>] {
        self.request.permission_suggestions.as_deref().unwrap_or_default()
    }

    /// The agent's whole request.
    ///
    /// ```
    /// use aqueduct_client::{Permission, PermissionRequest};
    ///
    /// async fn decide(request: PermissionRequest) -> Permission {
    ///     println!("{}: {:?}", request.tool_use_id().unwrap_or_default(), request.request().title);
    ///     Permission::deny_and_interrupt("Enough for today.")
    /// }
    /// ```
    pub fn request(&self) -> &CanUseToolRequest<'static> {
        &self.request
    }
}

/// Whether a tool may be used.
///
/// ```
/// use aqueduct_client::{Permission, PermissionRequest, Session};
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"can_use_tool","tool_name":"WebFetch","input":{"url":"x:"}}"#;
///
/// async fn decide(request: PermissionRequest) -> Permission {
///     match request.tool() {
///         "Read" | "Grep" => Permission::allow(),
///         "Bash" => Permission::allow_always(request.suggestions().iter().take(1).cloned().collect()),
///         _ => Permission::deny("Ask me about this one first."),
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let outcome = builder.on_permission(decide).query("Look it up.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("Ask me")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Permission(PermissionReply<'static>);

impl Permission {
    /// The tool may run, this once.
    pub fn allow() -> Self {
        let mut allow = PermissionAllow::new();
        allow.decision_classification = Some(DecisionClassification::UserTemporary);
        Permission(PermissionReply::Allow(allow))
    }

    /// The tool may run, with another input than the model's: JSON, or an input type of [`aqueduct_wire::tool`].
    ///
    /// ```
    /// use aqueduct_client::wire::tool::BashInput;
    /// use aqueduct_client::{Permission, PermissionRequest};
    /// use serde_json::json;
    ///
    /// async fn decide(request: PermissionRequest) -> Permission {
    ///     match request.input().view::<BashInput>() {
    ///         Some(mut bash) => {
    ///             bash.timeout = Some(10_000_u64.into());
    ///             Permission::allow_with(bash)
    ///         }
    ///         None => Permission::allow_with(json!({"file_path": "/proj/notes.md"})),
    ///     }
    /// }
    /// ```
    pub fn allow_with(input: impl Into<Raw<'static>>) -> Self {
        let mut allow = PermissionAllow::new();
        allow.updated_input = Some(input.into());
        allow.decision_classification = Some(DecisionClassification::UserTemporary);
        Permission(PermissionReply::Allow(allow))
    }

    /// The tool may run, and these updates hold from now on.
    pub fn allow_always(updates: Vec<PermissionUpdate<'static>>) -> Self {
        if updates.is_empty() {
            return Permission::allow();
        }
        let mut allow = PermissionAllow::new();
        allow.updated_permissions = Some(updates);
        allow.decision_classification = Some(DecisionClassification::UserPermanent);
        Permission(PermissionReply::Allow(allow))
    }

    /// The tool may not run. The model gets the message and continues.
    pub fn deny(message: impl Into<String>) -> Self {
        Permission::denying(message.into(), None)
    }

    /// The tool may not run, and the run ends.
    pub fn deny_and_interrupt(message: impl Into<String>) -> Self {
        Permission::denying(message.into(), Some(true))
    }

    fn denying(message: String, interrupt: Option<bool>) -> Self {
        let mut deny = PermissionDeny::new();
        deny.message = Some(message.into());
        deny.interrupt = interrupt;
        deny.decision_classification = Some(DecisionClassification::UserReject);
        Permission(PermissionReply::Deny(deny))
    }

    /// The same decision without a user: rules made it.
    #[cfg(feature = "rules")]
    pub(crate) fn without_user(mut self) -> Self {
        match &mut self.0 {
            PermissionReply::Allow(allow) => allow.decision_classification = None,
            PermissionReply::Deny(deny) => deny.decision_classification = None,
            _ => {}
        }
        self
    }

    /// The answer on the wire, about this request.
    pub(crate) fn into_reply(self, request: &CanUseToolRequest<'static>) -> PermissionReply<'static> {
        let mut reply = self.0;
        match &mut reply {
            PermissionReply::Allow(allow) => {
                // Older agents insist on an input, also where it is the model's.
                allow.updated_input.get_or_insert_with(|| request.input.clone());
                allow.tool_use_id.clone_from(&request.tool_use_id);
            }
            PermissionReply::Deny(deny) => deny.tool_use_id.clone_from(&request.tool_use_id),
            _ => {}
        }
        reply
    }
}
