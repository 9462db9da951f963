//! `aqueduct serve`: agents on this machine, driven from anywhere.

mod agents;
mod banner;
mod explain;
mod log_lines;
#[cfg(feature = "otlp")]
mod otlp;
mod plan;
mod retention;
mod service;
mod signals;
mod trust;
mod ui;
#[cfg(not(feature = "otlp"))]
mod without_otlp;

pub(crate) use banner::link;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use aqueduct_bridge::failures::{FailureKind, FailureSubject};
use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::log::{Log, Time};
use aqueduct_bridge::server::{Server, Tls};
use aqueduct_tracing::LogSink;

use self::banner::Banner;
#[cfg(feature = "otlp")]
use self::otlp::OtlpExport;
use self::plan::ServePlan;
use self::service::{ServiceManager, ServiceSocket};
use self::signals::{ServeSignal, ServeSignals};
#[cfg(not(feature = "otlp"))]
use self::without_otlp::OtlpExport;
use crate::config::{Config, Flags, UserEnvironment};
use crate::output::{self, TerminalInfo};

/// Threads that carry messages. Sessions share them; what is slow has threads of its own.
const WORKERS: usize = 2;

/// Threads for what blocks: reading the log, files of projects.
const BLOCKING: usize = 16;

/// Serve agents on this machine to phones, browsers and programs
///
/// Sessions live in the data folder, and their agents in processes of their own: the bridge can be stopped, killed or
/// upgraded while they work, and picks them up again. Every client needs a token: the link that is printed at
/// the start pairs one device, once, within ten minutes; aqueduct pair makes another. Flags are stronger than
/// variables (--data-dir is AQUEDUCT_DATA_DIR), and those are stronger than the file (there it is data_dir).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct serve
  aqueduct serve --root ~/work --agent builtin
  aqueduct serve --listen 0.0.0.0:8765 --tls-cert cert.pem --tls-key key.pem --host box.example
  aqueduct serve --listen unix:/run/user/1000/aqueduct.sock
  aqueduct serve --print-config

The file is in TOML, with the same names: listen = [\"127.0.0.1:8765\"]. It can also name agents to choose from:
[agents.NAME] with program, arguments, environment, unset, label, prompt_tool. docs/operations.md has all of it.
SIGINT and SIGTERM stop the bridge; agents keep running. A second signal ends it at once. SIGHUP reads certificates and opens the log file again.

Exit code: 0 when a signal stopped it; 2 if it could not be started; 130 and 143 if a second signal ended it.")]
pub(crate) struct Args {
    /// The configuration file [default: $XDG_CONFIG_HOME/aqueduct/config.toml, or ~/.config/aqueduct/config.toml]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the effective configuration with its sources, and exit
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    flags: Flags,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let environment = UserEnvironment::of_this_process()?;
    let config = Config::load(&environment, &args.flags.layer, args.config.as_deref())?;
    if args.print_config {
        output::text(&config.print())?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = log_lines::begin(&config.log)?;
    let plan = ServePlan::new(&config, &environment)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(BLOCKING)
        .enable_all()
        .build()
        .context("can't start the runtime")?;
    let banner = Banner::new(&config, &environment, screen, started);
    let ended = runtime.block_on(serve(plan, &config, &environment, banner, &lines));
    // A disk that does not answer blocks nothing else.
    runtime.shutdown_background();
    ended
}

/// Serves until a signal comes.
async fn serve(
    mut plan: ServePlan,
    config: &Config,
    environment: &UserEnvironment,
    banner: Banner<'_>,
    lines: &LogSink,
) -> anyhow::Result<ExitCode> {
    // Before anything is started that a signal would have to end.
    let mut signals = ServeSignals::catch(banner.is_terminal())?;
    let tls = plan.options.tls.clone();
    let export = OtlpExport::start(config, environment)?;
    plan.settings.telemetry = export.telemetry();
    let log = Log::open(&plan.settings.data)?;
    // Sessions continue as soon as the hub is opened: an address in use is reported before.
    let sockets = plan.sockets;
    let reserved = Server::reserve(plan.options).and_then(|reserved| ServiceSocket::serve(sockets, reserved));
    let opened = match reserved {
        Ok(reserved) => {
            Hub::open(plan.settings, log.clone()).await.map(|hub| (reserved, hub)).map_err(Into::into)
        }
        Err(error) => Err(anyhow::Error::from(error)),
    };
    let (server, hub) = match opened {
        Ok((reserved, hub)) => (reserved.serve(hub.clone()), hub),
        Err(error) => {
            log.close().await;
            return Err(error);
        }
    };
    export.report_to(&hub);
    // A closed stdout does not keep clients from connecting.
    if let Err(error) = print_banner(&banner, &server, &hub, !config.no_pair).await {
        output::remark(&format!("the banner could not be printed: {error:#}"));
    }
    note_start(&server, &hub);
    let service = ServiceManager::of_this_process();
    service.ready(&hub);
    tokio::select! {
        () = wait(&mut signals, tls.as_ref(), service, &hub, lines) => {}
        () = service.watch(&hub, &log) => {}
        () = retention::keep(&hub, config.retention) => {}
    }
    service.stopping();
    let running_sessions = working(&hub);
    log_lines::bridge_stopping(running_sessions as u64);
    output::remark("stopping; a second signal ends it at once");
    tokio::select! {
        () = async {
            end(server, &hub, &log).await;
            export.end().await;
        } => {}
        again = signals.stop() => return Ok(ExitCode::from(again)),
    }
    log_lines::bridge_stopped();
    if let Some(words) = banner::running_sessions(running_sessions) {
        output::remark(&words);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the addresses, and how to connect.
async fn print_banner(banner: &Banner<'_>, server: &Server, hub: &Hub, pairs: bool) -> anyhow::Result<()> {
    banner.address(server.places())?;
    let settings = hub.settings();
    if let Some(agent) = settings.agent(&settings.default_agent) {
        banner.agent(agent)?;
    }
    if pairs {
        banner.pairing(&hub.auth().create_pairing(None, Time::now()).await?)?;
    }
    banner.footer()
}

/// Logs that the bridge has started, and where.
fn note_start(server: &Server, hub: &Hub) {
    let addresses: Vec<String> = server.places().iter().map(ToString::to_string).collect();
    let sessions: usize = hub.statuses().iter().map(|(_, count)| count).sum();
    log_lines::bridge_started(
        &hub.settings().version,
        sessions as u64,
        format_args!("{}", addresses.join(" ")),
    );
}

/// Waits for a signal that stops the bridge.
async fn wait(
    signals: &mut ServeSignals,
    tls: Option<&Tls>,
    service: ServiceManager,
    hub: &Hub,
    lines: &LogSink,
) {
    loop {
        match signals.next().await {
            ServeSignal::Stop(_) => return,
            ServeSignal::Reload => {
                service.reloading();
                log_lines::reopen(lines);
                if let Some(tls) = tls {
                    match tls.reload() {
                        Ok(()) => log_lines::certificates_reloaded(),
                        Err(error) => {
                            hub.failures().report(FailureKind::TlsReload, FailureSubject::Bridge, error);
                        }
                    }
                }
                service.ready(hub);
            }
        }
    }
}

/// Shuts down in order: no new connections, sessions detach from their agents, the log is closed.
async fn end(server: Server, hub: &Hub, log: &Log) {
    server.shutdown().await;
    hub.close().await;
    log.close().await;
}

/// How many sessions have an agent that continues.
fn working(hub: &Hub) -> usize {
    let has_agent = |(status, _): &&(String, usize)| status != "stopped" && status != "failed";
    hub.statuses().iter().filter(has_agent).map(|(_, count)| count).sum()
}
