use std::fmt;
use std::str::FromStr;

use crate::capabilities::request_since;

/// The version of an agent: three numbers.
///
/// ```
/// use aqueduct_client::Version;
///
/// let version: Version = "2.1.325 (Claude Code)".parse()?;
/// assert!(version > Version::new(2, 1, 74));
/// assert_eq!(version.to_string(), "2.1.325");
/// assert_eq!(version.knows("interrupt"), Some(true));
/// assert_eq!(version.knows("from_the_future"), None);
/// # Ok::<(), aqueduct_client::NoVersion>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

/// A text that begins with no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} begins with no version such as 2.1.325")]
pub struct NoVersion(String);

impl Version {
    /// The oldest version that this crate drives.
    pub const OLDEST: Version = Version::new(2, 1, 37);

    /// A version by its numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch }
    }

    /// Whether agents of this version know a kind of control request; `None` where this crate does not.
    pub fn knows(self, subtype: &str) -> Option<bool> {
        Some(self >= request_since(subtype)?)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Reads what `--version` prints, or the version in `init`: the numbers, and anything behind a blank or a
    /// dash.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let numbers = text.trim().split([' ', '-', '+']).next().unwrap_or_default();
        let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Version { major, minor, patch }),
            _ => Err(NoVersion(text.chars().take(80).collect())),
        }
    }
}
