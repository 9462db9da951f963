//! Profiles: how the dialect of an agent differs from the reference CLI's. `table.rs` has one row for each.
//!
//! A profile defines which options become which flags, what permissions and questions look like, and which requests
//! exist. `check.rs` refuses what an agent does not
//! support before anything is sent or started; `translate.rs` converts requests.

mod check;
mod table;
mod translate;

pub(crate) use table::{AnswersIn, InterruptBehavior};
pub use table::{Flag, PROFILES, Profile};

use std::ffi::OsStr;
use std::path::Path;

impl Profile {
    /// The profile of the reference CLI and of agents that take its place.
    pub const REFERENCE: Profile = table::REFERENCE;

    /// Qwen Code.
    pub const QWEN: Profile = table::QWEN;

    /// A profile by its name, such as `qwen`.
    ///
    /// ```
    /// use aqueduct_client::Profile;
    ///
    /// let qwen = Profile::named("qwen").unwrap_or(Profile::REFERENCE);
    /// assert!(qwen.has_option("model") && qwen.has_request("initialize"));
    /// assert!(!qwen.has_option("max_budget_usd"));
    /// ```
    pub fn named(name: &str) -> Option<Profile> {
        PROFILES.iter().find(|profile| profile.name == name).copied()
    }

    /// The profile of a program, by the name of its file. Programs that no profile names have the reference's.
    ///
    /// ```
    /// use aqueduct_client::Profile;
    ///
    /// assert_eq!(Profile::of_program("/usr/local/bin/qwen".as_ref()), Profile::QWEN);
    /// assert_eq!(Profile::of_program("my-agent".as_ref()), Profile::REFERENCE);
    /// ```
    pub fn of_program(program: &OsStr) -> Profile {
        let file = Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or_default();
        let name = file.strip_suffix(".js").unwrap_or(file);
        let found = PROFILES.iter().find(|profile| profile.programs.contains(&name));
        found.copied().unwrap_or(Profile::REFERENCE)
    }

    /// Whether an option of the builder, by the name of its method, has a flag.
    pub fn has_option(&self, option: &str) -> bool {
        !matches!(self.flag(option), Flag::Missing(_))
    }

    /// Whether a control request of the host, by its subtype, exists.
    pub fn has_request(&self, subtype: &str) -> bool {
        self.requests.is_none_or(|requests| requests.contains(&subtype))
    }

    /// What becomes of an option.
    pub(crate) fn flag(&self, option: &str) -> Flag {
        match self.flags.iter().find(|(name, _)| *name == option) {
            Some((_, flag)) => *flag,
            None => Flag::Same,
        }
    }
}
