//! What a program needs of the system's C library.

/// The oldest version of glibc that runs the program: the names of what it needs are in its table of versions.
pub(super) fn glibc_version(program: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"GLIBC_";
    /// Packed tables of relocations are named in place of the version that reads them.
    const PACKED: (&str, &[u32]) = ("ABI_DT_RELR", &[2, 36]);
    let starts = (0..program.len().saturating_sub(MARK.len())).filter(|at| program[*at..].starts_with(MARK));
    let versions = starts.filter_map(|at| {
        let rest = &program[at + MARK.len()..];
        let end = rest.iter().position(|byte| *byte == 0)?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        if text == PACKED.0 {
            return Some(PACKED.1.to_vec());
        }
        text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()
    });
    let newest = versions.filter(|version| version.len() >= 2).max()?;
    Some(newest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_found() {
        let program = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.2.5\0\0GLIBC_";
        assert_eq!(glibc_version(program).as_deref(), Some("2.34"));
        assert_eq!(glibc_version(b"\0GLIBC_2.34\0GLIBC_ABI_DT_RELR\0").as_deref(), Some("2.36"));
        assert_eq!(glibc_version(b"\0GLIBC_2.39\0GLIBC_ABI_DT_RELR\0").as_deref(), Some("2.39"));
        assert_eq!(glibc_version(b"static"), None);
    }
}
