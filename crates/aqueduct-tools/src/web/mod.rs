//! The web: pages fetched for the model, with care for where they come from.

mod charset;
mod context;
mod fetch;
mod markdown;
mod page;
mod pages;
mod permits;

pub use context::{WebCallContext, WebContext};
pub(crate) use fetch::{FetchError, FetchOutcome, fetch};
pub(crate) use page::{PageBody, WebPage};
pub(crate) use pages::Pages;
pub use permits::Permits;
pub(crate) use permits::WEB_FETCH;
