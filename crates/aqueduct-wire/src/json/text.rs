use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::{Fault, IntoOwned, Json, Reader, escape};
use crate::definition::Shape;

/// A string of a frame: borrowed from the line where it had no escapes. It derefs to `str`.
///
/// JSON can hold half of a surrogate pair, which no Rust string can; programs that cut text at a UTF-16
/// index write such strings. They read as U+FFFD and are written back as they came.
#[derive(Clone)]
pub struct Str<'a>(Repr<'a>);

#[derive(Clone)]
enum Repr<'a> {
    Borrowed(&'a str),
    Owned(Box<str>),
    Broken(Box<BrokenString>),
}

/// A string with a lone surrogate in it.
#[derive(Clone)]
struct BrokenString {
    text: String,
    token: String,
}

impl<'a> Str<'a> {
    /// The text between the quotes of a valid token.
    #[inline]
    pub(crate) fn from_token(token: &'a str, escaped: bool) -> Self {
        if escaped { Str::from_escaped(token) } else { Str(Repr::Borrowed(token)) }
    }

    fn from_escaped(token: &str) -> Self {
        let (text, whole) = escape::unescape(token);
        if whole {
            return Str(Repr::Owned(text.into_boxed_str()));
        }
        Str(Repr::Broken(Box::new(BrokenString { text, token: token.to_owned() })))
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Borrowed(text) => text,
            Repr::Owned(text) => text,
            Repr::Broken(broken) => &broken.text,
        }
    }

    /// Whether the text represents a string that can't be text: one with a lone surrogate.
    pub fn is_broken(&self) -> bool {
        matches!(self.0, Repr::Broken(_))
    }

    /// The text as a `String`, without a copy where it is one already.
    pub fn into_string(self) -> String {
        match self.0 {
            Repr::Borrowed(text) => text.to_owned(),
            Repr::Owned(text) => text.into_string(),
            Repr::Broken(broken) => broken.text,
        }
    }
}

impl Str<'_> {
    /// Copies what is borrowed, so that the value can outlive the line it was read from.
    pub fn into_owned(self) -> Str<'static> {
        IntoOwned::into_owned(self)
    }
}

impl<'a> Json<'a> for Str<'a> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.string()
    }

    #[inline]
    fn write(&self, out: &mut String) {
        match &self.0 {
            Repr::Broken(broken) => {
                out.push('"');
                out.push_str(&broken.token);
                out.push('"');
            }
            _ => escape::string(out, self),
        }
    }

    fn shape() -> Shape {
        Shape::Text
    }
}

impl IntoOwned for Str<'_> {
    type Owned = Str<'static>;

    fn into_owned(self) -> Str<'static> {
        Str(match self.0 {
            Repr::Borrowed(text) => Repr::Owned(text.into()),
            Repr::Owned(text) => Repr::Owned(text),
            Repr::Broken(broken) => Repr::Broken(broken),
        })
    }
}

impl Deref for Str<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Str<'_> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Str<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Str(Repr::Borrowed(text))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Str(Repr::Owned(text.into_boxed_str()))
    }
}

impl<'a> From<Cow<'a, str>> for Str<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl Default for Str<'_> {
    fn default() -> Self {
        Str(Repr::Borrowed(""))
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Str<'_> {}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for Str<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Str<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}
