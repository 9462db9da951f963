//! The web: pages fetched for the model, with care for where they come from.

mod context;
mod fetch;
mod markdown;
mod page;
mod pages;
mod permits;

pub use context::{Web, WebCallContext};
pub(crate) use fetch::{FetchError, Fetched, fetch};
pub(crate) use page::{Body, Page};
pub(crate) use pages::Pages;
pub use permits::Permits;
pub(crate) use permits::WEB_FETCH;
