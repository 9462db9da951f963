//! Every dependency may be used by everyone who may use this project.

use super::finding::Finding;
use crate::metadata::Metadata;

/// The same list as in deny.toml.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in metadata.foreign() {
        let Some(expression) = &package.license else {
            let file = package.license_file.as_deref().unwrap_or("none");
            let what = format!("{} declares no licence (licence file: {file}): remove it", package.name);
            findings.push(Finding::error("Cargo.lock", None, what));
            continue;
        };
        if !is_allowed(expression) {
            let what = format!(
                "{} {} is under {expression}: do without it, or allow it in deny.toml and xtask/src/tidy/licences.rs",
                package.name, package.version
            );
            findings.push(Finding::error("Cargo.lock", None, what));
        }
    }
    findings
}

/// Whether an SPDX expression can be met with allowed licences. `/` is how old crates write OR.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    any(&mut rest) && rest.is_empty()
}

fn any(rest: &mut &[&str]) -> bool {
    let mut met = all(rest);
    while let Some(("OR", after)) = rest.split_first().map(|(first, after)| (*first, after)) {
        *rest = after;
        met |= all(rest);
    }
    met
}

fn all(rest: &mut &[&str]) -> bool {
    let mut met = one(rest);
    while let Some(("AND", after)) = rest.split_first().map(|(first, after)| (*first, after)) {
        *rest = after;
        met &= one(rest);
    }
    met
}

fn one(rest: &mut &[&str]) -> bool {
    let Some((first, after)) = rest.split_first() else { return false };
    *rest = after;
    if *first == "(" {
        let met = any(rest);
        let closed = rest.first() == Some(&")");
        *rest = rest.get(1..).unwrap_or_default();
        return met && closed;
    }
    match *rest {
        ["WITH", exception, after @ ..] => {
            *rest = after;
            ALLOWED.contains(&format!("{first} WITH {exception}").as_str())
        }
        _ => ALLOWED.contains(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_they_mean() {
        for allowed in ["MIT", "MIT/GPL-3.0", "GPL-3.0 OR (MIT AND ISC)", "Apache-2.0 WITH LLVM-exception"] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR ISC) AND GPL-3.0",
            "MIT WITH Strings-attached",
            "",
            "(MIT",
        ] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }
}
