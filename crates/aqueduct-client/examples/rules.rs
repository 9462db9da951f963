//! Rules decide, and we are asked about the rest: `cargo run --features rules --example rules -- AGENT [PROMPT]`.

use aqueduct_client::prelude::*;

/// What no rule decides.
async fn ask_me(request: PermissionRequest) -> Permission {
    println!("asked: {} {}", request.tool(), request.input());
    Permission::allow()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Clean up, then test.".to_owned());

    let rules = PermissionRules::new(std::env::current_dir()?)
        .allow(["Bash(make test)", "Edit(notes/**)"])?
        .deny(["Bash(rm:*)"])?;
    match Session::builder().program(agent).on_permission(rules.or(ask_me)).query(prompt).await? {
        Outcome::Done(report) => println!("{}", report.text()),
        other => eprintln!("{other}"),
    }
    Ok(())
}
