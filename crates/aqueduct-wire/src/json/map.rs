use super::{Fault, IntoOwned, Json, Reader, Str, Walk};
use crate::definition::Shape;

/// An object used as a map, in the order of the line. Where a name occurs twice the last one counts and
/// both are written back.
#[derive(Debug, Clone, PartialEq)]
pub struct Map<'a, T> {
    entries: Vec<(Str<'a>, T)>,
}

impl<'a, T> Map<'a, T> {
    /// The value under a name.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.entries.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, key: impl Into<Str<'a>>, value: T) {
        self.entries.push((key.into(), value));
    }

    /// The entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> Default for Map<'_, T> {
    fn default() -> Self {
        Map { entries: Vec::new() }
    }
}

impl<'a, T, K: Into<Str<'a>>> FromIterator<(K, T)> for Map<'a, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        Map { entries: entries.into_iter().map(|(key, value)| (key.into(), value)).collect() }
    }
}

impl<'a, T: Json<'a>> Json<'a> for Map<'a, T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        reader.open_object()?;
        let mut map = Map::default();
        let mut first = true;
        while let Some(key) = reader.next_key(first)? {
            first = false;
            map.entries.push((key, T::read(reader)?));
        }
        Ok(map)
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (index, (key, value)) in self.entries.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            key.write(out);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }

    fn shape() -> Shape {
        Shape::Map(Box::new(T::shape()))
    }

    fn leftovers(&self, walk: &mut Walk<'_>) {
        walk.enter("*");
        for (_, value) in &self.entries {
            value.leftovers(walk);
        }
        walk.leave();
    }
}

impl<T: IntoOwned> IntoOwned for Map<'_, T> {
    type Owned = Map<'static, T::Owned>;

    fn into_owned(self) -> Self::Owned {
        Map { entries: self.entries.into_iter().map(|(k, v)| (k.into_owned(), v.into_owned())).collect() }
    }
}
