use super::{IntoOwned, Json, LeftoverKind, Raw, Str, Walk};

/// What an object holds besides its typed members: members without a type, members whose value has
/// another shape than their type, and which of the typed ones were an explicit `null`.
///
/// This is what makes every record lossless. A member that occurs in the object twice counts as its last
/// value; of unknown ones all are kept and written back in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extra<'a> {
    nulls: u64,
    members: Vec<(Str<'a>, Raw<'a>)>,
}

impl<'a> Extra<'a> {
    /// None but these `null`s, a bit for each typed member.
    pub const fn with_nulls(nulls: u64) -> Self {
        Extra { nulls, members: Vec::new() }
    }

    /// The value of a member that has no typed place.
    pub fn get(&self, key: &str) -> Option<&Raw<'a>> {
        self.members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Adds a member; one that is there already under this name counts no more.
    pub fn push(&mut self, key: impl Into<Str<'a>>, value: Raw<'a>) {
        self.members.push((key.into(), value));
    }

    /// The members in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Raw<'a>)> {
        self.members.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether the object has typed members only.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Notes that the typed member at `index` was `null`. Only the first 64 have a bit.
    #[inline]
    pub fn note_null(&mut self, index: usize, key: Str<'a>) {
        if index < 64 {
            self.nulls |= 1 << index;
        } else {
            self.members.push((key, Raw::NULL));
        }
    }

    /// Whether the typed member at `index` was `null`.
    #[inline]
    pub fn was_null(&self, index: usize) -> bool {
        index < 64 && self.nulls >> index & 1 == 1
    }

    /// Whether the member of this name was `null`; `keys` are the names of the typed members.
    pub fn is_null(&self, keys: &[&str], key: &str) -> bool {
        let is_noted = keys.iter().position(|name| *name == key).is_some_and(|index| self.was_null(index));
        is_noted || self.get(key).is_some_and(|value| value.as_str() == "null")
    }

    /// Writes the members, except those that the record has written itself: the `essential` ones, and those of
    /// `keys` with their bit set in `written`.
    pub(crate) fn write(&self, out: &mut String, essential: &[&str], keys: &[&str], written: u128) {
        for (key, value) in &self.members {
            let is_typed =
                keys.iter().enumerate().any(|(index, name)| written >> index & 1 == 1 && key == name);
            if is_typed || essential.iter().any(|name| key == name) {
                continue;
            }
            if out.as_bytes().last() != Some(&b'{') {
                out.push(',');
            }
            key.write(out);
            out.push(':');
            value.write(out);
        }
    }

    /// Visits the members. Those of `keys` have a field of another shape; for them an explicit `null` is nothing
    /// to report.
    pub fn leftovers(&self, keys: &[&str], walk: &mut Walk<'_>) {
        for (key, value) in self.iter() {
            if !keys.contains(&key) {
                walk.found(LeftoverKind::Field(key), value.as_str());
            } else if value.as_str() != "null" {
                walk.found(LeftoverKind::Shape(key), value.as_str());
            }
        }
    }
}

impl IntoOwned for Extra<'_> {
    type Owned = Extra<'static>;

    fn into_owned(self) -> Extra<'static> {
        let members = self.members.into_iter().map(|(k, v)| (k.into_owned(), v.into_owned())).collect();
        Extra { nulls: self.nulls, members }
    }
}
