use super::{Fault, Mark, Reader, Walk};
use crate::definition::Shape;

/// A value that can be read from a line, written back, and described to the generators of schema and docs.
pub trait Json<'a>: Sized {
    /// Reads the value at the reader's position. After a fault that is not a parse error the caller resets
    /// the reader and keeps the value as it came.
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault>;

    /// Appends the value as JSON.
    fn write(&self, out: &mut String);

    /// The shape, for the generators.
    fn shape() -> Shape;

    /// Visits what was kept without a type.
    fn leftovers(&self, _walk: &mut Walk<'_>) {}
}

/// A value from its text; `None` where the text has another shape.
pub fn read<'a, T: Json<'a>>(text: &'a str) -> Option<T> {
    T::read(&mut Reader::new(text)).ok()
}

/// An object whose kind is given by one or more of its members.
pub trait Tagged<'a>: Sized {
    /// Reads the object, whose discriminators are known already.
    fn read_tagged(reader: &mut Reader<'a>, tags: &Tags<'_>) -> Result<Self, Fault>;

    /// Appends the object, discriminators first.
    fn write_tagged(&self, tags: &Tags<'_>, out: &mut String);
}

/// The discriminators that led to a record, innermost first.
#[derive(Debug, Clone, Copy)]
pub struct Tags<'t> {
    /// Name and value.
    pub tag: Option<(&'static str, &'static str)>,
    /// The discriminators of the family around.
    pub outer: Option<&'t Tags<'t>>,
    /// Whether another value under the same name is skipped: set once the last one has been chosen.
    pub settled: bool,
    /// The object's beginning, if the reader is inside it already, behind the discriminators.
    pub inside: Option<Mark>,
}

impl<'t> Tags<'t> {
    /// No discriminator: a record on its own.
    pub const NONE: Tags<'static> = Tags { tag: None, outer: None, settled: true, inside: None };

    /// These and one more, to write.
    #[inline]
    pub fn with(&'t self, key: &'static str, value: &'static str) -> Tags<'t> {
        Tags { tag: Some((key, value)), outer: Some(self), settled: true, inside: None }
    }

    /// Steps into the object, unless the reader is there: whether its first member comes next.
    #[inline]
    pub fn enter(&self, reader: &mut Reader<'_>) -> Result<bool, Fault> {
        match self.inside {
            Some(_) => Ok(false),
            None => reader.open_object().map(|()| true),
        }
    }

    /// Whether `key` is a discriminator. If so its value is read, and must be the one that was dispatched on.
    #[inline]
    pub fn consume<'a>(&self, key: &str, reader: &mut Reader<'a>) -> Result<bool, Fault> {
        let mut tags = Some(self);
        while let Some(Tags { tag, outer, settled, .. }) = tags {
            if let Some((name, value)) = tag
                && *name == key
            {
                let start = reader.mark();
                let same = matches!(reader.string(), Ok(found) if found == *value);
                if !same {
                    if !settled {
                        return Err(Fault::Retag);
                    }
                    reader.reset(start);
                    reader.raw()?;
                }
                return Ok(true);
            }
            tags = *outer;
        }
        Ok(false)
    }

    /// Checks that the discriminators are the last ones under their names in the object here. A record finds
    /// that out by reading its members; an object that is kept whole has to look.
    pub fn verify(&self, reader: &Reader<'_>) -> Result<(), Fault> {
        let mut tags = Some(self);
        while let Some(Tags { tag, outer, settled, .. }) = tags {
            if let Some((name, value)) = tag
                && !settled
                && reader.find_tag(name, true)?.as_deref() != Some(value)
            {
                return Err(Fault::Retag);
            }
            tags = *outer;
        }
        Ok(())
    }

    /// Opens an object with its discriminators, outermost first.
    pub fn open(&self, out: &mut String) {
        match self.outer {
            Some(outer) => outer.open(out),
            None => out.push('{'),
        }
        if let Some((key, value)) = self.tag {
            if out.as_bytes().last() != Some(&b'{') {
                out.push(',');
            }
            for part in ["\"", key, "\":\"", value, "\""] {
                out.push_str(part);
            }
        }
    }
}

impl<'a> Json<'a> for bool {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.boolean()
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn shape() -> Shape {
        Shape::Bool
    }
}

/// A whole number written in plain digits, as counts and places are. Another way to write it (`1e2`, `1.0`)
/// does not fit, so that what is read is written back the same.
impl<'a> Json<'a> for u64 {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.number()?.parse().map_err(|_| Fault::Misfit("a whole number"))
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn shape() -> Shape {
        Shape::Whole
    }
}

impl<'a, T: Json<'a>> Json<'a> for Box<T> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        T::read(reader).map(Box::new)
    }

    fn write(&self, out: &mut String) {
        T::write(self, out);
    }

    fn shape() -> Shape {
        T::shape()
    }

    fn leftovers(&self, walk: &mut Walk<'_>) {
        T::leftovers(self, walk);
    }
}

impl<'a, T: Tagged<'a>> Tagged<'a> for Box<T> {
    #[inline]
    fn read_tagged(reader: &mut Reader<'a>, tags: &Tags<'_>) -> Result<Self, Fault> {
        T::read_tagged(reader, tags).map(Box::new)
    }

    fn write_tagged(&self, tags: &Tags<'_>, out: &mut String) {
        T::write_tagged(self, tags, out);
    }
}

impl<'a, T: Json<'a>> Json<'a> for Vec<T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.open_array()?;
        let mut items = Vec::new();
        while reader.next_item(items.is_empty())? {
            items.push(T::read(reader)?);
        }
        Ok(items)
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }

    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }

    fn leftovers(&self, walk: &mut Walk<'_>) {
        walk.enter("[]");
        for item in self {
            item.leftovers(walk);
        }
        walk.leave();
    }
}
