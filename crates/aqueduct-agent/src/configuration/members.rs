use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in order, each as written in the text.
#[derive(Debug, Default)]
pub(crate) struct ObjectMembers<'t>(Vec<(String, &'t RawValue)>);

impl<'t> ObjectMembers<'t> {
    /// The members of the object in a text; none where it is something else.
    pub(crate) fn of(text: &'t str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The members in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'t RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The value under a name; of several the last.
    pub(crate) fn get(&self, name: &str) -> Option<&'t RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }
}

impl<'de: 't, 't> Deserialize<'de> for ObjectMembers<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = ObjectMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = ObjectMembers::default();
                while let Some(member) = map.next_entry()? {
                    members.0.push(member);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}
