//! TypeScript types of both directions, for the web UI and for other clients.

use std::collections::HashSet;

use aqueduct_bridge::message::{BridgeMessage, ClientMessage, ERROR_CODES};
use aqueduct_wire::table::typescript;

use super::definitions;

/// The module with the types of the protocol, from the folder of this one.
const STREAM_JSON: &str = "../../../../aqueduct-wire/generated/stream-json.ts";

/// The module.
pub(crate) fn module() -> String {
    let mut out = String::from(
        "// Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.\n\
         //\n\
         // What the bridge and its clients say to each other. The bridge adds kinds, members and names as it\n\
         // grows: give every switch a default, and pass over what you don't know.\n",
    );
    let types: Vec<String> =
        definitions::ours().into_iter().map(|definition| typescript(definition, &["1"])).collect();
    let types = types.join("\n");
    // The types of the protocol are those of its own module.
    let used = used(&types).join(",\n  ");
    out.push_str(&format!("\nimport type {{\n  {used},\n}} from \"{STREAM_JSON}\";\n"));
    out.push_str(&format!("\nexport type * from \"{STREAM_JSON}\";\n\n{types}"));
    out.push_str("\n/** The kinds of messages of the bridge that are stored and numbered. */\n");
    let stored = BridgeMessage::DELIVERIES.iter().filter(|row| row.1.as_str() == "stored");
    let stored: Vec<String> = stored.map(|row| format!("\"{}\"", row.0)).collect();
    out.push_str(&format!("export type StoredType =\n  | {};\n", stored.join("\n  | ")));
    out.push_str("\n/** Messages that are stored in a session. */\n");
    out.push_str(
        "export type StoredMessage = Extract<BridgeMessage, { type: StoredType }> & { seq: number };\n",
    );
    out.push_str("\n/** By the request's type: the type of the reply. */\nexport interface Replies {\n");
    for (request, replies) in ClientMessage::REPLIES {
        let replies: Vec<String> = replies.iter().map(|reply| format!("\"{reply}\"")).collect();
        out.push_str(&format!("  {request}: {};\n", replies.join(" | ")));
    }
    out.push_str("}\n\n/** The status that an HTTP answer has with each error code. */\n");
    out.push_str("export const HTTP_STATUS: Readonly<Record<string, number>> = {\n");
    for (code, status, _) in ERROR_CODES {
        out.push_str(&format!("  {code}: {status},\n"));
    }
    out.push_str("};\n");
    out
}

/// The types of the protocol that these types refer to.
fn used(types: &str) -> Vec<&'static str> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let code = types.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let words: HashSet<&str> = code.flat_map(|line| line.split(|char| !is_part(char))).collect();
    definitions::wire().into_iter().filter(|name| words.contains(name)).collect()
}
