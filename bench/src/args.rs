//! The command line.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

pub(crate) const USAGE: &str = "\
aqueduct-bench [BENCH…] [--quick] [--callgrind] [--json FILE] [--before FILE] [--write-docs]
               [--agent FILE] [--reference FILE] [--python FILE] [--node DIR]
               [--bridge FILE] [--peer URL]

  BENCH          wire, rules, agent, search, large, client, bridge, logs, soak or build; none means all but build
  --quick        smaller input and fewer rounds: to see that it works, not to quote
  --callgrind    count instructions too, with valgrind
  --json FILE    write the figures as JSON
  --before FILE  print the figures beside those that an earlier run wrote with --json
  --write-docs   put the tables into docs/performance.md
  --agent FILE   the agent that the benches agent and search measure, and that hosts of the bench client start
  --reference FILE
                 the reference CLI that it is measured beside
  --python FILE  a Python that has the Python SDK, for the bench client
  --node DIR     a directory whose node_modules has the TypeScript SDK
  --bridge FILE  the program aqueduct, for the benches bridge and soak
  --peer URL     another bridge that runs at ws://HOST:PORT/PATH, for the bench bridge; its agent has to be
                 this program with --scripted-agent as its first word

aqueduct-bench BENCH --one MEASUREMENT --stream NAME --lines N [--idle]

  runs one measurement once, for profilers; --idle prepares its input and leaves it at that";

/// What was asked for.
pub(crate) enum Command {
    Help,
    Run(Args),
    One(One),
}

/// A run of benches.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) benches: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) callgrind: bool,
    pub(crate) json: Option<PathBuf>,
    pub(crate) before: Option<PathBuf>,
    pub(crate) write_docs: bool,
    pub(crate) agent: Option<PathBuf>,
    pub(crate) reference: Option<PathBuf>,
    pub(crate) python: Option<PathBuf>,
    pub(crate) node: Option<PathBuf>,
    pub(crate) bridge: Option<PathBuf>,
    pub(crate) peer: Option<String>,
}

/// One measurement, run once.
pub(crate) struct One {
    pub(crate) bench: String,
    pub(crate) measurement: String,
    pub(crate) stream: String,
    pub(crate) lines: usize,
    /// Whether to prepare the input and not do the work.
    pub(crate) idle: bool,
}

/// Reads the command line, the program's name left out.
pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Command> {
    let mut args = Args::default();
    let (mut measurement, mut stream, mut lines, mut idle) = (None, None, None, false);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value\n\n{USAGE}"));
        match word.as_str() {
            "-h" | "--help" => return Ok(Command::Help),
            "--quick" => args.quick = true,
            "--callgrind" => args.callgrind = true,
            "--json" => args.json = Some(value()?.into()),
            "--before" => args.before = Some(value()?.into()),
            "--write-docs" => args.write_docs = true,
            "--agent" => args.agent = Some(value()?.into()),
            "--reference" => args.reference = Some(value()?.into()),
            "--python" => args.python = Some(value()?.into()),
            "--node" => args.node = Some(value()?.into()),
            "--bridge" => args.bridge = Some(value()?.into()),
            "--peer" => args.peer = Some(value()?),
            "--one" => measurement = Some(value()?),
            "--stream" => stream = Some(value()?),
            "--lines" => lines = Some(value()?.parse().context("--lines takes a number")?),
            "--idle" => idle = true,
            flag if flag.starts_with('-') => bail!("unknown option {flag}\n\n{USAGE}"),
            _ => args.benches.push(word),
        }
    }
    let Some(measurement) = measurement else { return Ok(Command::Run(args)) };
    let [bench] = args.benches.as_slice() else { bail!("--one needs one bench\n\n{USAGE}") };
    Ok(Command::One(One {
        bench: bench.clone(),
        measurement,
        stream: stream.context("--one needs --stream")?,
        lines: lines.context("--one needs --lines")?,
        idle,
    }))
}
