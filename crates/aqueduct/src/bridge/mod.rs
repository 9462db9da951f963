//! The bridge of a data folder, for the commands that manage access: one that runs, or its data.

pub(crate) mod grant;

mod admin;
mod reach;

pub(crate) use admin::Admin;
pub(crate) use grant::GrantArgs;
pub(crate) use reach::Bridge;
