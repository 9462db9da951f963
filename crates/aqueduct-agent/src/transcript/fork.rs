use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::conversation::{Chain, bytes_of};
use super::index::Index;
use super::stamp::restamped;

/// Copies the lines of a chain under another session's id. What hangs between the messages goes along;
/// what is beside the chain stays behind.
pub(super) fn copy(from: &File, index: &Index, chain: &Chain, session_id: &str, to: &File) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    for line in chain.lines.iter().filter_map(|&number| index.lines.get(number)) {
        let bytes = bytes_of(from, line.place)?;
        let text = str::from_utf8(&bytes).map_err(io::Error::other)?;
        if let Some(copied) = restamped(text, session_id) {
            out.write_all(copied.as_bytes())?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}
