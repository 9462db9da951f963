//! Files as the tools meet them: found, opened without hanging, decoded, compared, and replaced as a whole.

mod error;
mod locate;
mod open;
mod patch;
mod replace;
mod text;

pub(crate) use aqueduct_os::private_dir::{make_private, make_private_among_others};
pub(crate) use error::FileError;
pub(crate) use locate::{Place, locate};
pub(crate) use open::{Digest, Opened, Stamp, WHOLE_LIMIT, open, read_whole};
pub(crate) use patch::patch;
pub(crate) use replace::{Before, put_private, replace};
pub(crate) use text::{Encoding, Text, has_nul, mostly_text};
