//! The agent beside the reference CLI, as hosts meet them: started, asked, weighed.
//!
//! Both talk to the same Messages API, which answers at once. Its time is taken out of theirs.

mod api;
mod figures;
mod round;
pub(crate) mod search;
mod session;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::args::{Args, One};
use crate::report::Report;

use api::Api;
use figures::Samples;
use round::{Contender, has_bubblewrap};

const NAME: &str = "agent";

/// All work is in another process, so there are no instructions to count.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let program =
        args.agent.as_deref().context("the bench agent needs --agent; cargo xtask bench gives it")?;
    let (rounds, floods) = if args.quick { (3, 1) } else { (21, 5) };
    let api = Api::start()?;
    let mut ours = Contender::new(program, &api)?;
    let mut theirs = args.reference.as_deref().map(|program| Contender::new(program, &api)).transpose()?;
    let mut all: Vec<&mut Contender> = [&mut ours].into_iter().chain(theirs.as_mut()).collect();

    eprintln!("{NAME}: {rounds} conversations");
    in_turns(&mut all, rounds, Contender::conversation)?;
    eprintln!("{NAME}: {floods} turns of many deltas");
    in_turns(&mut all, floods, Contender::flood)?;
    eprintln!("{NAME}: {rounds} conversations with the scripted model");
    in_turns(&mut [&mut ours], rounds, |contender, _| contender.scripted())?;

    let beside = match &theirs {
        Some(theirs) => format!("beside the reference CLI, `{}`", theirs.version()?),
        None => "the reference CLI was not there".to_owned(),
    };
    let none = Samples::default();
    let (table, rows) =
        figures::table_of(&ours.samples, theirs.as_ref().map_or(&none, |theirs| &theirs.samples));
    let text = format!(
        "`{}`, {beside}; {rounds} rounds, {floods} of the many deltas. Bubblewrap {}.\n\n{table}",
        ours.version()?,
        if has_bubblewrap() { "is installed" } else { "is not installed" }
    );
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(rows) })
}

/// The figures of the agent with each of these filters for its log: the name of each, and a value for each filter.
pub(crate) fn with_logs(args: &Args, filters: &[&'static str]) -> Result<Vec<(&'static str, Vec<String>)>> {
    let program =
        args.agent.as_deref().context("the bench logs needs --agent; cargo xtask bench gives it")?;
    let (rounds, floods) = if args.quick { (3, 1) } else { (21, 5) };
    let api = Api::start()?;
    let contenders = filters.iter().map(|filter| Contender::with_log(program, &api, filter));
    let mut contenders = contenders.collect::<Result<Vec<_>>>()?;
    let mut all: Vec<&mut Contender> = contenders.iter_mut().collect();
    in_turns(&mut all, rounds, Contender::conversation)?;
    in_turns(&mut all, floods, Contender::flood)?;
    let samples: Vec<&Samples> = contenders.iter().map(|contender| &contender.samples).collect();
    Ok(figures::medians(&samples))
}

/// Lets all take turns. One turn goes before that is not counted.
fn in_turns<'a>(
    contenders: &mut [&mut Contender<'a>],
    rounds: usize,
    round: impl Fn(&mut Contender<'a>, usize) -> Result<()>,
) -> Result<()> {
    for contender in &mut *contenders {
        contender.warm_up(|contender| round(contender, 0))?;
    }
    for number in 1..=rounds {
        for contender in &mut *contenders {
            round(contender, number)?;
        }
    }
    Ok(())
}
