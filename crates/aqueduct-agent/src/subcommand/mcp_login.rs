//! `mcp login` and `mcp logout`: sign in to a server on the network, and out again.

use std::process::{Command, Stdio};

use aqueduct_mcp::{SignIn, SignInError, SignInStore, SignInTarget};
use aqueduct_wire::hint::HintedError as _;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines, Stdin};

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::mcp_error::McpCommandError;
use super::parse::GivenArguments;
use crate::mcp_config::sign_ins_folder;
use crate::session::proxy;

/// `mcp login <name>`.
pub(super) fn login(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let name = given.operand(0);
    let mut target = target(context, name, console)?;
    target.client_secret = context.environment.variable("MCP_CLIENT_SECRET").map(str::to_owned);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(SubcommandError::Runtime)?;
    let outcome = runtime.block_on(async {
        let sign_in = SignIn::begin(target, None).await?;
        console.print(&format!("To sign in to {name}, open this page:\n\n  {}\n\n", sign_in.url()));
        if !given.has("--no-browser") {
            open_page(context, sign_in.url());
        }
        console.print(
            "Waiting for the browser. If it runs on another machine, its last page does not load: paste the address of \
             that page here.\n",
        );
        finish(&sign_in, BufReader::new(tokio::io::stdin()).lines(), console).await
    });
    // A read of stdin that never ends must not keep the process.
    runtime.shutdown_background();
    outcome?;
    console.print(&format!("Signed in to {name}\n"));
    Ok(0)
}

/// Waits for the browser, on this machine or by what the user pastes.
async fn finish(
    sign_in: &SignIn,
    mut lines: Lines<BufReader<Stdin>>,
    console: &mut Console<'_>,
) -> Result<(), SignInError> {
    let returned = sign_in.returned();
    tokio::pin!(returned);
    let mut is_open = true;
    loop {
        let address = tokio::select! {
            address = &mut returned => return sign_in.finish(&address?).await,
            line = lines.next_line(), if is_open => line,
        };
        match address {
            Ok(Some(line)) if line.trim().is_empty() => {}
            Ok(Some(line)) => match sign_in.finish(&line).await {
                Err(SignInError::Callback(error)) => {
                    console.warn(&format!("Error: {}", SignInError::from(error).advised()));
                }
                outcome => return outcome,
            },
            Ok(None) | Err(_) => is_open = false,
        }
    }
}

/// `mcp logout <name>`.
pub(super) fn logout(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let name = given.operand(0);
    let target = target(context, name, console)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(SubcommandError::Runtime)?;
    let out = runtime.block_on(target.sign_out())?;
    if let Some(error) = &out.revocation_error {
        console.warn(&format!(
            "Warning: the tokens are deleted here, but they could not be revoked: {}",
            error.advised()
        ));
    }
    console.print(&match out.was_signed_in {
        true => format!("Signed out of {name}\n"),
        false => format!("There was no sign-in to {name}\n"),
    });
    Ok(0)
}

/// The server of a name, wherever it is configured.
fn target(
    context: &SubcommandContext,
    name: &str,
    console: &mut Console<'_>,
) -> Result<SignInTarget, SubcommandError> {
    let (configuration, environment) = context.configuration()?;
    let plugins = context.plugins();
    let sources = context.servers(&configuration, &environment, &plugins)?;
    let Some(config) = sources.servers.iter().find(|config| config.name == name) else {
        sources.warnings.iter().for_each(|warning| console.warn(&warning.for_stderr()));
        let known = sources.servers.iter().map(|config| config.name.clone()).collect();
        return Err(McpCommandError::Unknown { name: name.to_owned(), known }.into());
    };
    let store = SignInStore::new(sign_ins_folder(&context.environment));
    Ok(SignInTarget::of(config, store, proxy(&environment))?)
}

/// Opens a page in the user's browser, if this machine has a screen. Where that fails the user has the link.
fn open_page(context: &SubcommandContext, url: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| context.environment.variable(name).is_some_and(|value| !value.is_empty()));
    let program = match cfg!(target_os = "macos") {
        true => "open",
        false if has_screen => "xdg-open",
        false => return,
    };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The browser belongs to the user, and outlives this program.
    let _ = command.spawn();
}
