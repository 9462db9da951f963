//! Conversations that are resumed in another process.

use anyhow::Result;
use rustix::process::Signal;

use super::super::stage::Stage;
use super::{PARTIAL, Scenario, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("resume", resume),
    scenario("resume-killed", resume_killed),
    scenario("resume-unknown", |stage| refused(stage, &["--resume", UNKNOWN])),
    scenario("session-id-taken", session_id_taken),
    scenario("session-id-bad", |stage| refused(stage, &["--session-id", "not-a-uuid"])),
];

const ID: &str = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a01";
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

fn resume(stage: &mut Stage) -> Result<()> {
    let ways: [&[&str]; 4] = [
        &["--session-id", ID],
        &["--resume", ID, PARTIAL],
        &["--resume", ID, "--fork-session"],
        &["--continue"],
    ];
    for flags in ways {
        let mut session = stage.start(flags)?;
        session.user("@say one more");
        session.result()?;
        session.end()?;
    }
    Ok(())
}

fn resume_killed(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--session-id", ID, PARTIAL])?;
    session.user("@say one");
    session.result()?;
    session.user("@slow 60 0.05");
    session.streaming()?;
    session.signal(Signal::KILL)?;
    session.end()?;

    let mut session = stage.start(&["--resume", ID, PARTIAL])?;
    session.user("@say two");
    session.result()?;
    session.end()
}

fn session_id_taken(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--session-id", ID])?;
    session.user("@say one");
    session.result()?;
    session.end()?;
    refused(stage, &["--session-id", ID])
}

/// Ends by itself, with a message for people; newer versions may report it in a result too.
fn refused(stage: &mut Stage, flags: &[&str]) -> Result<()> {
    let mut session = stage.start(flags)?;
    session.user("@say hello");
    session.end()
}
