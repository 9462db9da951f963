//! What can be seen of the bridge's parts from outside, run for real.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod auth;
mod backup;
mod keeper;
mod log;
mod log_lines;
mod message;
mod push;
mod recent;
mod server;
mod workspace;

/// A folder that only this user has access to, as a data folder has to be.
fn private_folder() -> tempfile::TempDir {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    tempfile::Builder::new().permissions(permissions).tempdir().unwrap()
}
