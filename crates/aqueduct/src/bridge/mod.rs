//! The bridge of a data folder, for the commands that manage access and look at sessions: one that runs, or its data.

pub(crate) mod grant;

mod admin;
mod reach;
mod session_log;

pub(crate) use admin::Admin;
pub(crate) use grant::GrantArgs;
pub(crate) use reach::{Bridge, other_version};
pub(crate) use session_log::StoredEvent;
