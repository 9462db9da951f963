//! The names of programs.

use std::borrow::Cow;

/// The program that a name means to a system that ignores case, or that knows
/// programs by their endings.
pub(crate) fn known_name(program: &str) -> Cow<'_, str> {
    let name = base_name(program);
    if !name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.ends_with(".exe") {
        return Cow::Borrowed(name);
    }
    let name = name.to_ascii_lowercase();
    Cow::Owned(name.strip_suffix(".exe").unwrap_or(&name).to_owned())
}

/// The program's name without its folder.
pub(crate) fn base_name(program: &str) -> &str {
    program.bytes().rposition(|byte| byte == b'/').map_or(program, |slash| &program[slash + 1..])
}
