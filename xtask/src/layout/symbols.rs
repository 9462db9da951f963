//! The functions of a program, by their mangled names.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// What precedes the hash at the end of a symbol, and the hash itself.
const HASH: &str = "17h";
const HASH_DIGITS: usize = 16;

/// The size of each function. Functions of the same name count as one.
pub(super) struct Symbols(BTreeMap<String, u64>);

impl Symbols {
    pub(super) fn of(program: &Path) -> Result<Self> {
        let mut nm = Command::new("nm");
        let output = nm.args(["--print-size", "--defined-only"]).arg(program).output();
        let output = output.context("cannot run nm")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let symbols = Self::read(&text);
        ensure!(!symbols.0.is_empty(), "nm finds no functions in {}", program.display());
        Ok(symbols)
    }

    /// Lines of address, size, kind and name.
    pub(super) fn read(text: &str) -> Self {
        let mut sizes = BTreeMap::new();
        for line in text.lines() {
            if let [_, size, "t" | "T" | "w" | "W", name] = line.split(' ').collect::<Vec<_>>()[..]
                && let Ok(size) = u64::from_str_radix(size, 16)
            {
                *sizes.entry(name.to_owned()).or_default() += size;
            }
        }
        Self(sizes)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, size)| (name.as_str(), *size))
    }
}

/// Whether a symbol has a hash, which a pattern leaves out.
pub(super) fn is_mangled(symbol: &str) -> bool {
    symbol.starts_with("_ZN") || symbol.starts_with("_R")
}

/// A symbol in the pieces of its path: crate, modules, type, function. Joined they match the symbol of any build, so the
/// hash is left out, and the length of a name with the path of a type in it. A symbol of the standard library, which is
/// mangled in another way, is one piece, as is one that is not Rust's.
pub(super) fn pieces(symbol: &str) -> Vec<String> {
    path(symbol).unwrap_or_else(|| vec![without_crate_hashes(symbol)])
}

/// Crates are `CsHASH_NAME` in symbols that begin with `_R`. Symbols that were made public for the linker have a number.
fn without_crate_hashes(symbol: &str) -> String {
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    if !symbol.starts_with("_R") {
        return symbol.to_owned();
    }
    let mut parts = symbol.split("Cs");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let hash =
            part.find(|c: char| !c.is_ascii_alphanumeric()).filter(|end| part[*end..].starts_with('_'));
        text.push_str("Cs");
        match hash {
            Some(end) => text.extend(["*", &part[end..]]),
            None => text.push_str(part),
        }
    }
    text
}

fn path(symbol: &str) -> Option<Vec<String>> {
    let rest = symbol.strip_prefix("_ZN")?;
    let (mut rest, hash) = rest.rsplit_once(HASH)?;
    if hash.len() <= HASH_DIGITS || !hash.as_bytes()[..HASH_DIGITS].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut pieces = vec!["_ZN".to_owned()];
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let length = rest[..digits].parse::<usize>().ok()?;
        let end = digits.checked_add(length)?;
        let (name, after) = (rest.get(digits..end)?, &rest[end..]);
        if name.starts_with("_$") {
            pieces.extend(type_pieces(name));
        } else {
            pieces.push(rest[..end].to_owned());
        }
        rest = after;
    }
    pieces.push(HASH.to_owned());
    Some(pieces)
}

/// The implementation of a trait, `_$LT$krate..module..Type$u20$as$u20$…$GT$`, in the pieces of its type's path.
fn type_pieces(name: &str) -> Vec<String> {
    let mut pieces: Vec<String> = name.split_inclusive("..").map(str::to_owned).collect();
    if let Some(first) = pieces.first_mut() {
        first.insert(0, '*');
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_and_its_hash_left_out() {
        let pieces = |symbol| pieces(symbol).join(" ");
        assert_eq!(pieces("_ZN4core3fmt5write17h0123456789abcdefE"), "_ZN 4core 3fmt 5write 17h");
        assert_eq!(pieces("_ZN4core3fmt5write17h0123456789abcdefE.llvm.12"), "_ZN 4core 3fmt 5write 17h");
        let implementation = "_ZN39_$LT$krate..part..T$u20$as$u20$b..D$GT$3fmt17h0123456789abcdefE";
        assert_eq!(pieces(implementation), "_ZN *_$LT$krate.. part.. T$u20$as$u20$b.. D$GT$ 3fmt 17h");
        assert_eq!(pieces("memcpy"), "memcpy");
        assert_eq!(pieces("_RNvNtCs1aB_3std2io4open.llvm.7"), "_RNvNtCs*_3std2io4open");
        assert_eq!(pieces("_ZN9short17h0123456789abcdefE"), "_ZN9short17h0123456789abcdefE");
    }

    #[test]
    fn functions_are_read_and_data_is_not() {
        let symbols =
            Symbols::read("00 10 t one\n10 20 T two\n30 08 D data\n40 08 r table\nU other\n00 01 w one\n");
        assert_eq!(symbols.sizes().collect::<Vec<_>>(), [("one", 0x11), ("two", 0x20)]);
    }
}
