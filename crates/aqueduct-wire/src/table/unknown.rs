use crate::json::{Fault, IntoOwned, Json, LeftoverKind, Raw, Reader, Str, Walk};

/// An object of a family that is none of its known kinds, kept as it came.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Unknown<'a> {
    /// The discriminator's value, if there was one.
    pub tag: Option<Str<'a>>,
    /// The whole value.
    pub raw: Raw<'a>,
    /// Why it could not be typed.
    pub why: UnknownReason,
}

/// Why an object could not be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownReason {
    /// The discriminator is missing or has an unknown value.
    Tag,
    /// The kind is known, but a member that makes it one is missing or has another shape.
    Misfit(&'static str),
}

impl<'a> Unknown<'a> {
    /// Keeps the value at the reader's position.
    pub fn read(reader: &mut Reader<'a>, tag: Option<Str<'a>>, why: UnknownReason) -> Result<Self, Fault> {
        Ok(Unknown { tag, raw: reader.raw()?, why })
    }

    /// Appends the value as it came.
    pub fn write(&self, out: &mut String) {
        self.raw.write(out);
    }

    /// Reports it as an unknown member of `family`.
    pub fn leftovers(&self, family: &'static str, walk: &mut Walk<'_>) {
        let tag = self.tag.as_deref();
        let kind = match self.why {
            UnknownReason::Tag => LeftoverKind::Tag { family, tag },
            UnknownReason::Misfit(wanted) => {
                LeftoverKind::Misfit { family, tag: tag.unwrap_or_default(), wanted }
            }
        };
        walk.found(kind, self.raw.as_str());
    }
}

impl Unknown<'_> {
    /// Copies what is borrowed, so that the value can outlive the line it was read from.
    pub fn into_owned(self) -> Unknown<'static> {
        IntoOwned::into_owned(self)
    }
}

impl IntoOwned for Unknown<'_> {
    type Owned = Unknown<'static>;

    fn into_owned(self) -> Unknown<'static> {
        Unknown { tag: self.tag.into_owned(), raw: self.raw.into_owned(), why: self.why }
    }
}
