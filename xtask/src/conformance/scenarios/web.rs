//! The web tools: what is refused, denied and asked about, and a search that the model's side makes.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{ASK, SKIP, Scenario, allow, deny, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("web-fetch-asked", fetch_asked),
    scenario("web-fetch-denied-by-rule", fetch_denied),
    scenario("web-fetch-no-address", fetch_no_address),
    scenario("web-fetch-this-machine", fetch_this_machine),
    scenario("web-search", search),
    scenario("web-search-contradiction", search_contradiction),
];

fn fetch(url: &str) -> String {
    tool("WebFetch", &json!({ "url": url, "prompt": "What is it?" }))
}

fn fetch_asked(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&fetch("https://example.com/page"));
    session.converse(deny)?;
    session.end()
}

fn fetch_denied(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP, "--disallowed-tools", "WebFetch(domain:example.com)"])?;
    session.user(&fetch("https://example.com/page"));
    session.result()?;
    session.end()
}

fn fetch_no_address(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&fetch("no address"));
    session.result()?;
    session.end()
}

fn fetch_this_machine(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.user(&fetch("http://localhost:9/page"));
    session.result()?;
    session.end()
}

/// The query brings the script of the model that searches.
fn search(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&tool("WebSearch", &json!({ "query": "news\n@say There are none." })));
    session.converse(allow)?;
    session.end()
}

fn search_contradiction(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    let input =
        json!({ "query": "news", "allowed_domains": ["a.example"], "blocked_domains": ["b.example"] });
    session.user(&tool("WebSearch", &input));
    session.result()?;
    session.end()
}
