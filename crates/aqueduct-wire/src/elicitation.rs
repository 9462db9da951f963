//! Questions of MCP servers to the user, as requests and hooks name them.

use crate::table::names;

names! {
    /// How an MCP server asks.
    ElicitationMode<'a> {
        "form" => Form,
        "url" => Url,
    }
}

names! {
    /// What the user did with an MCP server's question.
    ElicitationAction<'a> {
        "accept" => Accept,
        "decline" => Decline,
        "cancel" => Cancel,
    }
}
