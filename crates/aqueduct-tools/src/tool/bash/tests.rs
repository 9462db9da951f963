//! The real thing: real shells under the real guard.
//!
//! Where a test has to know that processes are gone, they hold a FIFO open, and its end is theirs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_mcp::Mcp;
use aqueduct_os::environment::Environment;
use aqueduct_sandbox::{Sandbox, SandboxEnvironment};
use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::json::Raw;
use aqueduct_wire::media::MediaSource;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::TOOL;
use crate::context::{CommandContext, FileContext, Lists, Skills, Subagents, ToolWorkspace};
use crate::skill_catalog::SkillCatalog;
use crate::subagent::{SubagentType, SubagentTypes};
use crate::tool::background_task::{OUTPUT, STOP};
use crate::tool::no_host::NoHost;
use crate::tool::{BuiltInTool, CallOutput, Notice, ToolContext, ToolFailure, ToolInvocation};

/// A project in a temporary folder, and a tool context for it.
pub(crate) struct Bench {
    folder: TempDir,
    pub tool_context: ToolContext,
    notices: mpsc::Receiver<Notice>,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench::with(&[])
    }

    pub(crate) fn with(variables: &[(&str, &str)]) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let project = root.join("project");
        fs::create_dir(&project).unwrap();
        let (sender, notices) = mpsc::channel(2 * super::MAX_RUNNING);
        let mut environment = Environment {
            cwd: project.clone(),
            home: root.clone(),
            config: root.join(".claude"),
            temporary: root.clone(),
            variables: vec![("PATH".into(), std::env::var_os("PATH").unwrap_or_default())],
            guard: vec![guard_program().into()],
        };
        environment.variables.extend(variables.iter().map(|(name, value)| (name.into(), value.into())));
        let environment = Arc::new(environment);
        let sandbox =
            Sandbox::new(SandboxEnvironment::from(&*environment), &root.join("spool"), Default::default());
        let tool_context = ToolContext {
            workspace: ToolWorkspace::new(project, Vec::new()),
            files: FileContext::new(Default::default(), root.join("plan.md")),
            commands: CommandContext::new(sandbox, root.join("spool"), sender),
            lists: Lists::default(),
            subagents: Subagents::new(Arc::new(NoSubagents), mpsc::channel(1).0, None),
            skills: Skills::new(Arc::new(NoSkills)),
            mcp: Arc::new(Mcp::new(
                environment.clone(),
                Arc::new(NoHost),
                false,
                Default::default(),
                Default::default(),
            )),
            deferred: Default::default(),
            web: Default::default(),
            environment,
        };
        Bench { folder, tool_context, notices }
    }

    fn project(&self) -> &Path {
        &self.tool_context.environment.cwd
    }

    pub(crate) async fn call(&self, tool: &BuiltInTool, input: Value) -> Result<CallOutput, ToolFailure> {
        self.call_until(tool, input, CancellationToken::new()).await
    }

    async fn call_until(
        &self,
        tool: &BuiltInTool,
        input: Value,
        cancel: CancellationToken,
    ) -> Result<CallOutput, ToolFailure> {
        (tool.run)(
            &self.tool_context,
            ToolInvocation {
                id: "toolu_1",
                input: Raw::from(&input),
                resolved: None,
                may_be_unread: false,
                cancel,
            },
        )
        .await
    }

    async fn bash(&self, command: &str) -> CallOutput {
        self.call(&TOOL, json!({ "command": command })).await.unwrap()
    }

    async fn notice(&mut self) -> Notice {
        self.notices.recv().await.unwrap()
    }

    fn fifo(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    /// A FIFO that commands hold open as descriptor 9, and a thread that waits for its end.
    fn witness(&self) -> (PathBuf, tokio::task::JoinHandle<()>) {
        let path = self.fifo("witness");
        let fifo = path.clone();
        let gone = tokio::task::spawn_blocking(move || {
            fs::read(fifo).unwrap();
        });
        (path, gone)
    }
}

/// A session without skills.
struct NoSkills;

impl SkillCatalog for NoSkills {
    fn skill_named(&self, _: &str) -> Option<String> {
        None
    }

    fn callable(&self) -> Vec<String> {
        Vec::new()
    }

    fn note_file(&self, _: &Path, _: bool) {}

    fn note_directory(&self, _: &Path) {}
}

/// A session without subagent types.
struct NoSubagents;

impl SubagentTypes for NoSubagents {
    fn find_type(&self, _: &str) -> Option<SubagentType> {
        None
    }

    fn reread(&self) -> bool {
        false
    }

    fn type_names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The guard of commands, an example of this package: cargo builds it before it runs the tests.
fn guard_program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/command_guard");
    let hint = "run `cargo build -p aqueduct-tools --examples` first";
    assert!(program.is_file(), "{} is missing: {hint}", program.display());
    program
}

pub(crate) fn text(output: &CallOutput) -> String {
    output.content.text()
}

pub(crate) fn result(output: &CallOutput) -> Value {
    output.result.to().unwrap()
}

fn failed(outcome: Result<CallOutput, ToolFailure>) -> String {
    match outcome {
        Err(ToolFailure::Failed(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn stdout_and_stderr_come_together_in_their_order() {
    let output =
        Bench::new().bash("echo out; echo err >&2; echo b | tee /dev/stderr; printf 'end  \n\n'").await;
    assert_eq!(text(&output), "out\nerr\nb\nb\nend");
    assert_eq!(
        result(&output),
        json!({"stdout": "out\nerr\nb\nb\nend", "stderr": "", "interrupted": false, "isImage": false,
               "noOutputExpected": false})
    );
}

#[tokio::test]
async fn empty_output_is_reported() {
    let output = Bench::new().bash("mkdir a").await;
    assert_eq!(text(&output), "(Bash completed with no output)");
    assert_eq!(result(&output)["noOutputExpected"], true);
}

#[tokio::test]
async fn an_exit_code_is_an_error_with_the_output() {
    let output = Bench::new().bash("echo out; echo err >&2; exit 3").await;
    assert!(output.is_error);
    assert_eq!(text(&output), "Exit code 3\nout\nerr");
    assert_eq!(result(&output), "Error: Exit code 3\nout\nerr");
}

#[tokio::test]
async fn shell_errors_are_errors_of_the_command() {
    let bench = Bench::new();
    let script = bench.project().join("garbage");
    fs::write(&script, [0x7f, b'E', b'L', b'F', 0, 1, 2]).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for (command, code) in [
        ("no-such-command", 127),
        ("./garbage", 126),
        ("if true; then", 2),
        ("kill -9 $$", 137),
        ("exec >&- 2>&-; exit 4", 4),
        ("set -e; false; echo reached", 1),
    ] {
        let output = bench.bash(command).await;
        assert!(text(&output).starts_with(&format!("Exit code {code}")), "{command}: {}", text(&output));
    }
    assert_eq!(text(&bench.bash("echo alive").await), "alive");
    let nothing = fs::read_dir(&bench.tool_context.commands.spool).unwrap().count();
    assert_eq!(nothing, 0, "files of short commands stay behind");
}

#[tokio::test]
async fn an_answer_is_not_an_error() {
    let output = Bench::new().bash("echo a | grep b").await;
    assert!(!output.is_error);
    assert_eq!(result(&output)["returnCodeInterpretation"], "No matches found");
}

#[tokio::test]
async fn quotes_and_documents_in_a_command_stay_its_own() {
    let bench = Bench::new();
    assert_eq!(text(&bench.bash("cat <<'END'\nit's $HOME\nEND").await), "it's $HOME");
    assert_eq!(
        text(&bench.bash("cat <<END\nopen document").await.clone()).lines().next_back(),
        Some("open document")
    );
    assert!(text(&bench.bash("echo 'open").await).starts_with("Exit code"));
    assert_eq!(text(&bench.bash("echo \"[$1$#]\"; cat").await), "[0]");
}

#[tokio::test]
async fn commands_know_who_runs_them() {
    let bench = Bench::with(&[("OWN", "value"), ("CLAUDECODE", "0")]);
    assert_eq!(text(&bench.bash("echo $CLAUDECODE $OWN $GIT_EDITOR; pwd").await), {
        format!("1 value true\n{}", bench.project().display())
    });
}

#[tokio::test]
async fn the_working_directory_stays_inside_the_project() {
    let bench = Bench::new();
    let elsewhere = bench.folder.path().canonicalize().unwrap().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(bench.project().join("sub dir's")).unwrap();
    bench.bash("cd \"sub dir's\"").await;
    assert!(text(&bench.bash("pwd").await).ends_with("/sub dir's"));
    let output = bench.bash("cd .. && false").await;
    assert!(output.is_error);
    assert!(text(&bench.bash("pwd").await).ends_with("/sub dir's"));

    let output = bench.bash(&format!("cd {} && echo hi", elsewhere.display())).await;
    let note = format!("Shell cwd was reset to {}", bench.project().display());
    assert_eq!(text(&output), format!("hi\n{note}"));
    assert_eq!(
        (&result(&output)["stdout"], &result(&output)["stderr"]),
        (&json!("hi"), &json!(format!("\n{note}")))
    );
    assert_eq!(text(&bench.bash("pwd").await), bench.project().display().to_string());

    bench.tool_context.add_directories([elsewhere.clone()]);
    bench.bash(&format!("cd {}", elsewhere.display())).await;
    assert_eq!(text(&bench.bash("pwd").await), elsewhere.display().to_string());
}

#[tokio::test]
async fn a_command_that_writes_the_note_itself_moves_nobody_out() {
    let bench = Bench::new();
    fs::create_dir(bench.folder.path().join("elsewhere")).unwrap();
    let project = bench.project().display().to_string();
    let forge = |how: &str| {
        let find = r#"note=$(tr '\0' '\n' < /proc/$$/cmdline | grep -o "/[^']*\.cwd" | tail -n 1)"#;
        format!("{find}; {how}; exit 0")
    };
    for how in [
        r#"printf '%s/../elsewhere\n' "$PWD" > "$note""#,
        r#"printf '%s/gone/../../elsewhere\n' "$PWD" > "$note""#,
        r#"ln -s ../elsewhere link; printf '%s/link\n' "$PWD" > "$note""#,
    ] {
        let output = bench.bash(&forge(how)).await;
        assert!(text(&output).contains("cwd was reset"), "{how}: {}", text(&output));
        assert_eq!(text(&bench.bash("pwd").await), project, "{how}");
    }
    // What has no end is not waited for, and what is too long is not read.
    for how in [r#"mkfifo "$note""#, r#"truncate -s 1T "$note""#, r#"ln -s /dev/zero "$note""#] {
        assert!(!bench.bash(&forge(how)).await.is_error, "{how}");
        assert_eq!(text(&bench.bash("pwd").await), project, "{how}");
    }
}

#[tokio::test]
async fn a_directory_that_is_gone_is_left() {
    let bench = Bench::new();
    assert!(!bench.bash("mkdir gone && cd gone && rmdir ../gone").await.is_error);
    bench.bash("mkdir gone && cd gone").await;
    fs::remove_dir(bench.project().join("gone")).unwrap();
    let text_of = failed(bench.call(&TOOL, json!({"command": "pwd"})).await);
    assert!(text_of.contains("does not exist any more"), "{text_of}");
    assert_eq!(text(&bench.bash("pwd").await), bench.project().display().to_string());
    fs::remove_dir_all(bench.project()).unwrap();
    assert!(failed(bench.call(&TOOL, json!({"command": "pwd"})).await).contains("The project directory"));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_such() {
    let output = Bench::new().bash(r"printf '\n\n  a\033[31m \xff'").await;
    assert_eq!(text(&output), "  a\u{1b}[31m \u{fffd}");
}

#[tokio::test]
async fn long_output_is_kept_in_a_file() {
    let output = Bench::new().bash("seq 1 20000").await;
    let shown = text(&output);
    assert!(shown.starts_with(
        "<persisted-output>\nThe output is too long to show here (106.3 KB). Full output saved to: "
    ));
    assert!(shown.contains("\n1\n2\n3\n") && shown.ends_with("\n...\n</persisted-output>"));
    assert!(shown.len() < 3_000);
    let result = result(&output);
    assert_eq!(result["stdout"].as_str().unwrap().chars().count(), 30_000);
    assert_eq!(result["persistedOutputSize"], 108_894);
}

#[tokio::test]
async fn the_file_has_everything_even_what_was_too_much_for_memory() {
    let bench = Bench::with(&[("BASH_MAX_OUTPUT_LENGTH", "100")]);
    for lines in [50, 20_000] {
        let output = bench.bash(&format!("seq 1 {lines}")).await;
        let path = result(&output)["persistedOutputPath"].as_str().unwrap().to_owned();
        let expected: String = (1..=lines).map(|line| format!("{line}\n")).collect();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn a_long_failure_shows_its_beginning_and_its_end() {
    let output = Bench::new().bash("seq 1 20000; echo the reason; exit 2").await;
    let shown = text(&output);
    assert!(shown.starts_with("Exit code 2\n1\n2\n") && shown.ends_with("\n20000\nthe reason"), "{shown}");
    assert!(shown.contains("KB in all. Full output saved to: ") && shown.len() < 11_000);
}

#[tokio::test]
async fn a_flood_is_ended() {
    let bench = Bench::with(&[("AQUEDUCT_BASH_MAX_OUTPUT_BYTES", "300000")]);
    let (witness, gone) = bench.witness();
    let output = bench.bash(&format!("exec 9>{}; trap '' TERM; yes", witness.display())).await;
    assert!(output.is_error);
    assert!(text(&output).starts_with("The command printed more than 300000 bytes and was terminated"));
    gone.await.unwrap();
}

#[tokio::test]
async fn a_disk_that_takes_nothing_costs_only_the_rest_of_the_output() {
    let mut bench = Bench::new();
    // Below a file there can be no folder, not even for root.
    bench.tool_context.commands.spool = PathBuf::from("/dev/null/spool");
    assert_eq!(text(&bench.bash("cd /").await), "(Bash completed with no output)");
    let output = bench.bash("seq 1 100000").await;
    assert!(!output.is_error);
    assert!(text(&output).contains("It could not be saved: Not a directory"), "{}", text(&output));
    assert_eq!(result(&output)["persistedOutputPath"], Value::Null);
    let input = json!({"command": "true", "run_in_background": true});
    assert!(failed(bench.call(&TOOL, input).await).contains("The output file can't be created"));
}

#[tokio::test]
async fn a_shell_that_is_missing_is_named() {
    let bench = Bench::with(&[("CLAUDE_CODE_SHELL", "/no/such/shell")]);
    let text = failed(bench.call(&TOOL, json!({"command": "true"})).await);
    assert!(text.contains("/no/such/shell") && text.contains("CLAUDE_CODE_SHELL"), "{text}");
}

#[tokio::test]
async fn the_plain_shell_will_do() {
    let bench = Bench::with(&[("CLAUDE_CODE_SHELL", "/bin/sh")]);
    fs::create_dir(bench.project().join("sub")).unwrap();
    bench.bash("cd sub").await;
    assert!(text(&bench.bash("pwd; exit").await).ends_with("/sub"));
    assert_eq!(text(&bench.bash("exit 7").await), "Exit code 7");
}

#[tokio::test]
async fn an_image_is_shown_as_one() {
    let output = Bench::new().bash("echo data:image/png\\;base64,iVBORw0KGgo=").await;
    assert_eq!(result(&output)["isImage"], true);
    let Content::Blocks(blocks) = &output.content else { panic!("{:?}", output.content) };
    let ContentBlock::Image(image) = &blocks[0] else { panic!("{blocks:?}") };
    let MediaSource::Base64(source) = &image.source else { panic!("{image:?}") };
    assert_eq!((source.data.as_str(), source.media_type.as_deref()), ("iVBORw0KGgo=", Some("image/png")));
    // The alphabet alone does not make it base64, and the API refuses a request with such an image.
    for data in ["A=A=", "iVBORw0KGgo", "===="] {
        let output = Bench::new().bash(&format!("echo data:image/png\\;base64,{data}")).await;
        assert_ne!(result(&output)["isImage"], true, "{data}");
        assert_eq!(text(&output), format!("data:image/png;base64,{data}"));
    }
}

#[tokio::test]
async fn a_call_returns_with_the_shell_and_leftovers_end_with_the_tool_context() {
    let bench = Bench::new();
    let (witness, gone) = bench.witness();
    // The shell opens it itself, so that it is open when the call is over.
    let output = bench.bash(&format!("exec 9>{}; sleep 1000 & echo hi", witness.display())).await;
    assert_eq!(text(&output), "hi");
    assert!(!gone.is_finished());
    drop(bench.tool_context);
    gone.await.unwrap();
}

#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
async fn leftovers_end_when_the_session_is_ended() {
    let bench = Bench::new();
    let (witness, gone) = bench.witness();
    let witness = witness.display();
    // The shell opens it itself, so that it is open when the call is over.
    bench.bash(&format!("exec 9>{witness}; (setsid sh -c 'trap \"\" TERM; sleep 1000' &)")).await;
    bench.tool_context.commands.background.end().await;
    gone.await.unwrap();
}

#[tokio::test]
async fn a_cancelled_call_ends_everything_and_tells_what_it_had() {
    let bench = Bench::new();
    let (witness, gone) = bench.witness();
    let started = bench.fifo("started");
    let cancel = CancellationToken::new();
    let command = format!(
        "exec 9>{}; trap '' TERM; echo begun; echo > {}; while :; do sleep 1000; done",
        witness.display(),
        started.display()
    );
    let interrupter = async {
        tokio::task::spawn_blocking(move || fs::read(started).unwrap()).await.unwrap();
        cancel.cancel();
    };
    let call = bench.call_until(&TOOL, json!({ "command": command }), cancel.clone());
    let (outcome, ()) = tokio::join!(call, interrupter);
    assert_eq!(outcome.unwrap_err(), ToolFailure::Interrupted("begun".into()));
    gone.await.unwrap();
}

#[tokio::test]
async fn a_command_whose_time_is_over_is_ended_where_nothing_may_run_in_the_background() {
    let bench = Bench::with(&[("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1")]);
    let (witness, gone) = bench.witness();
    let command =
        format!("exec 9>{}; trap '' TERM; echo begun; while :; do sleep 1000; done", witness.display());
    let output = bench.call(&TOOL, json!({"command": command, "timeout": 800})).await.unwrap();
    assert!(output.is_error);
    assert!(text(&output).starts_with("The command took longer than 800 ms"), "{}", text(&output));
    assert!(text(&output).ends_with("\nbegun"));
    gone.await.unwrap();
}

#[tokio::test]
async fn a_command_whose_time_is_over_goes_on_in_the_background() {
    let mut bench = Bench::new();
    let (witness, gone) = bench.witness();
    let command = format!("exec 9>{}; echo begun; while :; do sleep 1000; done", witness.display());
    let input = json!({"command": command, "timeout": 800, "description": "Wait"});
    let output = bench.call(&TOOL, input).await.unwrap();
    let result = result(&output);
    assert_eq!((&result["stdout"], &result["timedOutAfterMs"]), (&json!("begun"), &json!(800)));
    let id = result["backgroundTaskId"].as_str().unwrap().to_owned();
    assert!(text(&output).contains(&id) && !output.is_error);
    let Notice::TaskStarted { label, was_reported } = bench.notice().await else { panic!() };
    let known_by = (label.id.as_str(), label.tool_use_id.as_str(), label.description.as_str(), was_reported);
    assert_eq!(known_by, (id.as_str(), "toolu_1", "Wait", false));
    assert_eq!(bench.tool_context.commands.background.running().len(), 1);

    let stopped = bench.call(&STOP, json!({ "task_id": id })).await.unwrap();
    assert_eq!(super::tests::result(&stopped)["task_type"], "local_bash");
    let Notice::TaskEnded(report) = bench.notice().await else { panic!() };
    assert_eq!((report.state.name(), report.shown().as_str()), ("stopped", "Wait"));
    assert!(report.is_dismissed);
    assert_eq!(fs::read_to_string(&report.output).unwrap().lines().next(), Some("begun"));
    gone.await.unwrap();
    assert!(matches!(bench.call(&STOP, json!({ "task_id": id })).await, Err(ToolFailure::Rejected(_))));
}

#[tokio::test]
async fn a_command_in_the_background_tells_of_its_end() {
    let mut bench = Bench::new();
    let input = json!({"command": "echo one; exit 3", "run_in_background": true});
    let output = bench.call(&TOOL, input).await.unwrap();
    let id = result(&output)["backgroundTaskId"].as_str().unwrap().to_owned();
    let Notice::TaskStarted { label, .. } = bench.notice().await else { panic!() };
    assert_eq!(label.description, "echo one; exit 3");
    let Notice::TaskEnded(report) = bench.notice().await else { panic!() };
    assert_eq!(
        (report.state.name(), report.summary().as_str()),
        ("failed", "Background command \"echo one; exit 3\" failed with exit code 3")
    );
    assert!(!report.is_dismissed);
    assert_eq!(fs::read_to_string(&report.output).unwrap(), "one\n");
    let output = bench.call(&OUTPUT, json!({ "task_id": id })).await.unwrap();
    assert_eq!(
        result(&output),
        json!({"retrieval_status": "success", "task": {"task_id": id, "task_type": "local_bash",
               "status": "failed", "description": "echo one; exit 3", "output": "one\n", "exitCode": 3}})
    );
}

#[tokio::test]
async fn the_output_of_a_task_can_be_waited_for() {
    let bench = Bench::new();
    let gate = bench.fifo("gate");
    let command = format!("read -r line < {}; echo got $line", gate.display());
    let input = json!({"command": command, "run_in_background": true});
    let output = bench.call(&TOOL, input).await.unwrap();
    let id = result(&output)["backgroundTaskId"].as_str().unwrap().to_owned();
    let look = |block: bool| json!({"task_id": id, "block": block, "timeout": 20});
    let at_once = bench.call(&OUTPUT, look(false)).await.unwrap();
    assert_eq!(result(&at_once)["retrieval_status"], "not_ready");
    let waited = bench.call(&OUTPUT, look(true)).await.unwrap();
    assert_eq!(result(&waited)["retrieval_status"], "timeout");
    assert_eq!(result(&waited)["task"]["status"], "running");
    tokio::task::spawn_blocking(move || fs::write(gate, "it\n").unwrap()).await.unwrap();
    let task = bench.tool_context.commands.background.find(&id).unwrap();
    task.ended().await;
    let ended = text(&bench.call(&OUTPUT, look(true)).await.unwrap());
    assert!(ended.contains("<status>completed</status>") && ended.contains("got it"), "{ended}");
}

#[tokio::test]
async fn missing_tasks_are_reported() {
    let bench = Bench::new();
    for (tool, input) in [
        (&OUTPUT, json!({"task_id": "nope"})),
        (&OUTPUT, json!({})),
        (&STOP, json!({"shell_id": "nope"})),
        (&STOP, json!({})),
    ] {
        assert!(matches!(bench.call(tool, input).await, Err(ToolFailure::Rejected(_))));
    }
}

#[tokio::test]
async fn only_so_many_commands_run_in_the_background() {
    let bench = Bench::new();
    let input = json!({"command": "sleep 1000", "run_in_background": true});
    for _ in 0..super::MAX_RUNNING {
        bench.call(&TOOL, input.clone()).await.unwrap();
    }
    assert!(failed(bench.call(&TOOL, input).await).contains("TaskStop"));
    assert_eq!(bench.tool_context.commands.background.running().len(), super::MAX_RUNNING);
}

#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
async fn a_guard_that_is_killed_takes_everyone_along() {
    let bench = Bench::new();
    let (witness, gone) = bench.witness();
    let command = format!(
        "exec 9>{}; echo begun; (setsid sleep 1000 &); (env -i sleep 1000 &); kill -9 $PPID; sleep 1000",
        witness.display()
    );
    let output = bench.bash(&command).await;
    assert!(output.is_error);
    assert!(text(&output).contains("the guard of the command was killed"), "{}", text(&output));
    assert!(text(&output).ends_with("\nbegun"));
    gone.await.unwrap();
}

#[tokio::test]
async fn a_guard_that_is_missing_is_an_error_of_the_call() {
    let mut bench = Bench::new();
    let mut environment = Environment::clone(&bench.tool_context.environment);
    environment.guard = vec!["/no/such/guard".into()];
    bench.tool_context.environment = Arc::new(environment);
    failed(bench.call(&TOOL, json!({"command": "true"})).await);
}
