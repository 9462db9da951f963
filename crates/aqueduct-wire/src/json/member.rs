use super::{Extra, Json, Walk, escape};

/// How many members a record may have beside the essential ones.
#[doc(hidden)]
pub const MAX_MEMBERS: usize = 128;

/// Takes the members of a record, one after the other. A record lists its members once for all visitors: a list for each
/// of them would take the compiler longer.
#[doc(hidden)]
pub trait MemberVisitor {
    /// A member that is always there. `quoted` is its name with quotes and colon.
    fn essential<'a, T: Json<'a>>(&mut self, quoted: &'static str, value: &T);

    /// A member that may be absent, with its index among those.
    fn optional<'a, T: Json<'a>>(&mut self, quoted: &'static str, index: usize, value: &Option<T>);
}

/// Writes the members of an object.
#[doc(hidden)]
#[derive(Debug)]
pub struct MemberWriter<'o, 'e> {
    out: &'o mut String,
    extra: &'o Extra<'e>,
    /// A bit for each optional member that has been written as a value.
    written: u128,
}

impl<'o, 'e> MemberWriter<'o, 'e> {
    /// A writer inside an object that has been opened.
    #[inline]
    pub fn new(out: &'o mut String, extra: &'o Extra<'e>) -> Self {
        MemberWriter { out, extra, written: 0 }
    }

    /// Writes what the record has no member for, and the end of the object.
    #[inline]
    pub fn close(self, essential: &[&str], keys: &[&str]) {
        if !self.extra.is_empty() {
            self.extra.write(self.out, essential, keys, self.written);
        }
        self.out.push('}');
    }
}

/// A function of its own for each type of member: a copy for each member doubles the time to compile.
#[inline(never)]
fn write_member<'a, T: Json<'a>>(out: &mut String, quoted: &str, value: &T) {
    escape::key(out, quoted);
    value.write(out);
}

impl MemberVisitor for MemberWriter<'_, '_> {
    #[inline]
    fn essential<'a, T: Json<'a>>(&mut self, quoted: &'static str, value: &T) {
        write_member(self.out, quoted, value);
    }

    #[inline]
    fn optional<'a, T: Json<'a>>(&mut self, quoted: &'static str, index: usize, value: &Option<T>) {
        if let Some(value) = value {
            self.written |= 1 << index;
            write_member(self.out, quoted, value);
        } else if self.extra.was_null(index) {
            escape::key(self.out, quoted);
            self.out.push_str("null");
        }
    }
}

impl MemberVisitor for Walk<'_> {
    #[inline]
    fn essential<'a, T: Json<'a>>(&mut self, quoted: &'static str, value: &T) {
        self.member(plain(quoted), value);
    }

    #[inline]
    fn optional<'a, T: Json<'a>>(&mut self, quoted: &'static str, _index: usize, value: &Option<T>) {
        if let Some(value) = value {
            self.member(plain(quoted), value);
        }
    }
}

/// The name in `"name":`.
fn plain(quoted: &'static str) -> &'static str {
    quoted.strip_prefix('"').and_then(|name| name.strip_suffix("\":")).unwrap_or(quoted)
}
