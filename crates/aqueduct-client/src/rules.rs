//! Permissions by rules, with the feature `rules`: the rule engine of the agent, for the requests that reach a host.
//!
//! ```
//! use aqueduct_client::rules::PermissionRules;
//! use aqueduct_client::{Permission, PermissionRequest, Session};
#![doc = include_str!("../doc/agent.txt")]
//! # const ASKS: &str = r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm -r build"}}"#;
//!
//! async fn ask_me(request: PermissionRequest) -> Permission {
//!     Permission::deny(format!("no user can be asked about {}", request.tool()))
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ASKS));
//! # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
//!
//! let rules = PermissionRules::new("/proj")
//!     .with_home("/home/me")
//!     .allow(["Bash(npm run test:*)", "Edit(src/**)"])?
//!     .deny(["Bash(rm:*)"])?;
//! let outcome = builder.on_permission(rules.or(ask_me)).query("Clean up.").await?;
//! # assert!(outcome.report().is_some_and(|report| report.text().contains("Bash(rm:*)")), "{outcome:?}");
//! # Ok(())
//! # }
//! ```
//!
//! How rules are written and what they cover is in `docs/permissions.md`. The crate of the engine is [`engine`].

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use aqueduct_os::real_path::real_path;
use aqueduct_rules::{Call, Context, Source, Stage, Step, decide, paths};
use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use crate::callback::{Answering, callback};
use crate::{Permission, PermissionRequest};

/// The rule engine.
pub use aqueduct_rules as engine;
pub use aqueduct_rules::{Behavior, Decision, InvalidRule, InvalidRules};

/// Rules that decide about permission requests.
///
/// A deny rule denies, an ask rule leaves the request to the handler of [`or`](PermissionRules::or), and an allow rule
/// allows; what no rule allows or denies is left to the handler as well. Links in the paths of a call are followed on this
/// machine. What can't be found out is left to the handler: commands with wildcards in their paths, and git commands, for
/// which the engine needs to know the repository. Relative paths are counted from the directory of the rules.
#[derive(Debug, Clone)]
pub struct PermissionRules {
    context: Context,
}

impl PermissionRules {
    /// No rules, for an agent that works in this directory.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// let rules = PermissionRules::new("/proj");
    /// ```
    pub fn new(directory: impl AsRef<Path>) -> Self {
        let directory = directory.as_ref();
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let mut context = Context::new(absolute.to_string_lossy());
        // Agents report paths without links.
        context.add_directories(Source::Session, [real_path(&absolute.to_string_lossy())]);
        PermissionRules { context }
    }

    /// Sets the user's home, which `~` in rules and commands denotes. Set it before rules that have it.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// # fn main() -> Result<(), aqueduct_client::rules::InvalidRules> {
    /// let rules = PermissionRules::new("/proj").with_home("/home/me").deny(["Read(~/.ssh/**)"])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_home(mut self, home: impl AsRef<Path>) -> Self {
        self.context = self.context.with_home(home.as_ref().to_string_lossy());
        self
    }

    /// Adds rules that allow.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// let rules = PermissionRules::new("/proj").allow(["Bash(make test)", "mcp__files"]);
    /// assert!(rules.is_ok());
    ///
    /// let error = PermissionRules::new("/proj").allow(["Bash(make test"]).unwrap_err();
    /// assert_eq!(error.rules()[0].place(), "allow[0]");
    /// ```
    pub fn allow<T: AsRef<str>>(self, rules: impl IntoIterator<Item = T>) -> Result<Self, InvalidRules> {
        self.with(Behavior::Allow, rules)
    }

    /// Adds rules that deny.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// # fn main() -> Result<(), aqueduct_client::rules::InvalidRules> {
    /// let rules = PermissionRules::new("/proj").allow(["Bash"])?.deny(["Bash(rm:*)", "Read(.env)"])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn deny<T: AsRef<str>>(self, rules: impl IntoIterator<Item = T>) -> Result<Self, InvalidRules> {
        self.with(Behavior::Deny, rules)
    }

    /// Adds rules that ask, whatever is allowed.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// # fn main() -> Result<(), aqueduct_client::rules::InvalidRules> {
    /// let rules = PermissionRules::new("/proj").allow(["Bash(npm:*)"])?.ask(["Bash(npm publish:*)"])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn ask<T: AsRef<str>>(self, rules: impl IntoIterator<Item = T>) -> Result<Self, InvalidRules> {
        self.with(Behavior::Ask, rules)
    }

    fn with<T: AsRef<str>>(
        mut self,
        behavior: Behavior,
        rules: impl IntoIterator<Item = T>,
    ) -> Result<Self, InvalidRules> {
        self.add_rules(behavior, rules)?;
        Ok(self)
    }

    /// Adds rules of a behavior. If one of them can't be used, none is added, and the error names each with its place.
    ///
    /// ```
    /// use aqueduct_client::rules::{Behavior, PermissionRules};
    ///
    /// let mut rules = PermissionRules::new("/proj");
    /// for problem in rules.add_rules(Behavior::Deny, ["Bash(rm:*)", "bash(mv:*)"]).unwrap_err().rules() {
    ///     assert_eq!((problem.place().as_str(), problem.text.as_str()), ("deny[1]", "bash(mv:*)"));
    ///     assert_eq!(problem.hint().as_deref(), Some("did you mean `Bash`?"));
    /// }
    /// ```
    pub fn add_rules<T: AsRef<str>>(
        &mut self,
        behavior: Behavior,
        rules: impl IntoIterator<Item = T>,
    ) -> Result<(), InvalidRules> {
        let mut context = self.context.clone();
        context.add_rules(Source::Session, behavior, rules)?;
        self.context = context;
        Ok(())
    }

    /// What the rules make of a request, and why.
    ///
    /// ```
    /// use aqueduct_client::rules::{Behavior, PermissionRules};
    /// use aqueduct_client::{Permission, PermissionRequest};
    ///
    /// async fn log(rules: PermissionRules, request: PermissionRequest) -> Permission {
    ///     let decision = rules.decide(&request).await;
    ///     println!("{}: {}", decision.behavior, decision.reason);
    ///     match decision.behavior {
    ///         Behavior::Allow => Permission::allow(),
    ///         _ => Permission::deny(decision.reason),
    ///     }
    /// }
    /// ```
    pub async fn decide(&self, request: &PermissionRequest) -> Decision {
        let context = self.context.clone();
        let (tool, input) = (request.tool().to_owned(), request.input().clone());
        // Looking at the disk may take a while.
        let deciding = tokio::task::spawn_blocking(move || decided(&context, &tool, &input));
        deciding.await.unwrap_or_else(|_| undecided("the call could not be checked"))
    }

    /// A callback for [`Builder::on_permission`](crate::Builder::on_permission): the rules decide what they can, and
    /// `ask` the rest.
    ///
    /// ```
    /// use aqueduct_client::rules::PermissionRules;
    /// use aqueduct_client::{Permission, Session};
    ///
    /// # fn main() -> Result<(), aqueduct_client::rules::InvalidRules> {
    /// let rules = PermissionRules::new("/proj").allow(["Bash(make:*)"])?;
    /// let builder = Session::builder().on_permission(rules.or(|request| async move {
    ///     Permission::deny(format!("{} is not for you", request.tool()))
    /// }));
    /// # Ok(())
    /// # }
    /// ```
    pub fn or<F>(
        self,
        ask: impl Fn(PermissionRequest) -> F + Send + Sync + 'static,
    ) -> impl Fn(PermissionRequest) -> Answering<Permission> + Send + Sync + 'static
    where
        F: Future<Output = Permission> + Send + 'static,
    {
        let (rules, ask) = (Arc::new(self), callback(ask));
        move |request| {
            let (rules, ask) = (rules.clone(), ask.clone());
            Box::pin(async move {
                match rules.settle(&request).await {
                    Some(permission) => permission,
                    None => ask(request).await,
                }
            })
        }
    }

    /// A callback like that of [`or`](PermissionRules::or) where no user can be asked: what the rules don't allow is denied
    /// with this message.
    ///
    /// ```
    /// use aqueduct_client::Session;
    /// use aqueduct_client::rules::PermissionRules;
    ///
    /// # fn main() -> Result<(), aqueduct_client::rules::InvalidRules> {
    /// let rules = PermissionRules::new("/proj").allow(["Bash(make:*)"])?;
    /// let builder = Session::builder().on_permission(rules.or_deny("Only make is allowed here."));
    /// # Ok(())
    /// # }
    /// ```
    pub fn or_deny(
        self,
        message: impl Into<String>,
    ) -> impl Fn(PermissionRequest) -> Answering<Permission> + Send + Sync + 'static {
        let message: String = message.into();
        self.or(move |_| std::future::ready(Permission::deny(message.clone()).without_user()))
    }

    /// The permission, where rules decide about it.
    async fn settle(&self, request: &PermissionRequest) -> Option<Permission> {
        let decision = self.decide(request).await;
        // The agent has asked because something about the call is not harmless, so looking harmless is not enough here.
        let allows = |step: &Step| step.step == Stage::Allow && step.behavior == Behavior::Allow;
        match decision.behavior {
            Behavior::Deny => Some(Permission::deny(decision.reason).without_user()),
            Behavior::Allow if decision.trace.iter().any(allows) => Some(Permission::allow().without_user()),
            Behavior::Allow | Behavior::Ask => None,
        }
    }
}

fn decided(context: &Context, tool: &str, input: &Raw<'_>) -> Decision {
    let Ok(input) = input.to::<Value>() else { return undecided("the input is not JSON that can be read") };
    let call = Call::new(tool, &input);
    let resolved: Vec<(String, String)> =
        paths(context, &call).into_iter().map(|path| (path.clone(), target(&path))).collect();
    decide(context, &call.with_resolved(&resolved))
}

/// Where a path leads; a folder ends with a slash. One with wildcards may lead anywhere.
fn target(path: &str) -> String {
    if path.contains(['*', '?', '[']) {
        return "/".to_owned();
    }
    let real = real_path(path);
    if real != "/" && Path::new(&real).is_dir() { real + "/" } else { real }
}

/// A decision that the rules leave to the handler.
fn undecided(reason: &str) -> Decision {
    Decision {
        behavior: Behavior::Ask,
        reason: reason.to_owned(),
        reason_type: DecisionReasonType::SafetyCheck,
        trace: Vec::new(),
        suggestions: Vec::new(),
        parts: Vec::new(),
    }
}
