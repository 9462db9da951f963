//! Authentication.

mod devices;
mod origin_policy;
mod parsing;
