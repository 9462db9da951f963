//! The run of a command hook, from its start to its reply.

use std::time::Duration;

use aqueduct_os::guard::{CommandEnd, GuardError};
use aqueduct_wire::hook::HookOutput;
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::HookOutcome;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::frames::HookEnding;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use super::process::{HookProcess, HookProcessEvent, PrintedOutput};
use super::reply::{self, HookReply};
use super::run::{HookContext, HookRun};
use crate::hook_config::CommandAction;
use crate::hook_config::ConfiguredHook;

/// How often frames report the output of a running hook.
const PROGRESS: Duration = Duration::from_secs(1);

/// The exit code of a refusal.
const NO: i32 = 2;

/// The exit codes of a shell that could not run a command.
const NOT_RUN: [i32; 2] = [126, 127];

/// A running command hook.
pub(super) struct CommandRun {
    running: HookRun,
    hook: ConfiguredHook,
    action: CommandAction,
    deadline: Instant,
}

impl CommandRun {
    pub(super) fn new(hook: ConfiguredHook, action: CommandAction, running: HookRun) -> Self {
        let deadline = Instant::now() + running.patience(&hook);
        CommandRun { running, hook, action, deadline }
    }

    fn hook_context(&self) -> &HookContext {
        &self.running.hook_context
    }

    fn occasion(&self) -> &HookOccurrence {
        &self.running.occasion
    }

    pub(super) async fn follow(self, input: &str, cancel: &CancellationToken) -> HookReply {
        // Programs that read by lines need a complete line.
        let input = format!("{input}\n");
        let hook_context = self.hook_context();
        let project = &hook_context.environment.cwd;
        let (command, root) = (&self.action.command, self.hook.root.as_deref());
        let started =
            HookProcess::start(&hook_context.environment, &hook_context.cwd, project, command, root, input);
        let mut process = match started {
            Ok(process) => process,
            Err(error) => {
                let why = format!("it can't be started: {error}");
                self.running
                    .send_ended(HookEnding::of(&PrintedOutput::default(), None, HookOutcome::Error))
                    .await;
                return self.failed(&why, None);
            }
        };
        if self.action.is_async {
            self.leave(process);
            return HookReply::Nothing;
        }
        let (mut reported, mut may_leave) = (0, true);
        let mut progress = Instant::now() + PROGRESS;
        let ended = loop {
            tokio::select! {
                happened = process.next() => match happened {
                    HookProcessEvent::Ended(ended) => break ended,
                    HookProcessEvent::Printed => {
                        if let Some(line) = process.printed.first_line().filter(|_| may_leave) {
                            may_leave = false;
                            if let Some(patience) = asks_to_be_left(line) {
                                CommandRun { deadline: patience.unwrap_or(self.deadline), ..self }.leave(process);
                                return HookReply::Nothing;
                            }
                        }
                    }
                },
                () = sleep_until(progress) => {
                    progress = Instant::now() + PROGRESS;
                    if process.printed.len() > reported {
                        reported = process.printed.len();
                        self.running.send_progress(&process.printed).await;
                    }
                }
                () = sleep_until(self.deadline) => {
                    process.end().await;
                    let ending = HookEnding::of(&process.printed, Some(1), HookOutcome::Cancelled);
                    self.running.send_ended(ending).await;
                    return self.failed("it did not end in time", self.no_verdict(reply::TIMED_OUT));
                }
                () = cancel.cancelled() => {
                    process.end().await;
                    self.running.send_ended(HookEnding::of(&process.printed, None, HookOutcome::Cancelled)).await;
                    return HookReply::Nothing;
                }
            }
        };
        let printed = process.printed.clone();
        hook_context.detached.drain(process.outlive());
        let (code, reply) = self.reply(ended, &printed);
        self.running.send_ended(ending(&printed, code, &reply)).await;
        reply
    }

    /// The tag that hosts use for a hook that had to decide and did not. Only `PreToolUse` hooks get one: no other
    /// event depends on the verdict of a hook alone.
    fn no_verdict(&self, tag: &'static str) -> Option<&'static str> {
        (self.hook.event.name == "PreToolUse").then_some(tag)
    }

    /// What the end of a command and its output mean.
    fn reply(
        &self,
        ended: Result<CommandEnd, GuardError>,
        printed: &PrintedOutput,
    ) -> (Option<i32>, HookReply) {
        let event = self.hook.event;
        let errors = printed.stderr();
        let stderr = errors.trim();
        match ended {
            Ok(CommandEnd::Exited(0)) if printed.is_cut() => {
                (Some(0), self.failed("it printed too much", None))
            }
            Ok(CommandEnd::Exited(0)) => {
                let reply = match reply::read(event, &printed.stdout()) {
                    HookReply::Failed { why, blocks, .. } => {
                        let why = format!("[{}]: {why}", self.action.command);
                        HookReply::Failed { why, blocks, tag: self.no_verdict(reply::NO_VERDICT) }
                    }
                    reply => reply,
                };
                (Some(0), reply)
            }
            Ok(CommandEnd::Exited(NO)) if event.can_block => {
                let why = if stderr.is_empty() { "No stderr output" } else { &errors };
                let why = format!("[{}]: {why}", self.action.command);
                let reason = (!stderr.is_empty()).then(|| stderr.to_owned());
                (Some(NO), HookReply::Blocked { why, reason })
            }
            Ok(CommandEnd::Exited(code)) => {
                let why = format!("it ended with exit code {code}");
                let why = if stderr.is_empty() { why } else { format!("{why}: {stderr}") };
                let tag = NOT_RUN.contains(&code).then(|| self.no_verdict(reply::NO_VERDICT)).flatten();
                (Some(code), self.failed(&why, tag))
            }
            Ok(CommandEnd::Signalled(signal)) => {
                (None, self.failed(&format!("it was ended by signal {signal}"), None))
            }
            Err(lost) => (None, self.failed(&lost.to_string(), None)),
        }
    }

    fn failed(&self, why: &str, tag: Option<&'static str>) -> HookReply {
        HookReply::Failed { why: format!("[{}]: {why}", self.action.command), blocks: false, tag }
    }

    /// Lets the command continue in the background, with no caller waiting. Its output is added to the model's next
    /// request.
    fn leave(self, mut process: HookProcess) {
        let detached = self.hook_context().detached.clone();
        detached.spawn(async move {
            let ended = loop {
                tokio::select! {
                    happened = process.next() => {
                        if let HookProcessEvent::Ended(ended) = happened {
                            break ended;
                        }
                    }
                    () = sleep_until(self.deadline) => {
                        process.end().await;
                        self.running.send_ended(HookEnding::of(&process.printed, None, HookOutcome::Cancelled)).await;
                        return;
                    }
                }
            };
            let printed = process.printed.clone();
            let (code, reply) = self.reply(ended, &without_first(&printed));
            self.running.send_ended(ending(&printed, code, &reply)).await;
            let mut late_outcome = HooksOutcome::default();
            late_outcome.take(self.hook.event, reply);
            self.hook_context().detached.keep_contexts(self.occasion(), &mut late_outcome);
            self.hook_context().send_notices(self.hook_context().notices(self.occasion(), &late_outcome)).await;
            self.hook_context().detached.drain(process.outlive());
        });
    }
}

/// How a command ended: well, if it exited with 0 and its answer can be used.
fn ending(printed: &PrintedOutput, code: Option<i32>, reply: &HookReply) -> HookEnding {
    match (code, reply) {
        (Some(0), HookReply::Failed { why, .. }) => HookEnding::unusable(&printed.stdout(), why, 0),
        (Some(0), _) => HookEnding::of(printed, code, HookOutcome::Success),
        _ => HookEnding::of(printed, code, HookOutcome::Error),
    }
}

/// Whether the first line of a hook's output asks to run in the background, and until when.
fn asks_to_be_left(line: &str) -> Option<Option<Instant>> {
    let raw = Raw::parse(line).ok()?;
    let output = raw.view::<HookOutput<'_>>().filter(|output| output.is_async == Some(true))?;
    let patience = output.async_timeout.and_then(|number| number.as_u64());
    Some(patience.map(|patience| Instant::now() + Duration::from_millis(patience)))
}

/// The output without the line that asked to run in the background.
fn without_first(printed: &PrintedOutput) -> PrintedOutput {
    match printed.first_line().and_then(asks_to_be_left) {
        Some(_) => printed.without_first_line(),
        None => printed.clone(),
    }
}
