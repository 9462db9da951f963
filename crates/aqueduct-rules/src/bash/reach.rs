//! Files that commands may reach although they don't name them: by wildcards, in whole folders, through what was
//! moved.

use super::access::{Access, Use};
use super::{Shell, writing, written};
use crate::behavior::Behavior;
use crate::{file, path};

impl Shell<'_> {
    /// A command that may turn out to touch a file which a rule forbids.
    pub(super) fn perhaps_forbidden_file(&self, behavior: Behavior) -> Option<String> {
        if !self.context.rule_set().has_file_rules(behavior) {
            return None;
        }
        if self.look.unseen {
            return Some(self.look.seen.first().map(written).unwrap_or_default());
        }
        if let Some(matched) = self.follows_a_move() {
            return Some(matched);
        }
        for (seen, accesses) in self.commands() {
            let lost = self.look.lost && !accesses.is_empty();
            let doubtful = |access: &&Access| {
                let unknown = access.path.is_none() && access.how != Use::Name;
                let wild = access.glob
                    && access.path.as_deref().is_some_and(|path| {
                        file::rule(self.context, self.call, behavior, path, true, access.how.edits())
                            .is_some()
                    });
                // A program of which nothing is known may write the file it is told about.
                let written = access.how == Use::Name
                    && access.path.as_deref().is_some_and(|path| {
                        file::rule(self.context, self.call, behavior, path, access.glob, true).is_some()
                    });
                lost || unknown
                    || wild
                    || written
                    || access.glob && access.climbs
                    || self.sweeps(behavior, access)
            };
            let fed = match seen.program() {
                "xargs" | "parallel" => true,
                "find" | "fd" | "fdfind" => writing::exceeds_rules(seen.program(), &seen.values()).is_some(),
                _ => false,
            };
            let hides = writing::hides_files(seen.program(), &seen.values());
            // Whoever moves or links a whole working directory takes what is in it along.
            let carries = matches!(seen.program(), "mv" | "ln" | "cp")
                && accesses.iter().filter_map(|access| access.path.as_deref()).any(|path| {
                    self.context.working().iter().any(|directory| path::is_within(directory, path))
                });
            if fed || hides || carries || accesses.iter().any(|access| doubtful(&access)) {
                return Some(written(seen));
            }
        }
        None
    }

    /// Whether a folder that is read with all that is in it may hold a file that a rule is about.
    fn sweeps(&self, behavior: Behavior, access: &Access) -> bool {
        let below = match access.how {
            Use::Search => "**",
            Use::Glance => "**/*",
            _ => return false,
        };
        let Some(path) = access.path.as_deref() else { return true };
        self.call.places(path).any(|place| {
            let all = format!("{}/{below}", place.trim_end_matches('/'));
            file::rule(self.context, self.call, behavior, &all, true, false).is_some()
        })
    }

    /// A path below one that the text itself has moved or linked: what is there is not what was there.
    pub(super) fn follows_a_move(&self) -> Option<String> {
        const MOST: usize = 64;
        let mut moved: Vec<(usize, bool, &str)> = Vec::new();
        for (at, (seen, accesses)) in self.commands().enumerate() {
            if matches!(seen.program(), "mv" | "cp" | "ln" | "rsync" | "install") {
                let edits = accesses.iter().filter(|access| access.how.edits());
                moved.extend(edits.filter_map(|access| Some((at, seen.top, access.path.as_deref()?))));
            }
            if moved.len() > MOST {
                return Some(written(seen));
            }
        }
        for (at, (seen, accesses)) in self.commands().enumerate().filter(|_| !moved.is_empty()) {
            // Commands inside others are not found in the order in which they run.
            let is_below = |path: &str| {
                moved.iter().any(|(mover, top, place)| {
                    let before = *mover < at || *mover != at && !(*top && seen.top);
                    before && path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
                })
            };
            if accesses.iter().filter_map(|access| access.path.as_deref()).any(is_below) {
                return Some(written(seen));
            }
        }
        None
    }
}
