use aqueduct_wire::json::{Json, Map, Raw, Str};

use aqueduct_wire::json::read;

/// A JSON object of a server, looked at member by member: servers leave out, add and misspell what they like,
/// and strings may hold what only half a program would write.
#[derive(Debug, Default)]
pub(crate) struct Object<'a>(Map<'a, Raw<'a>>);

impl<'a> Object<'a> {
    /// The object in a text; an empty one where it is something else.
    pub(crate) fn of(raw: &'a Raw<'_>) -> Self {
        read(raw.as_str()).map(Object).unwrap_or_default()
    }

    /// The value under a name, but for `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&Raw<'a>> {
        self.0.get(name).filter(|value| value.as_str() != "null")
    }

    /// The value under a name, cut loose.
    pub(crate) fn take(&self, name: &str) -> Option<Raw<'static>> {
        self.get(name).map(|value| value.clone().into_owned())
    }

    /// The text under a name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.as_type::<Str<'_>>(name).map(|text| text.to_string())
    }

    /// Whether a flag is set.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.as_type::<bool>(name)
    }

    /// The object under a name; an empty one where there is none.
    pub(crate) fn object(&self, name: &str) -> Object<'_> {
        self.get(name).map(Object::of).unwrap_or_default()
    }

    /// The list under a name; an empty one where there is none.
    pub(crate) fn list(&self, name: &str) -> Vec<Raw<'_>> {
        self.as_type::<Vec<Raw<'_>>>(name).unwrap_or_default()
    }

    /// The names of the members, in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name)
    }

    fn as_type<'s, T: Json<'s>>(&'s self, name: &str) -> Option<T> {
        self.get(name).and_then(|value| read(value.as_str()))
    }
}
