//! Custom commands: prompts in Markdown files of users and projects, as slash commands and as skills.
//!
//! A command is a file in a `commands` folder, a skill a folder with a `SKILL.md` in a `skills` folder. Both are
//! called by name, with arguments. Names and descriptions are read at the start and when files change; the text
//! of a custom command is read when it is called.
//!
//! `command_index.rs` finds the files, `read.rs` reads one, `command_catalog.rs` holds those of a session, `expand.rs` inserts
//! arguments, and `words.rs` splits them.

mod catalog_skills;
mod command_catalog;
mod command_index;
mod expand;
mod read;
mod words;

pub(crate) use command_catalog::{CatalogSources, CommandCatalog, provided};
pub(crate) use expand::{CommandPiece, Invocation, pieces};
pub(crate) use read::{CommandOrigin, CustomCommand, CustomCommandKind};

#[cfg(test)]
mod tests;
