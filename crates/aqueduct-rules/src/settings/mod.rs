//! Settings files: reading their permissions, and changing it without disturbing the rest.
//!
//! A settings file is JSON; comments and trailing commas are tolerated. What is read is
//! `permissions.allow`, `.deny`, `.ask`, `.defaultMode`, `.additionalDirectories`,
//! `.disableBypassPermissionsMode`, and `allowManagedPermissionRulesOnly`. Everything else in the file is
//! someone else's and is never touched.

mod edit;
mod json;
mod locate;
mod member;
mod read;

pub use edit::edit;
pub use locate::{DuplicateMember, PathStep, line_of, repeated};
pub use member::{remove_member, set_member};
pub use read::{Settings, read};
