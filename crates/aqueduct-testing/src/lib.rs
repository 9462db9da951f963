//! What tests require of the machine. No test passes without testing.
//!
//! A test that needs a program or a right that a machine may lack states it with [`require!`]. If the requirement is
//! missing, the test is skipped: it prints its name and the reason, and `cargo xtask test` counts it as skipped. If the
//! caller promised the requirement, the test fails.
//!
//! ```
//! use aqueduct_testing::{has_git, require};
//!
//! fn the_history_is_read() {
//!     require!(has_git());
//!     // The test.
//! }
//! # the_history_is_read();
//! ```
//!
//! | variable | contents |
//! |---|---|
//! | `AQUEDUCT_TEST_REQUIRE` | the promised requirements, separated by commas: `git,bubblewrap` |
//! | `AQUEDUCT_TEST_SKIPPED` | a file that gets a line for each skipped test: `test` or `part`, package, test, reason; separated by tabs |
//!
//! A test that needs what the portable implementation of aqueduct-os can't do has the attribute
//! `#[cfg_attr(aqueduct_portable, ignore = "…")]` instead: this does not depend on the machine.
//!
//! Only tests depend on this crate. It is the only library that reads the environment.

mod deadline;
mod requirement;
mod skip;

pub use self::deadline::{PATIENCE, wait_for, wait_until, yield_until};
pub use self::requirement::{
    Missing, Requirement, has_fish, has_git, has_perl, has_pid_namespace, has_systemd_analyze, has_zsh,
    in_pid_namespace, is_ordinary_user, is_superuser,
};
pub use self::skip::{skip, skip_part};

/// Returns the value of a `Result<_, Missing>`. If the requirement is missing, skips the test: the enclosing function,
/// which has no value, returns.
///
/// # Panics
///
/// If the requirement is missing and promised.
#[macro_export]
macro_rules! require {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(missing) => return $crate::skip(&missing),
        }
    };
}
