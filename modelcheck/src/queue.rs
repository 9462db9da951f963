/// A first-in, first-out queue of bounded length: a pipe, a socket or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Queue<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> Default for Queue<T, N> {
    fn default() -> Self {
        Queue([None; N])
    }
}

impl<T: Copy, const N: usize> Queue<T, N> {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0.first().is_none_or(Option::is_none)
    }

    /// The oldest item.
    pub fn first(&self) -> Option<T> {
        self.0.first().copied().flatten()
    }

    /// Whether this item is in it.
    pub fn contains(&self, item: T) -> bool
    where
        T: PartialEq,
    {
        self.0.contains(&Some(item))
    }

    /// Removes the oldest item.
    pub fn pop(&mut self) -> Option<T> {
        let first = self.first()?;
        self.0.rotate_left(1);
        self.0[N - 1] = None;
        Some(first)
    }

    /// Adds an item.
    ///
    /// # Panics
    /// If the queue is full: the model does not lose messages silently.
    pub fn push(&mut self, item: T) {
        let free = self.0.iter().position(Option::is_none);
        let Some(free) = free else { panic!("a queue of {N} is too short for this model") };
        self.0[free] = Some(item);
    }
}
