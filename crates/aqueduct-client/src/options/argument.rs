//! How each kind of value is written on a command line. A value is joined to its flag with `=`, so that one
//! that begins with a dash, or is empty, is still a value.

use std::ffi::OsString;
use std::path::PathBuf;

use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionMode;

use super::value::{Effort, SettingSource, Thinking};
use crate::Error;

type ArgumentResult = Result<(), Error>;

fn join(arguments: &mut Vec<OsString>, flag: &str, value: impl Into<OsString>) -> ArgumentResult {
    let mut argument = OsString::from(flag);
    argument.push("=");
    argument.push(value.into());
    arguments.push(argument);
    Ok(())
}

pub(super) fn text(arguments: &mut Vec<OsString>, flag: &str, value: &str) -> ArgumentResult {
    if value.contains('\0') {
        return Err(Error::options(format!(
            "the value of {flag} holds a zero byte, which no program can be given"
        )));
    }
    join(arguments, flag, value)
}

pub(super) fn mode(
    arguments: &mut Vec<OsString>,
    flag: &str,
    value: &PermissionMode<'static>,
) -> ArgumentResult {
    text(arguments, flag, value.as_str())
}

pub(super) fn switch(arguments: &mut Vec<OsString>, flag: &str, value: &bool) -> ArgumentResult {
    if *value {
        arguments.push(flag.into());
    }
    Ok(())
}

pub(super) fn number(arguments: &mut Vec<OsString>, flag: &str, value: &impl ToString) -> ArgumentResult {
    join(arguments, flag, value.to_string())
}

pub(super) fn decimal(arguments: &mut Vec<OsString>, flag: &str, value: &f64) -> ArgumentResult {
    number(arguments, flag, value)
}

/// One value, with commas between its parts. Rules may hold commas inside parentheses; agents know.
pub(super) fn list(arguments: &mut Vec<OsString>, flag: &str, value: &[String]) -> ArgumentResult {
    text(arguments, flag, &value.join(","))
}

pub(super) fn path(arguments: &mut Vec<OsString>, flag: &str, value: &std::path::Path) -> ArgumentResult {
    join(arguments, flag, value.as_os_str())
}

/// The flag again for each.
pub(super) fn paths(arguments: &mut Vec<OsString>, flag: &str, value: &[PathBuf]) -> ArgumentResult {
    value.iter().try_for_each(|value| path(arguments, flag, value))
}

pub(super) fn sources(arguments: &mut Vec<OsString>, flag: &str, value: &[SettingSource]) -> ArgumentResult {
    let names: Vec<&str> = value.iter().map(|source| source.as_str()).collect();
    text(arguments, flag, &names.join(","))
}

pub(super) fn thinking(arguments: &mut Vec<OsString>, flag: &str, value: &Thinking) -> ArgumentResult {
    text(arguments, flag, value.as_str())
}

pub(super) fn effort(arguments: &mut Vec<OsString>, flag: &str, value: &Effort) -> ArgumentResult {
    text(arguments, flag, value.as_str())
}

pub(super) fn json(arguments: &mut Vec<OsString>, flag: &str, value: &Raw<'static>) -> ArgumentResult {
    text(arguments, flag, value.as_str())
}
