/// The longest name of a project's folder that is not cut.
pub const NAME_LIMIT: usize = 200;

/// The name of the folder, under `projects` in the configuration folder, that holds the transcripts of a
/// working directory.
///
/// What is not an ASCII letter or digit becomes `-`. The reference counts in UTF-16, so a character outside the
/// basic plane becomes two. A name longer than [`NAME_LIMIT`] is cut there and distinguished by a hash of the path.
///
/// ```
/// use aqueduct_wire::transcript::folder_name;
///
/// assert_eq!(folder_name("/home/ada/my_proj"), "-home-ada-my-proj");
/// ```
pub fn folder_name(path: &str) -> String {
    let keep = |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    let name: String = path.encode_utf16().map(keep).collect();
    match name.get(..NAME_LIMIT) {
        Some(cut) if name.len() > NAME_LIMIT => format!("{cut}-{}", base36(hash(path))),
        _ => name,
    }
}

/// Whether a text is a session's id, which is also its file's name: a UUID with its hyphens, and nothing else.
pub fn is_session_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The hash that many languages give strings: times 31 plus the next unit, in 32 bits, without its sign.
fn hash(path: &str) -> u32 {
    path.encode_utf16().fold(0i32, |sum, unit| sum.wrapping_mul(31).wrapping_add(unit.into())).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}
