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
pub(crate) use file_state::{ChangeRefusal, Knowledge, KnownVersion};
pub(crate) use locate::{FileLocation, locate};
pub(crate) use open::{ContentDigest, FileStamp, OpenedFile, WHOLE_LIMIT, open, read_whole};
pub(crate) use patch::patch;
pub use replace::{Precondition, put_private, replace};
pub use resolved_paths::{ResolvedPathTable, ResolvedPaths};
pub(crate) use text::{FileText, TextEncoding, has_nul, mostly_text};
