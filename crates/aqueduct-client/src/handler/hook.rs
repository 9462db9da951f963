use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::control::HookCallbackRequest;
use aqueduct_wire::hook::{
    HookDecision, HookEvent, HookFailure, HookInput, HookMatcher, HookOutput, HookPermission,
    HookSpecificOutput, PreToolUseOutput,
};
use aqueduct_wire::json::Number;
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};

use crate::callback::{Answering, Callback, callback};

/// What a hook gives: its output, or why it could not run.
type HookResult = Result<HookOutput<'static>, ControlError>;

/// Code of the host that runs at a point of a conversation.
///
/// ```
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
/// let hook = Hook::pre_tool_use(|call| async move {
///     match call.tool_input.as_str().contains("sudo") {
///         true => call.block("Not as root."),
///         false => call.proceed(),
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
    run: Callback<HookCall, HookResult>,
}

impl Hook {
    /// A hook for any event, by name also for one that a newer agent adds. The events of the protocol have typed hooks,
    /// such as [`Hook::pre_tool_use`].
    ///
    /// ```
    /// use aqueduct_client::Hook;
    ///
    /// let hook = Hook::new("FromTheFuture", |call| async move {
    ///     println!("{}", call.input().tag());
    ///     call.proceed()
    /// });
    /// ```
    pub fn new<F>(
        event: impl Into<HookEvent<'static>>,
        run: impl Fn(HookCall) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = HookOutput<'static>> + Send + 'static,
    {
        let run = Arc::new(run);
        Hook::running(event.into(), move |call| {
            let run = run.clone();
            async move { Ok(run(call).await) }
        })
    }

    /// A hook whose call and answer are those of its event. `read` takes the event's input.
    pub(super) fn typed<C, A, F>(
        event: HookEvent<'static>,
        read: fn(HookInput<'static>) -> Option<C>,
        run: impl Fn(C) -> F + Send + Sync + 'static,
    ) -> Self
    where
        C: Send + 'static,
        A: Into<HookOutput<'static>>,
        F: Future<Output = A> + Send + 'static,
    {
        let run = Arc::new(run);
        let name = event.clone();
        Hook::running(event, move |call| {
            let (run, name) = (run.clone(), name.clone());
            async move {
                // The agent treats a refused call as a hook that failed, so a guard is not passed by without a word.
                let misfit =
                    || ControlError::new(INVALID_REQUEST, format!("This is not the input of {name}"));
                let call = read(call.request.input).ok_or_else(misfit)?;
                Ok(run(call).await.into())
            }
        })
    }

    fn running<F>(event: HookEvent<'static>, run: impl Fn(HookCall) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = HookResult> + Send + 'static,
    {
        Hook { event, matcher: None, timeout: None, blocks_on_failure: false, run: callback(run) }
    }

    /// Runs only for what the pattern matches: tools, as a rule, such as `Write|Edit`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use aqueduct_client::Hook;
    ///
    /// // A guard: what it does not allow within ten seconds is blocked.
    /// let hook = Hook::pre_tool_use(|call| async move { call.proceed() })
    ///     .matching("Write|Edit")
    ///     .with_timeout(Duration::from_secs(10))
    ///     .blocking_on_failure();
    /// ```
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

    pub(crate) fn call(&self, call: HookCall) -> Answering<HookResult> {
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

    /// The answer that lets it happen.
    pub fn proceed(&self) -> HookOutput<'static> {
        HookOutput::new()
    }

    /// The answer that blocks what the event is about: the tool does not run, the prompt is not served, the agent
    /// does not stop. The model gets the reason where it continues.
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
    ///
    /// ```
    /// use aqueduct_client::HookCall;
    ///
    /// fn describe(call: &HookCall) -> String {
    ///     format!("{} of {}", call.tool().unwrap_or("no tool"), call.request().callback_id)
    /// }
    /// ```
    pub fn request(&self) -> &HookCallbackRequest<'static> {
        &self.request
    }
}
