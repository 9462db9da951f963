use std::time::Duration;

use aqueduct_os::environment::Environment;

/// How long a server may take to connect, and a request that is not a tool call.
const CONNECT: Duration = Duration::from_secs(30);

/// How long a call of a tool may take: as good as for ever, because the user can interrupt it.
const CALL: Duration = Duration::from_secs(100_000);

/// How much of a result the model gets.
const OUTPUT_TOKENS: usize = 25_000;

/// About how many characters a token is.
const TOKEN_CHARACTERS: usize = 4;

/// What bounds the servers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerLimits {
    /// `MCP_TIMEOUT`: for a connection, and for lists, prompts and resources.
    pub(crate) connect: Duration,
    /// `MCP_TOOL_TIMEOUT`: for a call.
    pub(crate) call: Duration,
    /// `MAX_MCP_OUTPUT_TOKENS`, in characters.
    pub(crate) output: usize,
}

impl ServerLimits {
    /// The limits that the environment sets. A value that is not a positive number counts as unset.
    pub(crate) fn of(environment: &Environment) -> Self {
        let number = |name: &str| {
            let text = environment.variable(name)?;
            text.trim().parse::<u64>().ok().filter(|number| *number > 0)
        };
        let tokens = number("MAX_MCP_OUTPUT_TOKENS").and_then(|tokens| usize::try_from(tokens).ok());
        ServerLimits {
            connect: number("MCP_TIMEOUT").map_or(CONNECT, Duration::from_millis),
            call: number("MCP_TOOL_TIMEOUT").map_or(CALL, Duration::from_millis),
            output: tokens.unwrap_or(OUTPUT_TOKENS).saturating_mul(TOKEN_CHARACTERS),
        }
    }
}
