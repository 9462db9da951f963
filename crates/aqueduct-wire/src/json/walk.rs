use super::Json;

/// Visits what was kept without a type, with the path that leads there.
pub struct Walk<'w> {
    path: Vec<&'static str>,
    visit: &'w mut dyn FnMut(Leftover<'_>),
}

/// Something that was kept without a type.
#[derive(Debug, Clone, Copy)]
pub struct Leftover<'a> {
    /// The way from the frame, as member names; `[]` is an item of an array, `*` any member of a map.
    pub path: &'a [&'static str],
    /// Which kind of leftover it is.
    pub kind: LeftoverKind<'a>,
    /// The value as it came.
    pub value: &'a str,
}

/// In which way something was not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftoverKind<'a> {
    /// A member that has no field.
    Field(&'a str),
    /// A member that has a field of another shape.
    Shape(&'a str),
    /// An object of a family whose discriminator has an unknown value.
    Tag {
        /// The family, such as `ContentBlock`.
        family: &'static str,
        /// The discriminator's value; `None` where it is missing.
        tag: Option<&'a str>,
    },
    /// An object of a known kind that lacks what makes it one.
    Misfit {
        /// The family, such as `ContentBlock`.
        family: &'static str,
        /// The discriminator's value.
        tag: &'a str,
        /// The member that is missing or has another shape.
        wanted: &'static str,
    },
    /// A name that is not in the list of known ones, such as a new permission mode.
    Name {
        /// The list, such as `PermissionMode`.
        family: &'static str,
    },
}

impl<'w> Walk<'w> {
    /// A walk from the frame down.
    pub fn new(visit: &'w mut dyn FnMut(Leftover<'_>)) -> Self {
        Walk { path: Vec::new(), visit }
    }

    /// Goes below a member. [`Walk::leave`] comes back from it.
    pub fn enter(&mut self, name: &'static str) {
        self.path.push(name);
    }

    /// Comes back from the member that was entered last.
    pub fn leave(&mut self) {
        self.path.pop();
    }

    /// Visits the value of a member.
    #[inline(never)]
    pub fn member<'a, T: Json<'a>>(&mut self, name: &'static str, value: &T) {
        self.enter(name);
        value.leftovers(self);
        self.leave();
    }

    /// Reports a leftover at this place.
    pub fn found(&mut self, kind: LeftoverKind<'_>, value: &str) {
        (self.visit)(Leftover { path: &self.path, kind, value });
    }
}
