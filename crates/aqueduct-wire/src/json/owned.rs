/// Cuts a value loose from the line it was read from.
pub trait IntoOwned {
    /// The same type without the borrow.
    type Owned: 'static;

    /// Copies what is borrowed; what is owned already is moved.
    fn into_owned(self) -> Self::Owned;
}

impl IntoOwned for bool {
    type Owned = bool;

    fn into_owned(self) -> bool {
        self
    }
}

impl IntoOwned for u64 {
    type Owned = u64;

    fn into_owned(self) -> u64 {
        self
    }
}

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}

impl<T: IntoOwned> IntoOwned for Box<T> {
    type Owned = Box<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        Box::new((*self).into_owned())
    }
}

impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        // `collect` reuses the memory, but is many times the code for each type of item.
        let mut items = Vec::with_capacity(self.len());
        for item in self {
            items.push(item.into_owned());
        }
        items
    }
}
