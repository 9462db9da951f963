use std::collections::HashSet;

use super::{Item, ItemContent, Run};

/// Everything in a run, in the order in which a person would read it: see [`Run::walk`].
#[derive(Debug)]
pub struct ItemWalk<'r> {
    run: &'r Run,
    /// What is left to read, the innermost thread last.
    open: Vec<std::slice::Iter<'r, Item>>,
    /// The threads that have been entered. A stream could contain a call that is its own parent.
    entered: HashSet<&'r str>,
}

/// One item of a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NestedItem<'r> {
    /// How many subagents deep it is: 0 is the main conversation.
    pub depth: usize,
    /// The item.
    pub item: &'r Item,
}

impl<'r> ItemWalk<'r> {
    pub(super) fn new(run: &'r Run) -> Self {
        ItemWalk { run, open: vec![run.main().items().iter()], entered: HashSet::new() }
    }
}

impl<'r> Iterator for ItemWalk<'r> {
    type Item = NestedItem<'r>;

    fn next(&mut self) -> Option<NestedItem<'r>> {
        loop {
            let depth = self.open.len().checked_sub(1)?;
            let Some(item) = self.open[depth].next() else {
                self.open.pop();
                continue;
            };
            if let ItemContent::Call(id) = item.content()
                && let Some(thread) = self.run.subagent(id)
                && self.entered.insert(id)
            {
                self.open.push(thread.items().iter());
            }
            return Some(NestedItem { depth, item });
        }
    }
}
