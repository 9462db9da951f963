//! The agent and the bridge with and without a log, side by side.

use anyhow::{Result, bail};
use serde_json::json;

use crate::args::{Args, One};
use crate::report::{Report, Table};
use crate::{agent, bridge};

const NAME: &str = "logs";

/// The filters that are compared. The agent logs nothing by default, the bridge `info`.
const FILTERS: &[&str] = &["off", "info", "debug"];

/// All work is in other processes, so there are no instructions to count.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let (agent, bridge) = (agent::with_logs(args, FILTERS)?, bridge::with_logs(args, FILTERS)?);
    let text = format!("The agent:\n\n{}\nThe bridge:\n\n{}", table_of(&agent), table_of(&bridge));
    let rows: Vec<_> = [("agent", agent), ("bridge", bridge)]
        .into_iter()
        .flat_map(|(program, rows)| {
            rows.into_iter().map(move |(name, values)| {
                json!({ "program": program, "name": name, "filters": FILTERS, "values": values })
            })
        })
        .collect();
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(rows) })
}

fn table_of(rows: &[(&'static str, Vec<String>)]) -> Table {
    let head: Vec<&str> = std::iter::once("median").chain(FILTERS.iter().copied()).collect();
    let mut table = Table::new(&head);
    for (name, values) in rows {
        table.push(std::iter::once((*name).to_owned()).chain(values.iter().cloned()).collect());
    }
    table
}
