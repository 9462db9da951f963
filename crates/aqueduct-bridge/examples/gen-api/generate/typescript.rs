//! TypeScript types of both directions, for the package `aqueduct-client`, which the web UI uses too.

use aqueduct_bridge::message::{BridgeMessage, ClientMessage, ERROR_CODES};
use aqueduct_wire::table::typescript;

use super::definitions;

/// The module. It has the types of the protocol that messages lead to as well, so that the package needs no other file.
pub(crate) fn module() -> String {
    let mut out = String::from(
        "// Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.\n\
         //\n\
         // What the bridge and its clients say to each other. The bridge adds kinds, members and names as it\n\
         // grows: give every switch a default, and pass over what you don't know.\n",
    );
    let wire = definitions::wire();
    for definition in definitions::all() {
        // Members of the bridge's messages are as old as its API. Those of the protocol depend on the agent's version.
        let certain: &[&str] = if wire.contains(&definition.name()) { &[] } else { &["1"] };
        out.push('\n');
        out.push_str(&typescript(definition, certain));
    }
    out.push_str("\n/** The kinds of messages of the bridge that are stored and numbered. */\n");
    let stored = BridgeMessage::DELIVERIES.iter().filter(|row| row.1.as_str() == "stored");
    let stored: Vec<String> = stored.map(|row| format!("\"{}\"", row.0)).collect();
    out.push_str(&format!("export type StoredType =\n  | {};\n", stored.join("\n  | ")));
    out.push_str("\n/** Messages that are stored in a session. */\n");
    out.push_str(
        "export type StoredMessage = Extract<BridgeMessage, { type: StoredType }> & { seq: number };\n",
    );
    out.push_str("\n/** How each kind of message of the bridge is delivered. */\n");
    out.push_str("export const DELIVERY: Readonly<Record<string, \"stored\" | \"live\" | \"notice\" | \"reply\">> = {\n");
    for (kind, delivery) in BridgeMessage::DELIVERIES {
        out.push_str(&format!("  {kind}: \"{}\",\n", delivery.as_str()));
    }
    out.push_str("};\n\n/** By the request's type: the type of the reply. */\nexport interface Replies {\n");
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
