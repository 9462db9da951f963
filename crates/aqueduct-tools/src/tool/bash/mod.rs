//! `Bash`: commands of the model.
//!
//! A command runs under a guard (see [`aqueduct_os::guard`]), with one pipe for stdout and stderr. The call returns
//! when the shell ends, even if a process that it started continues; that process ends with the agent. A command that
//! exceeds its timeout continues in the background, as in the reference, or is terminated where that is not wanted.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aqueduct_os::guard::{CommandEnd, GuardError, GuardedCommand};
use aqueduct_os::private_dir::make_private_among_others;
use aqueduct_sandbox::{CommandWindow, Course, Stay};
use aqueduct_wire::hint::HintedError as _;

use self::answer::{OutputRemarks, ShownOutput};
use self::input::BashRequest;
use self::limits::BashLimits;
use super::row::{CallSummary, ToolFacts};
use super::{BuiltInTool, CallOutput, Notice, ToolContext, ToolFailure, ToolInvocation};
use crate::command::{BackgroundCommand, Capture, JobEnd, MAX_RUNNING, RunningCommand, inspect, shell};
use crate::context::{CommandContext, MissingDirectory};
use crate::file::read_whole;
use crate::id::fresh_run_id;
use crate::notice::TaskLabel;

mod answer;
mod exit_code;
mod input;
mod limits;
#[cfg(test)]
pub(super) mod tests;

/// How long the turn waits for a command before hosts are notified of it as a task.
const LONG: Duration = Duration::from_secs(3);

/// How long a command may run in the background that was meant for the foreground.
const LATE_LIMIT: Duration = Duration::from_secs(30 * 60);

/// The largest size of the note with a command's final working directory: the longest path, and a line end.
const NOTE_LIMIT: u64 = 4097;

/// The name of the tool.
pub const BASH: &str = "Bash";

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: BASH,
    description:
        "Runs a shell command and returns its output, stdout and stderr combined, and the exit \
code if it is not 0.

- The working directory persists between calls, inside the project; variables and functions do not. Use absolute \
paths rather than many `cd`s.
- There is no terminal and stdin is empty: pass options that prevent prompts (`-y`, `--no-edit`).
- Quote paths with spaces. Join commands that depend on each other with `&&`; make independent calls in \
one message.
- Prefer the tools for files and searching (Read, Edit, Write, Glob, Grep) over cat, sed, echo, find and grep.
- A command that takes longer than `timeout` continues in the background. Start servers and long builds with \
`run_in_background`; you are notified when they end, so do not sleep to wait for them.
- Output beyond 30000 characters is saved to a file whose path is returned.",
    schema: r#"{"type":"object","properties":{"command":{"type":"string","description":"The command to run"},"timeout":{"type":"number","description":"Timeout in milliseconds; default: 120000, maximum: 600000"},"description":{"type":"string","description":"What the command does, in five to ten words, for the user"},"run_in_background":{"type":"boolean","description":"Run in the background and return at once; the output is written to a file"},"dangerouslyDisableSandbox":{"type":"boolean","description":"Run the command outside of the sandbox, if there is one"}},"required":["command"],"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(run(tool_context, call)),
    facts: ToolFacts {
        runs_commands: true,
        summary: Some(CallSummary { verb: "Running ", members: &["description", "command"] }),
        briefing: Some(|tool_context| tool_context.commands.sandbox.briefing(&tool_context.workspace.roots())),
        ..ToolFacts::NONE
    },
};

/// Runs a command.
async fn run(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let request = BashRequest::read(&call.input)?;
    let limits = BashLimits::of(&tool_context.environment);
    let course = tool_context.commands.sandbox.course(&request.command, request.leaves);
    let label = TaskLabel {
        id: new_id(),
        run_id: fresh_run_id(),
        tool_use_id: call.id.to_owned(),
        description: request.title().to_owned(),
        owner: tool_context.subagents.owner.as_ref().map(|owner| owner.identity.id.clone()),
    };
    let run =
        BashCall { tool_context, call, request, limits, course, label, is_reported: AtomicBool::new(false) };
    match run.request.background {
        true => run.in_background().await,
        false => run.in_foreground().await,
    }
}

/// One call of the tool.
struct BashCall<'a> {
    tool_context: &'a ToolContext,
    call: ToolInvocation<'a>,
    request: BashRequest,
    limits: BashLimits,
    /// Where it runs.
    course: Course,
    /// The name of its files, and what it is known by if it becomes a task.
    label: TaskLabel,
    /// The host knows of it.
    is_reported: AtomicBool,
}

impl BashCall<'_> {
    async fn in_background(self) -> Result<CallOutput, ToolFailure> {
        if !self.tool_context.commands.background.has_room() {
            return Err(ToolFailure::Failed(format!(
                "{MAX_RUNNING} commands are already running in the background. Stop one with TaskStop, or \
                 wait for one."
            )));
        }
        let mut capture = self.capture();
        capture.save().map_err(|error| {
            let folder = self.tool_context.commands.spool.display();
            ToolFailure::Failed(format!("The output file can't be created in {folder}: {error}"))
        })?;
        // A command in the background does not change the working directory.
        let window = self.window().await?;
        let job = self.start(capture, Path::new("/dev/null"), window)?;
        let task = self.adopt(job, None).await;
        let note = format!(
            "Command running in background with ID: {}. Output is being written to: {}. A notification \
             follows when it ends; until then Read shows the output so far.",
            task.label.id,
            task.output.display()
        );
        let remarks = OutputRemarks {
            task: Some((&task.label.id, note)),
            left: self.left(),
            ..OutputRemarks::default()
        };
        Ok(answer::success(ShownOutput::default(), remarks))
    }

    async fn in_foreground(self) -> Result<CallOutput, ToolFailure> {
        // Without the folder the command runs all the same; only its directory and long output are lost.
        let _ = make_private_among_others(&self.tool_context.commands.spool);
        let folder = match self.course {
            Course::Inside => self.tool_context.commands.sandbox.temporary(),
            _ => &self.tool_context.commands.spool,
        };
        let note = folder.join(format!("{}.cwd", self.label.id));
        let window = self.window().await?;
        let mut job = self.start(self.capture(), &note, window)?;
        let timeout = self.limits.timeout(self.request.timeout);
        let end = tokio::select! {
            biased;
            () = self.call.cancel.cancelled() => {
                job.stop().await;
                self.report_end("stopped").await;
                let mut printed = self.printed(&mut job);
                printed.note = self.left_behind(&mut job).await;
                return Err(ToolFailure::Interrupted(answer::interruption(&printed)));
            }
            () = tokio::time::sleep(timeout) => return Ok(self.late(job, timeout).await),
            end = self.report_beside(job.ended()) => end,
        };
        self.report_end(if matches!(end, JobEnd::Ended(CommandEnd::Exited(0))) {
            "completed"
        } else {
            "failed"
        })
        .await;
        let left = self.left_behind(&mut job).await;
        let output = match end {
            JobEnd::Ended(CommandEnd::Exited(code)) => self.finished(&mut job, code, &note, left),
            // The exit code that shells report.
            JobEnd::Ended(CommandEnd::Signalled(signal)) => {
                self.finished(&mut job, 128 + signal, &note, left)
            }
            JobEnd::Flooded => {
                job.stop().await;
                let left = self.left_behind(&mut job).await;
                let head = format!(
                    "The command printed more than {} bytes and was terminated with everything it started.",
                    self.limits.output
                );
                let mut printed = self.printed(&mut job);
                printed.note = left;
                answer::failure(head, &printed)
            }
            JobEnd::Lost(GuardError::Refused(error)) => return Err(self.not_started(&error)),
            JobEnd::Lost(lost) => {
                let head = format!("How the command ended is unknown: {lost}.");
                let mut printed = self.printed(&mut job);
                printed.note = left;
                answer::failure(head, &printed)
            }
        };
        self.tool_context.commands.background.outlive(job, self.tool_context.commands.notices.clone());
        Ok(output)
    }

    /// Waits for the end of a command that the turn waits for, and reports it to the host where that takes long.
    async fn report_beside(&self, ended: impl Future<Output = JobEnd>) -> JobEnd {
        tokio::pin!(ended);
        tokio::select! {
            biased;
            end = &mut ended => return end,
            () = tokio::time::sleep(LONG) => (),
        }
        if self.tool_context.commands.notices.send(Notice::CommandStarted(self.label.clone())).await.is_ok() {
            self.is_reported.store(true, Ordering::Relaxed);
        }
        ended.await
    }

    /// Reports the end of a command that the turn waited for, where the host knows of it.
    async fn report_end(&self, status: &'static str) {
        if self.is_reported.load(Ordering::Relaxed) {
            // Without a listener the conversation is over.
            let _ = self
                .tool_context
                .commands
                .notices
                .send(Notice::CommandEnded { label: self.label.clone(), status })
                .await;
            // The loop reports it before the turn continues.
            tokio::task::yield_now().await;
        }
    }

    /// Lists the repositories that a command in the sandbox could change, before it begins. Before one that runs outside,
    /// what others left that still run is checked: it may be git.
    async fn window(&self) -> Result<Option<CommandWindow>, ToolFailure> {
        let sandbox = &self.tool_context.commands.sandbox;
        if self.course != Course::Inside {
            self.report(inspect(sandbox.watch().clone()).await).await;
            return Ok(None);
        }
        let (sandbox, roots) = (Arc::clone(sandbox), self.tool_context.workspace.roots());
        let opened = tokio::task::spawn_blocking(move || sandbox.open_window(&roots)).await;
        let opened = opened.unwrap_or_else(|error| Err(io::Error::other(error)));
        let (window, reports) = opened.map_err(|error| {
            ToolFailure::Failed(format!("The command did not run: the sandbox can't be prepared: {error}"))
        })?;
        self.report(reports).await;
        Ok(Some(window))
    }

    /// Reports to the user what commands in the sandbox left.
    async fn report(&self, reports: Vec<String>) {
        for text in reports {
            // Without a listener the conversation is over.
            let _ = self.tool_context.commands.notices.send(Notice::SandboxReport(text)).await;
        }
    }

    /// Checks what a command left in the sandbox, and reports it; the note for the model.
    async fn left_behind(&self, job: &mut RunningCommand) -> Option<String> {
        let reports = job.inspect().await;
        let note = (!reports.is_empty()).then(|| format!("<sandbox>\n{}\n</sandbox>", reports.join("\n")));
        self.report(reports).await;
        note
    }

    /// Starts the command. If it succeeds, the file `note` then contains its final working directory.
    fn start(
        &self,
        capture: Capture,
        note: &Path,
        window: Option<CommandWindow>,
    ) -> Result<RunningCommand, ToolFailure> {
        let environment = &self.tool_context.environment;
        let missing = |error: MissingDirectory| ToolFailure::Failed(error.advised());
        let cwd = self.tool_context.workspace.existing_cwd().map_err(missing)?;
        let mut variables = shell::variables(environment);
        let command = shell::words(&shell::program(environment), &self.request.command, note);
        let (command, stdin, stay) = match window {
            Some(window) => {
                let wrapped = self.tool_context.commands.sandbox.wrap(
                    command,
                    &cwd,
                    &self.tool_context.workspace.roots(),
                    window,
                );
                let wrapped = wrapped.map_err(|error| {
                    let text = format!("The command did not run: the sandbox can't be prepared: {error}");
                    ToolFailure::Failed(text)
                })?;
                variables.retain(|(name, _)| wrapped.variables.iter().all(|(set, _)| set != name));
                variables.extend(wrapped.variables);
                (wrapped.words, wrapped.stdin, wrapped.stay)
            }
            None => (command, None, Stay::default()),
        };
        let order =
            GuardedCommand { guard: &environment.guard, command: &command, cwd: &cwd, variables: &variables };
        RunningCommand::start(&order, stdin, stay, capture, self.limits.output)
            .map_err(|error| self.not_started(&error))
    }

    /// Whether it runs outside of the sandbox because the model asked for that.
    fn left(&self) -> bool {
        self.course == Course::Left
    }

    /// The note for the model where the sandbox refused something to a command that has ended.
    fn refusal(&self, job: &RunningCommand, printed: &ShownOutput, failed: bool) -> Option<String> {
        if self.course != Course::Inside {
            return None;
        }
        let output = failed.then(|| printed.resolved());
        let sandbox = &self.tool_context.commands.sandbox;
        sandbox.refusal(
            &self.request.command,
            output.as_deref(),
            &job.stay,
            &self.tool_context.workspace.roots(),
        )
    }

    /// The answer to a command that has ended by itself.
    fn finished(&self, job: &mut RunningCommand, code: i32, note: &Path, left: Option<String>) -> CallOutput {
        let mut printed = self.printed(job);
        let interpretation = exit_code::interpretation(&self.request.command, code);
        let failed = code != 0 && interpretation.is_none();
        let notes = [self.refusal(job, &printed, failed), left];
        printed.note = notes.into_iter().flatten().reduce(|one, other| format!("{one}\n{other}"));
        if failed {
            return answer::failure(format!("Exit code {code}"), &printed);
        }
        let reset = move_to(self.tool_context, note);
        let silent = interpretation.is_none() && exit_code::is_silent(&self.request.command);
        let left = self.left();
        let remarks = OutputRemarks {
            reset: reset.as_deref(),
            interpretation,
            silent,
            left,
            ..OutputRemarks::default()
        };
        answer::success(printed, remarks)
    }

    /// The answer to a command that exceeded its timeout: it continues in the background, if it may.
    async fn late(self, mut job: RunningCommand, timeout: Duration) -> CallOutput {
        let may = !self.tool_context.environment.flag("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS");
        if !may || !self.tool_context.commands.background.has_room() || job.capture.save().is_err() {
            job.stop().await;
            self.report_end("failed").await;
            let head = format!(
                "The command took longer than {} ms and was terminated with everything it started. Pass a \
                 longer `timeout`, or run it in the background.",
                timeout.as_millis()
            );
            let mut printed = self.printed(&mut job);
            printed.note = self.left_behind(&mut job).await;
            return answer::failure(head, &printed);
        }
        let printed = self.printed(&mut job);
        let task = self.adopt(job, Some(LATE_LIMIT)).await;
        let note = format!(
            "Command did not complete within {} ms and was moved to the background (ID: {}). Output is being \
             written to: {}. A notification follows when it ends; do not start it again. TaskStop stops it.",
            timeout.as_millis(),
            task.label.id,
            task.output.display()
        );
        let remarks = OutputRemarks {
            task: Some((&task.label.id, note)),
            timed_out: u64::try_from(timeout.as_millis()).ok(),
            left: self.left(),
            ..OutputRemarks::default()
        };
        answer::success(printed, remarks)
    }

    /// Moves the command to the background.
    async fn adopt(&self, job: RunningCommand, time: Option<Duration>) -> Arc<BackgroundCommand> {
        let CommandContext { background, notices, .. } = &self.tool_context.commands;
        // From here on nothing waits, so a call that is dropped leaves no task without a command. Without a
        // listener the conversation is over.
        let permit = notices.reserve().await.ok();
        let task = background.begin(self.label.clone(), self.request.command.clone(), self.output_file());
        if let Some(permit) = permit {
            let was_reported = self.is_reported.load(Ordering::Relaxed);
            permit.send(Notice::TaskStarted { label: self.label.clone(), was_reported });
        }
        background.adopt(Arc::clone(&task), job, time, notices.clone());
        // The loop reports the task before the turn continues.
        tokio::task::yield_now().await;
        task
    }

    fn output_file(&self) -> PathBuf {
        self.tool_context.commands.spool.join(format!("{}.output", self.label.id))
    }

    fn capture(&self) -> Capture {
        Capture::new(self.output_file(), self.limits.shown)
    }

    fn printed(&self, job: &mut RunningCommand) -> ShownOutput {
        ShownOutput::of(&mut job.capture, self.limits.shown)
    }

    /// A command that could not be started.
    fn not_started(&self, error: &io::Error) -> ToolFailure {
        let shell = shell::program(&self.tool_context.environment);
        ToolFailure::Failed(format!(
            "The command could not be started with {}: {error}. The user can set another shell in \
             CLAUDE_CODE_SHELL.",
            shell.display()
        ))
    }
}

/// Moves the working directory to where a command noted that it is; returns the project's folder if the
/// place is outside of where the agent may work, and the directory was set back.
fn move_to(tool_context: &ToolContext, note: &Path) -> Option<PathBuf> {
    // The command can write there what it likes, also something that never ends.
    let folder = note.parent().and_then(|folder| folder.canonicalize().ok())?;
    let noted = read_whole(&folder.join(note.file_name()?), NOTE_LIMIT);
    let _ = std::fs::remove_file(note);
    let (mut noted, _) = noted.ok()?;
    if noted.pop() != Some(b'\n') {
        return None;
    }
    let place = {
        use std::os::unix::ffi::OsStringExt;
        PathBuf::from(std::ffi::OsString::from_vec(noted))
    };
    tool_context.workspace.follow(place)
}

/// A new name for a command's files and its task.
fn new_id() -> String {
    let letters = std::iter::repeat_with(|| fastrand::alphanumeric().to_ascii_lowercase()).take(8);
    std::iter::once('b').chain(letters).collect()
}
