use std::fs::File;
use std::io::{self, BufWriter, Write};

use aqueduct_wire::transcript::{Chain, TranscriptIndex, line_text};

use super::conversation::bytes_of;
use super::stamp::restamped;

/// Copies the lines of a chain under another session's id. What hangs between the messages goes along;
/// what is beside the chain stays behind.
pub(super) fn copy(
    from: &File,
    index: &TranscriptIndex,
    chain: &Chain,
    session_id: &str,
    to: &File,
) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    for entry in chain.entries.iter().filter_map(|&number| index.entries.get(number)) {
        let bytes = bytes_of(from, entry.place)?;
        let text = line_text(&bytes).map_err(io::Error::other)?;
        let copied = restamped(text, session_id).ok_or(io::ErrorKind::InvalidData)?;
        out.write_all(copied.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
