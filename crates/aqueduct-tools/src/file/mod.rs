//! Files as the tools meet them: found, opened without hanging, decoded, compared, and replaced as a whole.

mod error;
mod file_state;
mod locate;
mod open;
mod patch;
mod replace;
mod resolved_paths;
mod text;

pub use aqueduct_os::private_dir::{make_private, make_private_among_others};
pub use error::FileError;
pub use file_state::{FileStates, Knowledge, Seen, Unready};
pub use locate::{Place, locate};
pub use open::{Digest, Opened, Stamp, WHOLE_LIMIT, open, read_whole};
pub use patch::patch;
pub use replace::{Before, put_private, replace};
pub use resolved_paths::{ResolvedPathTable, ResolvedPaths};
pub use text::{Encoding, Text, has_nul, mostly_text};
