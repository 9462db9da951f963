//! What answers of hooks can do, one arm of a macro for each ability. The table names the abilities of each event.

/// The documentation of a method: what it does, and an example with the event's own types.
macro_rules! ability_example {
    ($call:ident, $answer:ident, $body:literal) => {
        concat!(
            "\n\n```\nuse aqueduct_client::hook::{",
            stringify!($answer),
            ", ",
            stringify!($call),
            "};\n\nasync fn run(call: ",
            stringify!($call),
            ") -> ",
            stringify!($answer),
            " {\n    ",
            $body,
            "\n}\n```"
        )
    };
}

/// Adds an ability to the call and the answer of an event.
macro_rules! ability {
    (block $call:ident $answer:ident $($output:ident)?) => {
        impl $call {
            /// Blocks what the event is about. The model receives the reason where it continues.
            #[doc = ability_example!($call, $answer, "call.block(\"Not now.\")")]
            pub fn block(&self, reason: impl Into<String>) -> $answer {
                let mut answer = self.proceed();
                answer.output.decision = Some(HookDecision::Block);
                answer.output.reason = Some(reason.into().into());
                answer
            }
        }
    };
    (context $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Gives the model this text beside what it receives anyway.
            #[doc = ability_example!($call, $answer, "call.proceed().with_context(\"The tests are slow.\")")]
            pub fn with_context(mut self, text: impl Into<String>) -> Self {
                self.specific.get_or_insert_with($output::new).additional_context = Some(text.into().into());
                self
            }
        }
    };
    (permission $call:ident $answer:ident $output:ident) => {
        impl $call {
            /// Permits it without asking the user. Deny rules still apply.
            #[doc = ability_example!($call, $answer, "call.allow()")]
            pub fn allow(&self) -> $answer {
                self.decide(HookPermission::Allow, None)
            }

            /// Lets the user decide, who is shown the reason.
            #[doc = ability_example!($call, $answer, "call.ask(\"This costs money.\")")]
            pub fn ask(&self, reason: impl Into<String>) -> $answer {
                self.decide(HookPermission::Ask, Some(reason.into()))
            }

            /// Forbids it. The model receives the reason and continues.
            #[doc = ability_example!($call, $answer, "call.deny(\"Not here.\")")]
            pub fn deny(&self, reason: impl Into<String>) -> $answer {
                self.decide(HookPermission::Deny, Some(reason.into()))
            }

            /// Forbids it: another name of [`deny`](Self::deny), which the other events have.
            #[doc = ability_example!($call, $answer, "call.block(\"Not here.\")")]
            pub fn block(&self, reason: impl Into<String>) -> $answer {
                self.deny(reason)
            }

            fn decide(&self, decision: HookPermission<'static>, reason: Option<String>) -> $answer {
                let mut answer = self.proceed();
                let specific = answer.specific.get_or_insert_with($output::new);
                specific.permission_decision = Some(decision);
                specific.permission_decision_reason = reason.map(Into::into);
                answer
            }
        }
    };
    (input $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Runs the tool with this input in place of the model's: JSON, or an input type of the wire.
            #[doc = ability_example!(
                $call, $answer, "call.proceed().with_input(serde_json::json!({\"command\": \"make test\"}))"
            )]
            pub fn with_input(mut self, input: impl Into<Raw<'static>>) -> Self {
                self.specific.get_or_insert_with($output::new).updated_input = Some(input.into());
                self
            }
        }
    };
    (output $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Gives the model this in place of the tool's result, in the form of the tool's results.
            #[doc = ability_example!(
                $call, $answer, "call.proceed().with_output(serde_json::json!({\"stdout\": \"fine\"}))"
            )]
            pub fn with_output(mut self, output: impl Into<Raw<'static>>) -> Self {
                self.specific.get_or_insert_with($output::new).updated_tool_output = Some(output.into());
                self
            }

            /// Gives the model this in place of the result of an MCP tool.
            #[doc = ability_example!(
                $call, $answer, "call.proceed().with_mcp_output(serde_json::json!([{\"type\": \"text\", \"text\": \"fine\"}]))"
            )]
            pub fn with_mcp_output(mut self, output: impl Into<Raw<'static>>) -> Self {
                self.specific.get_or_insert_with($output::new).updated_mcp_tool_output = Some(output.into());
                self
            }
        }
    };
    (verdict $call:ident $answer:ident $output:ident) => {
        impl $call {
            /// Allows the call in the user's place.
            #[doc = ability_example!($call, $answer, "call.allow()")]
            pub fn allow(&self) -> $answer {
                self.decide(HookPermissionDecision::Allow(HookPermissionAllow::new()))
            }

            /// Allows the call in the user's place, with another input than the model's.
            #[doc = ability_example!($call, $answer, "call.allow_with(serde_json::json!({\"command\": \"ls\"}))")]
            pub fn allow_with(&self, input: impl Into<Raw<'static>>) -> $answer {
                let mut allow = HookPermissionAllow::new();
                allow.updated_input = Some(input.into());
                self.decide(HookPermissionDecision::Allow(allow))
            }

            /// Denies the call in the user's place. The model receives the message and continues.
            #[doc = ability_example!($call, $answer, "call.deny(\"Not here.\")")]
            pub fn deny(&self, message: impl Into<String>) -> $answer {
                let mut deny = HookPermissionDeny::new();
                deny.message = Some(message.into().into());
                self.decide(HookPermissionDecision::Deny(deny))
            }

            /// Denies the call: another name of [`deny`](Self::deny), which the other events have.
            #[doc = ability_example!($call, $answer, "call.block(\"Not here.\")")]
            pub fn block(&self, message: impl Into<String>) -> $answer {
                self.deny(message)
            }

            fn decide(&self, decision: HookPermissionDecision<'static>) -> $answer {
                let mut answer = self.proceed();
                answer.specific.get_or_insert_with($output::new).decision = Some(decision);
                answer
            }
        }
    };
    (retry $call:ident $answer:ident $output:ident) => {
        impl $call {
            /// Lets the model try the call again.
            #[doc = ability_example!($call, $answer, "call.retry()")]
            pub fn retry(&self) -> $answer {
                let mut answer = self.proceed();
                answer.specific.get_or_insert_with($output::new).retry = Some(true);
                answer
            }
        }
    };
    (title $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Sets the title of the session.
            #[doc = ability_example!($call, $answer, "call.proceed().with_title(\"Release\")")]
            pub fn with_title(mut self, title: impl Into<String>) -> Self {
                self.specific.get_or_insert_with($output::new).session_title = Some(title.into().into());
                self
            }
        }
    };
    (hidden_prompt $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Leaves the blocked prompt out of what the user is shown.
            #[doc = ability_example!($call, $answer, "call.block(\"It has a key in it.\").with_hidden_prompt()")]
            pub fn with_hidden_prompt(mut self) -> Self {
                self.specific.get_or_insert_with($output::new).suppress_original_prompt = Some(true);
                self
            }
        }
    };
    (first_prompt $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Begins the session with this prompt, as if the user had sent it.
            #[doc = ability_example!($call, $answer, "call.proceed().with_first_prompt(\"Read the plan.\")")]
            pub fn with_first_prompt(mut self, prompt: impl Into<String>) -> Self {
                self.specific.get_or_insert_with($output::new).initial_user_message = Some(prompt.into().into());
                self
            }
        }
    };
    (watch $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Watches these files: each change is a `FileChanged` event.
            #[doc = ability_example!($call, $answer, "call.proceed().with_watched([\"/proj/.env\"])")]
            pub fn with_watched<T: Into<String>>(mut self, paths: impl IntoIterator<Item = T>) -> Self {
                let paths = paths.into_iter().map(|path| path.into().into()).collect();
                self.specific.get_or_insert_with($output::new).watch_paths = Some(paths);
                self
            }
        }
    };
    (elicitation $call:ident $answer:ident $output:ident) => {
        impl $call {
            /// Answers the server with the content of its form.
            #[doc = ability_example!($call, $answer, "call.accept(serde_json::json!({\"name\": \"Ada\"}))")]
            pub fn accept(&self, content: impl Into<Raw<'static>>) -> $answer {
                self.act(ElicitationAction::Accept, Some(content.into()))
            }

            /// Declines what the server asks.
            #[doc = ability_example!($call, $answer, "call.decline()")]
            pub fn decline(&self) -> $answer {
                self.act(ElicitationAction::Decline, None)
            }

            /// Closes the server's form without an answer.
            #[doc = ability_example!($call, $answer, "call.cancel()")]
            pub fn cancel(&self) -> $answer {
                self.act(ElicitationAction::Cancel, None)
            }

            fn act(&self, action: ElicitationAction<'static>, content: Option<Raw<'static>>) -> $answer {
                let mut answer = self.proceed();
                let specific = answer.specific.get_or_insert_with($output::new);
                specific.action = Some(action);
                specific.content = content;
                answer
            }
        }
    };
    (worktree $call:ident $answer:ident $output:ident) => {
        impl $call {
            /// Reports where the hook has made the worktree.
            #[doc = ability_example!($call, $answer, "call.created(\"/trees/one\")")]
            pub fn created(&self, path: impl Into<String>) -> $answer {
                let mut answer = self.proceed();
                answer.specific.get_or_insert_with($output::new).worktree_path = Some(path.into().into());
                answer
            }
        }
    };
    (display $call:ident $answer:ident $output:ident) => {
        impl $answer {
            /// Shows the user this text in place of the piece.
            #[doc = ability_example!($call, $answer, "call.proceed().with_text(\"…\")")]
            pub fn with_text(mut self, text: impl Into<String>) -> Self {
                self.specific.get_or_insert_with($output::new).display_content = Some(text.into().into());
                self
            }
        }
    };
}

pub(super) use {ability, ability_example};
