//! Compares two JSON texts member by member, where they differ in little: the common case is a frame whose
//! members were written back in another order, with the same text in each.

use super::same::digest;
use crate::json_text::string_end;

/// How many members an object may have here.
const MOST: usize = 48;
/// How deep members are matched up. Below that a difference is looked at as a whole, which bounds how often
/// a byte is looked at.
const LEVELS: usize = 6;

/// Whether two valid JSON texts are seen to be equal. Where not, they may still be: a name can occur
/// twice or be escaped, and there can be too many of them.
pub(super) fn aligned(one: &str, other: &str) -> bool {
    values(one.trim_ascii(), other.trim_ascii(), LEVELS)
}

fn values(one: &str, other: &str, levels: usize) -> bool {
    if one == other {
        return true;
    }
    let level = levels.checked_sub(1);
    match (one.as_bytes().first(), other.as_bytes().first(), level) {
        (Some(b'{'), Some(b'{'), Some(level)) => objects(one, other, level),
        (Some(b'['), Some(b'['), Some(level)) => arrays(one, other, level),
        _ => digest(one) == digest(other),
    }
}

fn objects(one: &str, other: &str, levels: usize) -> bool {
    let mut members = [("", ""); MOST];
    let mut count = 0;
    let mut cursor = Cursor::new(other);
    while let Some(member) = cursor.member() {
        let Some(slot) = members.get_mut(count) else { return false };
        *slot = member;
        count += 1;
    }
    let (mut used, mut matched, mut next) = (0_u64, 0, 0);
    let mut cursor = Cursor::new(one);
    while let Some(name) = cursor.name() {
        // Members mostly follow each other in both; only a few have moved.
        let is_it = |at: &usize| used >> at & 1 == 0 && members[*at].0 == name;
        let Some(at) = (next..count).chain(0..next.min(count)).find(is_it) else { return false };
        used |= 1 << at;
        matched += 1;
        next = at + 1;
        // The same text ends at the same place: its end need not be searched.
        if cursor.skip(members[at].1) {
            continue;
        }
        if !cursor.value().is_some_and(|value| values(value, members[at].1, levels)) {
            return false;
        }
    }
    matched == count
}

fn arrays(one: &str, other: &str, levels: usize) -> bool {
    let (mut one, mut other) = (Cursor::new(one), Cursor::new(other));
    loop {
        match (one.item(), other.item()) {
            (Some(one), Some(other)) => {
                if !values(one, other, levels) {
                    return false;
                }
            }
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// Walks the members or items of a valid JSON text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Cursor { text, at: 1 }
    }

    fn skip_space(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at)
            && byte.is_ascii_whitespace()
        {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// The next member: its name as it is written, and its value.
    fn member(&mut self) -> Option<(&'a str, &'a str)> {
        Some((self.name()?, self.value()?))
    }

    /// The next member's name. Its value follows.
    fn name(&mut self) -> Option<&'a str> {
        if self.skip_space()? == b',' {
            self.at += 1;
            self.skip_space()?;
        }
        let start = self.at + 1;
        if self.text.as_bytes().get(self.at) != Some(&b'"') {
            return None;
        }
        let end = string_end(self.text.as_bytes(), start);
        self.at = end + 1;
        self.skip_space()?;
        self.at += 1;
        self.skip_space()?;
        self.text.get(start..end)
    }

    /// Steps over a value if it is written exactly so.
    fn skip(&mut self, value: &str) -> bool {
        let bytes = self.text.as_bytes();
        let end = self.at + value.len();
        let is_it = bytes.get(self.at..end) == Some(value.as_bytes())
            && matches!(bytes.get(end), Some(b',' | b'}' | b' ' | b'\t' | b'\n' | b'\r'));
        if is_it {
            self.at = end;
        }
        is_it
    }

    fn item(&mut self) -> Option<&'a str> {
        if self.skip_space()? == b',' {
            self.at += 1;
        }
        if self.skip_space()? == b']' {
            return None;
        }
        self.value()
    }

    fn value(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match bytes.get(self.at)? {
                b'"' => self.at = string_end(bytes, self.at + 1) + 1,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => break,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
        }
        self.text.get(start..self.at)
    }
}
