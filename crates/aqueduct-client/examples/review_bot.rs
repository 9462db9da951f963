//! Reviews changes, all at once: `cargo run --all-features --example review_bot -- AGENT SECONDS USD CHANGE…`.

use std::time::Duration;

use aqueduct_client::hook::{PreToolUseAnswer, PreToolUseCall};
use aqueduct_client::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What the model sends to report a problem.
#[derive(Deserialize, JsonSchema)]
struct Problem {
    file: String,
    line: u32,
    /// What is wrong, in one sentence.
    problem: String,
}

/// What a review comes to.
#[derive(Deserialize, JsonSchema)]
struct Verdict {
    /// Whether the change can be merged.
    approved: bool,
    reason: String,
}

/// Keeps secrets from the model, whatever is allowed.
async fn guard(call: PreToolUseCall) -> PreToolUseAnswer {
    match call.tool_input.as_str().contains(".env") {
        true => call.block("That file is secret."),
        false => call.proceed(),
    }
}

/// No user can be asked, so the first option is taken.
async fn answer(asked: Questions) -> Answers {
    let mut answers = Answers::new();
    for question in asked.questions() {
        answers.choose(&question.question, question.options.first().map(|option| &*option.label));
    }
    answers
}

/// A reviewer: what it can do, what it may do, and what it may cost.
fn reviewer(agent: &str, usd: f64, name: &str) -> Result<Builder, Failure> {
    let prefix = name.to_owned();
    let report = Tool::new("report", "Reports a problem of the change", move |found: Problem| {
        println!("{prefix}: {}:{}: {}", found.file, found.line, found.problem);
        async { ToolResult::text("reported") }
    });
    let rules = PermissionRules::new(std::env::current_dir()?)
        .allow(["Bash(make test)", "mcp__review__report"])?
        .deny(["Bash(rm:*)"])?;
    Ok(Session::builder()
        .program(agent)
        .mcp(McpServer::new("review").tool(report))
        .on_permission(rules.or_deny("Reviewers only read and test."))
        .on_question(answer)
        .hook(Hook::pre_tool_use(guard).matching("Read|Bash"))
        // Twenty agents may start slowly; the deadline of the review still applies.
        .start_timeout(Duration::from_secs(3600))
        .max_budget_usd(usd))
}

/// Reviews a change, then resumes the session for the verdict. Returns it with the cost of both.
async fn review(agent: String, usd: f64, name: String, change: String) -> Result<(Verdict, f64), Failure> {
    let builder = reviewer(&agent, usd, &name)?;
    let mut stream = builder.clone().query(format!("Review this change: {change}")).stream();
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        let event = event?;
        text += event.text().unwrap_or_default();
        event.tool_calls().for_each(|call| println!("{name}: > {}", call.name));
    }
    println!("{name}: {text}");
    let report = stream.finish().await?.done()?;
    let resumed = builder.resume(report.session_id().unwrap_or_default()).answer_type::<Verdict>();
    let report = resumed.query("Can it be merged?").await?.done()?;
    Ok((report.answer()?, report.total_cost_usd().unwrap_or_default()))
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agent, seconds, usd, changes @ ..] = arguments.as_slice() else {
        return Err("usage: review_bot AGENT SECONDS USD CHANGE…".into());
    };
    let (limit, usd) = (Duration::from_secs(seconds.parse()?), usd.parse()?);
    let reviews = changes.iter().map(|change| {
        let name = change.lines().next().unwrap_or_default().to_owned();
        let review = review(agent.clone(), usd, name.clone(), change.clone());
        (name, tokio::spawn(tokio::time::timeout(limit, review)))
    });
    let mut total = 0.0;
    // All of them run before the first is awaited.
    for (name, review) in reviews.collect::<Vec<_>>() {
        match review.await? {
            Ok(Ok((verdict, cost))) => {
                println!("{name}: approved: {}, {}", verdict.approved, verdict.reason);
                total += cost;
            }
            Ok(Err(error)) => println!("{name}: {error}"),
            Err(_) => println!("{name}: not done within {} s", limit.as_secs()),
        }
    }
    println!("{total:.4} US$");
    Ok(())
}
