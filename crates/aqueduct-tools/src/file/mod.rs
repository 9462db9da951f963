//! Files as the tools meet them: found, opened without hanging, decoded, compared, and replaced as a whole.

mod error;
mod file_state;
mod locate;
mod open;
mod patch;
mod replace;
mod resolved_paths;
mod text;

pub use error::FileError;
pub use file_state::FileStates;
pub(crate) use file_state::{Knowledge, Seen, Unready};
pub(crate) use locate::{Place, locate};
pub(crate) use open::{Digest, Opened, Stamp, WHOLE_LIMIT, open, read_whole};
pub(crate) use patch::patch;
pub use replace::{Before, put_private, replace};
pub use resolved_paths::{ResolvedPathTable, ResolvedPaths};
pub(crate) use text::{Encoding, Text, has_nul, mostly_text};
