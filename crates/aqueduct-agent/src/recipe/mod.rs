//! Recipes: prompts that users and projects keep in Markdown files, as slash commands and as skills.
//!
//! A command is a file in a `commands` folder, a skill a folder with a `SKILL.md` in a `skills` folder. Both are
//! called by name, with arguments. Names and descriptions are read at the start and when files change; what a
//! recipe says is read when it is called.

mod expand;
mod library;
mod read;
mod shelf;
mod words;

pub(crate) use expand::{Invocation, Piece, pieces};
pub(crate) use read::{Kind, Origin, Recipe};
pub(crate) use shelf::{Launch, Shelf, ShelfSources, provided};

#[cfg(test)]
mod tests;
