use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Expected, Fault, IntoOwned, Json, ParseError, Reader, scan};
use crate::definition::Shape;

/// A JSON value kept as its text: tool input, tool output, and whatever no type is known for.
///
/// The text is valid JSON in one line. Two values are equal when their texts are. A [`serde_json::Value`] and every
/// record of this crate convert into one:
///
/// ```
/// use aqueduct_wire::json::Raw;
/// use aqueduct_wire::tool::BashInput;
///
/// assert_eq!(Raw::from(serde_json::json!({"command": "ls"})), Raw::from(BashInput::new("ls")));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Raw<'a>(Cow<'a, str>);

impl<'a> Raw<'a> {
    /// The value `null`.
    pub const NULL: Raw<'static> = Raw(Cow::Borrowed("null"));

    /// Checks that `text` is one JSON value.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Raw::parse_at(text, 0)
    }

    /// The same for a value that will be a member of an object: it may be less deep by one level.
    #[cfg(feature = "recording")]
    pub(crate) fn parse_inside(text: &'a str) -> Result<Self, ParseError> {
        Raw::parse_at(text, 1)
    }

    fn parse_at(text: &'a str, depth: usize) -> Result<Self, ParseError> {
        let start = scan::space(text.as_bytes(), 0);
        let end = scan::value(text.as_bytes(), start, depth)?;
        let rest = scan::space(text.as_bytes(), end);
        if rest != text.len() {
            return Err(ParseError::Syntax { offset: rest, expected: Expected::End });
        }
        Ok(Raw::from_value(&text[start..end]))
    }

    /// A text that [`scan::value`] has checked. The line ends are taken out of it: outside strings they mean
    /// nothing, and inside there are none.
    #[inline]
    pub(crate) fn from_value(text: &'a str) -> Self {
        if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
            return Raw(Cow::Borrowed(text));
        }
        Raw(Cow::Owned(text.replace(['\n', '\r'], "")))
    }

    /// A text that this crate has written.
    #[inline]
    pub(crate) fn checked(text: &'a str) -> Self {
        Raw(Cow::Borrowed(text))
    }

    /// A value of this crate as JSON.
    pub fn written<'v>(value: &impl Json<'v>) -> Raw<'static> {
        Raw::written_in(value, 0)
    }

    /// The same where it is known about how long the text gets: a large one then never moves while it grows, and is
    /// not held twice.
    pub fn written_in<'v>(value: &impl Json<'v>, capacity: usize) -> Raw<'static> {
        let mut text = String::with_capacity(capacity);
        value.write(&mut text);
        text.shrink_to_fit();
        Raw(Cow::Owned(text))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same value, borrowed from this one.
    pub fn borrowed(&self) -> Raw<'_> {
        Raw(Cow::Borrowed(&self.0))
    }

    /// The value as a Rust type, through `serde_json`.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// A Rust value as JSON, through `serde_json`.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Raw<'static>, serde_json::Error> {
        serde_json::to_string(value).map(|text| Raw(Cow::Owned(text)))
    }

    /// The value as one of this crate's types: a payload, a hook's input, a tool's input. `None` where it
    /// has another shape.
    pub fn view<T: Json<'a>>(&'a self) -> Option<T> {
        let mut reader = Reader::new(&self.0);
        T::read(&mut reader).ok()
    }
}

impl Raw<'_> {
    /// Copies what is borrowed, so that the value can outlive the line it was read from.
    pub fn into_owned(self) -> Raw<'static> {
        IntoOwned::into_owned(self)
    }
}

impl<'a> Json<'a> for Raw<'a> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        Ok(reader.raw()?)
    }

    #[inline]
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }

    fn shape() -> Shape {
        Shape::Any
    }
}

impl IntoOwned for Raw<'_> {
    type Owned = Raw<'static>;

    fn into_owned(self) -> Raw<'static> {
        Raw(Cow::Owned(self.0.into_owned()))
    }
}

impl From<&serde_json::Value> for Raw<'_> {
    fn from(value: &serde_json::Value) -> Self {
        Raw(Cow::Owned(value.to_string()))
    }
}

impl From<serde_json::Value> for Raw<'_> {
    fn from(value: serde_json::Value) -> Self {
        Raw::from(&value)
    }
}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
