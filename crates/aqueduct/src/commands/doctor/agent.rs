//! Agents: which there are, and what they can do.

use std::time::Duration;

use aqueduct_client::{Capabilities, Error, Ladder, Version};
use aqueduct_wire::control::HostRequest;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::table::Definition;
use serde_json::json;

use super::DoctorContext;
use super::check::DoctorCheck;
use crate::agents::{AgentProgram, REFERENCE, STANDALONE};

const SUBJECT: &str = "agent";

/// How long an agent may take to report its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many requests that an agent does not know are named.
const NAMED: usize = 5;

/// Looks at the reference CLI, the built-in agent, and the same as a program of its own.
pub(super) async fn check(environment: &DoctorContext) -> Vec<DoctorCheck> {
    let places = &environment.places;
    let (reference, builtin, standalone) = (places.reference(), places.builtin(), places.standalone());
    let (reference, builtin, standalone) = tokio::join!(
        async {
            match reference {
                Some(agent) => examine(&agent).await,
                None => DoctorCheck::ok(
                    SUBJECT,
                    format!("{REFERENCE} is not on PATH: auto means the built-in agent"),
                ),
            }
        },
        examine(&builtin),
        async {
            match standalone {
                Some(agent) => examine(&agent).await,
                None => DoctorCheck::ok(
                    SUBJECT,
                    format!("{STANDALONE} is not on PATH: hosts can start `aqueduct agent`"),
                ),
            }
        }
    );
    vec![reference, builtin, standalone]
}

/// Starts an agent, without a prompt, and asks who it is.
async fn examine(agent: &AgentProgram) -> DoctorCheck {
    let name = agent.name();
    let next = format!("see its output: {}", command(agent));
    match tokio::time::timeout(PATIENCE, ask(agent)).await {
        Err(_) => {
            DoctorCheck::fail(SUBJECT, format!("{name} did not answer within {} s", PATIENCE.as_secs()), next)
        }
        Ok(Err(error)) => DoctorCheck::fail(SUBJECT, format!("{name}: {}", error.advised()), next),
        Ok(Ok(capabilities)) => report(agent, &capabilities),
    }
}

async fn ask(agent: &AgentProgram) -> Result<Capabilities, Error> {
    let builder = agent.session().no_session_persistence(true).start_timeout(PATIENCE);
    let (session, events) = builder.start().await?;
    drop(events);
    session.version().await;
    let capabilities = session.capabilities();
    session.close_with(Ladder::KILL).await;
    Ok(capabilities)
}

fn report(agent: &AgentProgram, capabilities: &Capabilities) -> DoctorCheck {
    let name = agent.name();
    let place = agent.program.display();
    let Some(version) = capabilities.version() else {
        let found = format!("{name} ({place}) reports no version");
        return DoctorCheck::warn(SUBJECT, found, "what it can't do shows only when it is asked");
    };
    let all = requests();
    let missing: Vec<&str> =
        all.iter().copied().filter(|request| capabilities.knows(request) == Some(false)).collect();
    let known = match missing.len() {
        0 => format!("by its version, all {} control requests", all.len()),
        count => format!("by its version, {} of {} control requests", all.len() - count, all.len()),
    };
    let found = format!("{name} {version} ({place}): {known}");
    let detail = json!({
        "name": name,
        "program": agent.program,
        "arguments": agent.leading.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>(),
        "version": version.to_string(),
        "capabilities": capabilities.named(),
        "unknownRequests": missing,
    });
    let check = if version < Version::OLDEST {
        DoctorCheck::fail(
            SUBJECT,
            found,
            format!("update it: the oldest that can be driven is {}", Version::OLDEST),
        )
    } else if missing.is_empty() {
        DoctorCheck::ok(SUBJECT, found)
    } else {
        let named = missing.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = missing.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        DoctorCheck::warn(SUBJECT, found, format!("update it for {named}{more}; all else works"))
    };
    check.with_detail(detail)
}

/// Every control request that a host can make.
fn requests() -> Vec<&'static str> {
    match HostRequest::DEFINITION {
        Definition::Union(union) => union.variants.iter().map(|variant| variant.tag).collect(),
        _ => Vec::new(),
    }
}

/// How a person would start the agent.
fn command(agent: &AgentProgram) -> String {
    let mut words = vec![agent.program.to_string_lossy().into_owned()];
    words.extend(agent.leading.iter().map(|argument| argument.to_string_lossy().into_owned()));
    words.push("--version".to_owned());
    words.join(" ")
}
