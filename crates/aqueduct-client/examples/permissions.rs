//! Who may run what: `cargo run --example permissions -- AGENT [PROMPT]`.

use aqueduct_client::wire::tool::BashInput;
use aqueduct_client::{Permission, PermissionRequest, Session};

/// Tests may run from now on, nothing may be removed, and the rest is for this once.
async fn decide(request: PermissionRequest) -> Permission {
    let command = request.input().view::<BashInput>().map(|input| input.command.to_string());
    match command.as_deref() {
        Some(command) if command.starts_with("make test") => {
            println!("always: {command}");
            Permission::allow_always(request.suggestions().iter().take(1).cloned().collect())
        }
        Some(command) if command.starts_with("rm ") => {
            println!("never: {command}");
            Permission::deny("Nothing is removed here.")
        }
        _ => {
            println!("once: {}", command.as_deref().unwrap_or(request.tool()));
            Permission::allow()
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Run the tests.".to_owned());

    let outcome = Session::builder().program(agent).on_permission(decide).query(prompt).await?;
    println!("{outcome}");
    Ok(())
}
