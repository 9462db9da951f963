//! The bridge of a data folder, for the commands that say who may come in: one that runs, or what it keeps.

pub(crate) mod grant;

mod admin;
mod reach;

pub(crate) use admin::Admin;
pub(crate) use grant::GrantArgs;
pub(crate) use reach::Bridge;
