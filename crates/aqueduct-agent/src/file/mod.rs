//! Files as the tools meet them: found, opened without hanging, decoded, compared, and replaced as a whole.

mod error;
mod kept;
mod locate;
mod open;
mod patch;
mod private;
mod replace;
mod text;

pub(crate) use error::FileError;
pub(crate) use kept::{ending, keep};
pub(crate) use locate::{Place, locate};
pub(crate) use open::{Digest, Opened, Stamp, WHOLE_LIMIT, open, read_whole};
pub(crate) use patch::patch;
pub(crate) use private::{make_private, make_private_among_others};
pub(crate) use replace::{Before, put_private, replace};
pub(crate) use text::{Encoding, Text, has_nul, mostly_text};
