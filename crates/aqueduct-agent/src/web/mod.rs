//! The web: pages fetched for the model, with care for where they come from.

mod address;
mod desk;
mod fetch;
mod markdown;
mod page;
mod pages;
mod permits;

pub(crate) use address::{is_own, is_private_name, is_public};
pub(crate) use desk::{Desk, Web};
pub(crate) use fetch::{FetchError, Fetched, fetch};
pub(crate) use page::{Body, Page};
pub(crate) use pages::Pages;
pub(crate) use permits::Permits;
