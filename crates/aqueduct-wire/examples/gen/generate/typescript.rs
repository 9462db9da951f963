//! TypeScript types of both directions.

use aqueduct_wire::table::typescript;

use super::definitions;

/// The module.
pub(crate) fn module() -> String {
    let mut out = String::from(
        "// Made from the tables of aqueduct-wire by `cargo xtask gen`. Do not edit.\n\
         //\n\
         // Frames that a coding agent and its host exchange, one JSON object a line. Kinds, members and\n\
         // names that are not listed here occur: give every switch a default, and keep what you pass on.\n",
    );
    for definition in definitions::all() {
        out.push('\n');
        out.push_str(&typescript(definition, &[]));
    }
    out
}
