//! `aqueduct scripted-api`: the scripted model on a socket.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use aqueduct_model::Scripted;
use aqueduct_model::server::ScriptedServer;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::explained::advice;
use crate::output;

/// Serve a scripted model as a Messages API, for tests and demos
///
/// It answers as the prompt specifies: lines that begin with @, one a turn of the model, such as `@say hello`
/// or `@tool Bash {"command":"ls"}`. For programs whose prompts can't be changed, a script file has rules.
/// Without either it is a demo. docs/scripted-model.md describes all of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct scripted-api --listen 127.0.0.1:8099
  ANTHROPIC_BASE_URL=http://127.0.0.1:8099 ANTHROPIC_API_KEY=none my-agent
  aqueduct scripted-api --listen 127.0.0.1:0 --json --script answers.script --log requests.jsonl

Any key is accepted. It listens until SIGINT or SIGTERM; the address is printed on stderr, or with --json on stdout.
FILE of --log gets a line of JSON for each request, without the keys.

Exit code: 0 when a signal ended it; 2 if it could not be started.")]
pub(crate) struct Args {
    /// The address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8099", value_parser = address)]
    listen: SocketAddr,
    /// A file with rules
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Log the requests
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Listen on an address that others can reach
    #[arg(long)]
    allow_remote: bool,
    /// Print the address as JSON on stdout
    #[arg(long)]
    json: bool,
}

fn address(text: &str) -> anyhow::Result<SocketAddr> {
    text.parse().context("give an address and a port, such as 127.0.0.1:8099 or [::1]:0")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !args.listen.ip().is_loopback() && !args.allow_remote {
        bail!(advice(
            format!("others could reach {}", args.listen),
            "listen on 127.0.0.1, or add --allow-remote",
        ));
    }
    let mut server = ScriptedServer::new(match &args.script {
        Some(path) => script(path)?,
        None => Scripted::default(),
    });
    if let Some(path) = &args.log {
        let file = Mutex::new(log(path)?);
        server = server.with_log(move |line| {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
                output::remark(&format!("scripted-api: a request is missing in the log: {error}"));
            }
        });
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("can't start the runtime")?.block_on(serve(server, args))
}

async fn serve(server: ScriptedServer, args: &Args) -> anyhow::Result<ExitCode> {
    // Before the address is printed, so that a caller that reads it can end this.
    let catch = |kind: SignalKind| signal(kind).context("can't wait for signals");
    let (interrupt, terminate) = (catch(SignalKind::interrupt())?, catch(SignalKind::terminate())?);
    let listener = TcpListener::bind(args.listen).await.with_context(|| {
        advice(
            format!("can't listen on {}", args.listen),
            "give another --listen, with port 0 for any free one",
        )
    })?;
    let url = format!("http://{}", listener.local_addr().context("cannot determine the address")?);
    if args.json {
        output::text(&format!("{}\n", serde_json::json!({ "url": url })))?;
    } else {
        output::remark(&format!("scripted-api listening on {url}"));
    }
    server.serve(listener, ended(interrupt, terminate)).await;
    Ok(ExitCode::SUCCESS)
}

async fn ended(mut interrupt: Signal, mut terminate: Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

fn script(path: &Path) -> anyhow::Result<Scripted> {
    let text = std::fs::read_to_string(path)
        .with_context(|| advice(format!("can't read {}", path.display()), "give a script file"))?;
    Scripted::from_script(&text).with_context(|| format!("{} is not a valid script", path.display()))
}

/// Opens the log to add to it. Prompts may hold secrets, so only its owner may read it.
fn log(path: &Path) -> anyhow::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.create(true).append(true).mode(0o600);
    options
        .open(path)
        .with_context(|| advice(format!("can't write {}", path.display()), "give another --log"))
}
