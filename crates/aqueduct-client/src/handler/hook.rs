use std::fmt;
use std::future::Future;
use std::time::Duration;

use aqueduct_wire::control::HookCallbackRequest;
use aqueduct_wire::hook::{
    HookDecision, HookEvent, HookFailure, HookInput, HookMatcher, HookOutput, HookPermission,
    HookSpecificOutput, PreToolUseOutput,
};
use aqueduct_wire::json::Number;

use crate::callback::{Answering, Callback, callback};

/// Code of the host that runs at a point of a conversation.
///
/// ```
/// use aqueduct_client::wire::hook::{HookEvent, HookInput, HookOutput};
/// use aqueduct_client::{Hook, Session};
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PreToolUse",
/// #   "session_id":"s","transcript_path":"t","cwd":"/proj","tool_name":"Bash","tool_input":{"command":"sudo ls"}}}"#;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let hook = Hook::new(HookEvent::PreToolUse, |call| async move {
///     match call.input() {
///         HookInput::PreToolUse(input) if input.tool_input.as_str().contains("sudo") => call.block("Not as root."),
///         _ => HookOutput::new(),
///     }
/// });
/// let outcome = builder.hook(hook.matching("Bash")).query("List my files.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("Not as root.")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hook {
    event: HookEvent<'static>,
    matcher: Option<String>,
    timeout: Option<Duration>,
    blocks_on_failure: bool,
    run: Callback<HookCall, HookOutput<'static>>,
}

impl Hook {
    /// A hook for an event.
    pub fn new<F>(event: HookEvent<'static>, run: impl Fn(HookCall) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = HookOutput<'static>> + Send + 'static,
    {
        Hook { event, matcher: None, timeout: None, blocks_on_failure: false, run: callback(run) }
    }

    /// Runs only for what the pattern matches: tools, as a rule, such as `Write|Edit`.
    pub fn matching(mut self, matcher: impl Into<String>) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    /// Sets how long the agent waits for it.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// What the hook guards is blocked if the hook fails. Needs an agent that supports it: the session does not
    /// start with another.
    pub fn blocking_on_failure(mut self) -> Self {
        self.blocks_on_failure = true;
        self
    }

    pub(crate) fn event(&self) -> &HookEvent<'static> {
        &self.event
    }

    pub(crate) fn must_block(&self) -> bool {
        self.blocks_on_failure
    }

    pub(crate) fn matcher(&self, callback_id: String) -> HookMatcher<'static> {
        let mut matcher = HookMatcher::new();
        matcher.matcher = self.matcher.clone().map(Into::into);
        matcher.hook_callback_ids = Some(vec![callback_id.into()]);
        matcher.timeout = self.timeout.and_then(|timeout| Number::from_f64(timeout.as_secs_f64()));
        matcher.on_failure = self.blocks_on_failure.then_some(HookFailure::Block);
        matcher
    }

    pub(crate) fn call(&self, call: HookCall) -> Answering<HookOutput<'static>> {
        (self.run)(call)
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook").field("event", &self.event).field("matcher", &self.matcher).finish()
    }
}

/// One call of a hook. See [`Hook`].
#[derive(Debug, Clone)]
pub struct HookCall {
    request: HookCallbackRequest<'static>,
}

impl HookCall {
    pub(crate) fn new(request: HookCallbackRequest<'static>) -> Self {
        HookCall { request }
    }

    /// What happened, in the event's own type.
    pub fn input(&self) -> &HookInput<'static> {
        &self.request.input
    }

    /// The tool that the event is about, where it is about one.
    pub fn tool(&self) -> Option<&str> {
        match self.input() {
            HookInput::PreToolUse(input) => Some(&input.tool_name),
            HookInput::PostToolUse(input) => Some(&input.tool_name),
            HookInput::PostToolUseFailure(input) => Some(&input.tool_name),
            HookInput::PermissionRequest(input) => Some(&input.tool_name),
            HookInput::PermissionDenied(input) => Some(&input.tool_name),
            _ => None,
        }
    }

    /// The answer that blocks what the event is about: the tool does not run, the prompt is not served, the agent
    /// does not stop. The model gets the reason where it continues. An answer that blocks nothing is
    /// [`HookOutput::new`].
    pub fn block(&self, reason: impl Into<String>) -> HookOutput<'static> {
        let reason: String = reason.into();
        let mut output = HookOutput::new();
        if let HookInput::PreToolUse(_) = self.input() {
            let mut decision = PreToolUseOutput::new();
            decision.permission_decision = Some(HookPermission::Deny);
            decision.permission_decision_reason = Some(reason.into());
            output.specific = Some(Box::new(HookSpecificOutput::PreToolUse(decision)));
        } else {
            output.decision = Some(HookDecision::Block);
            output.reason = Some(reason.into());
        }
        output
    }

    /// The agent's whole request.
    pub fn request(&self) -> &HookCallbackRequest<'static> {
        &self.request
    }
}
