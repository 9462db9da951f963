//! A Messages API that fails: with hope, and without.

use anyhow::Result;

use super::super::stage::Stage;
use super::{PARTIAL, Scenario, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("api-overloaded", |stage| fails(stage, "@fail 529 2 recovered")),
    scenario("api-rate-limited", |stage| fails(stage, "@fail 429 1 recovered")),
    scenario("api-broken", |stage| fails(stage, "@fail 500 1 recovered")),
    scenario("api-refuses-request", |stage| fails(stage, "@fail 400 99 never")),
    scenario("api-refuses-key", |stage| fails(stage, "@fail 401 2 recovered")),
];

fn fails(stage: &mut Stage, prompt: &str) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user(prompt);
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}
