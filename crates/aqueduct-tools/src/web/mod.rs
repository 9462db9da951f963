//! The web: pages fetched for the model, with care for where they come from.

mod context;
mod fetch;
mod markdown;
mod page;
mod pages;
mod permits;

pub use context::{Web, WebCallContext};
pub use fetch::{FetchError, Fetched, fetch};
pub use page::{Body, Page};
pub use pages::Pages;
pub use permits::{Permits, WEB_FETCH};
