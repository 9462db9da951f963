//! The agent as a program: what `aqueduct-agent` and `aqueduct agent` do.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;

use aqueduct_os::poll::{self, PollInterest};
use aqueduct_sandbox::ENTRY_FLAG;
use aqueduct_wire::hint::HintedError as _;
use tokio::io::AsyncRead;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, oneshot};

use crate::command_line::{self, ParsedOptions};
use crate::options::InputFormat;
use crate::subcommand::{self, Console, SubcommandContext};
use crate::{Environment, ProcessSignal, agent, log};

/// The first argument that makes the program a guard. No prompt and no flag looks like it.
pub const GUARD: &str = "--guard-of-a-command";

/// How many signals wait for the loop.
const SIGNALS_AHEAD: usize = 4;

/// The stack of the thread that watches stdout, which does next to nothing.
const WATCHER_STACK: usize = 64 * 1024;

/// The whole program: a guard, what comes between a guard and a shell in the sandbox, or the agent. `arguments` are those that follow its name and `leading`, with
/// which the program must be started to come here again.
pub fn main(mut arguments: Vec<OsString>, leading: &[&str]) -> ExitCode {
    if arguments.first().is_some_and(|first| first == GUARD) {
        arguments.remove(0);
        return aqueduct_os::guard::main(arguments);
    }
    if arguments.first().is_some_and(|first| first == ENTRY_FLAG) {
        arguments.remove(0);
        // Stderr is the command's, so the model reads it.
        report_error(&aqueduct_sandbox::main(arguments, leading, ENTRY_FLAG).to_string());
        return ExitCode::from(aqueduct_sandbox::NOT_CONFINED);
    }
    match environment(guard(leading)) {
        Ok(environment) => run(arguments, environment, leading),
        Err(error) => {
            report_error(&format!(
                "Error: the working directory can't be used: {error}. Start in a folder that exists"
            ));
            ExitCode::FAILURE
        }
    }
}

/// How this program is started as a guard.
fn guard(leading: &[&str]) -> Vec<OsString> {
    let program = aqueduct_os::program::own().ok();
    let arguments = leading.iter().copied().chain([GUARD]).map(OsString::from);
    program.map(|program| std::iter::once(program.into()).chain(arguments).collect()).unwrap_or_default()
}

/// Runs the agent with its arguments.
fn run(arguments: Vec<OsString>, environment: Environment, leading: &[&str]) -> ExitCode {
    let arguments: Vec<String> =
        arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let (options, warnings) = match command_line::parse(&arguments) {
        ParsedOptions::Run { options, warnings } => (*options, warnings),
        ParsedOptions::Subcommand { options, arguments } => {
            let program = if leading.is_empty() {
                "aqueduct-agent".to_owned()
            } else {
                format!("aqueduct {}", leading.join(" "))
            };
            let context = SubcommandContext { environment, options: *options, program };
            let mut out = |text: &str| {
                say(text);
            };
            let mut console = Console { out: &mut out, report_error: &mut report_error };
            return ExitCode::from(subcommand::run(&context, &arguments, &mut console));
        }
        ParsedOptions::Help => return say(&command_line::help()),
        ParsedOptions::Version => {
            let version = env!("CARGO_PKG_VERSION");
            return say(&format!("{} (Aqueduct {version})\n", crate::PROTOCOL_VERSION));
        }
        ParsedOptions::Wrong(error) => {
            report_error(&format!("Error: {}", error.advised()));
            return ExitCode::FAILURE;
        }
    };
    if let Err(error) = log::begin(&environment, &options) {
        report_error(&format!("Error: {error}"));
        return ExitCode::FAILURE;
    }
    for warning in warnings {
        report_error(&warning.for_stderr());
    }
    let awaits_text = options.input == InputFormat::Text && options.prompt.is_none() && !options.only_setup;
    if awaits_text && std::io::stdin().is_terminal() {
        report_error(
            "Error: there is no prompt. Give one as an argument or on stdin; --help lists the flags",
        );
        return ExitCode::FAILURE;
    }
    let awaits_nothing = options.input == InputFormat::Text && options.prompt.is_some();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            report_error(&format!("Error: the program can't start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(async {
        let (sender, signals) = mpsc::channel(SIGNALS_AHEAD);
        let listener = tokio::spawn(listen(sender));
        // With a prompt, a terminal is not waited for.
        let input: Box<dyn AsyncRead + Send + Unpin> = match awaits_nothing && std::io::stdin().is_terminal()
        {
            true => Box::new(tokio::io::empty()),
            false => Box::new(tokio::io::stdin()),
        };
        let output = tokio::io::stdout();
        let code = agent::run(environment, options, input, output, signals, &mut report_error).await;
        listener.abort();
        code
    });
    // A read of stdin that never ends must not keep the process.
    runtime.shutdown_background();
    ExitCode::from(code)
}

/// The environment of this process. `guard` starts this program as a guard.
fn environment(guard: Vec<OsString>) -> std::io::Result<Environment> {
    let cwd = std::env::current_dir()?;
    let cwd = cwd.canonicalize().unwrap_or(cwd);
    let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let config = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
    Ok(Environment {
        config: config.map_or_else(|| home.join(".claude"), PathBuf::from),
        temporary: std::env::temp_dir(),
        variables: std::env::vars_os().collect(),
        cwd,
        home,
        guard,
    })
}

/// Passes signals on.
async fn listen(sender: mpsc::Sender<ProcessSignal>) {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    let unread = unread(std::io::stdout());
    tokio::pin!(unread);
    loop {
        let next = tokio::select! {
            Some(()) = interrupt.recv() => ProcessSignal::Interrupt,
            Some(()) = terminate.recv() => ProcessSignal::Terminate,
            () = &mut unread => ProcessSignal::Abandon,
            else => return,
        };
        if next == ProcessSignal::Abandon {
            let _ = sender.send(next).await;
            return;
        }
        if sender.send(next).await.is_err() {
            return;
        }
    }
}

/// Returns when the other end of a pipe is closed, also while nothing is written to it. What is no pipe has no
/// other end.
async fn unread(output: impl AsFd) {
    let (closed, reported) = oneshot::channel();
    let watched = output.as_fd().try_clone_to_owned().and_then(|output| {
        // It waits for nothing but the end, and ends with the process.
        std::thread::Builder::new().name("unread".to_owned()).stack_size(WATCHER_STACK).spawn(move || {
            let _ = poll::wait(&[(output.as_fd(), PollInterest::End)], None);
            let _ = closed.send(());
        })
    });
    if watched.is_err() || reported.await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn say(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Prints a message on stderr. A failed write is ignored.
fn report_error(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
