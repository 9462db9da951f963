//! Files that commands may reach although they don't name them: by wildcards, in whole folders, through what was
//! moved.

use super::access::{AccessKind, PathAccess};
use super::look::{CommandAnalysis, FoundCommand};
use super::{Shell, writing, written};
use crate::behavior::Behavior;
use crate::{file, path, place};

/// What is asked about the links below a folder.
pub(super) fn links_below(folder: &str) -> String {
    format!("{}/**", folder.trim_end_matches('/'))
}

/// What is asked about the names that a command lists, which another one takes for files.
pub(super) fn listed(
    look: &CommandAnalysis<'_>,
    lists: &FoundCommand<'_>,
    home: Option<&str>,
) -> Vec<String> {
    let accesses = look.touched_by(lists, home);
    let named =
        accesses.into_iter().filter(|access| access.how != AccessKind::Name).filter_map(|access| access.path);
    let named: Vec<String> = named.collect();
    let folders = if named.is_empty() { &look.places } else { &named };
    folders.iter().map(|folder| format!("{}/**/*", folder.trim_end_matches('/'))).collect()
}

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
            let is_uncertain = |access: &&PathAccess| {
                let unknown = access.path.is_none() && access.how != AccessKind::Name;
                let wild = access.glob
                    && access.path.as_deref().is_some_and(|path| {
                        file::rule(self.context, self.call, behavior, path, true, access.how.edits())
                            .is_some()
                    });
                // An unknown program may write the file that it is given.
                let written = access.how == AccessKind::Name
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
                "find" | "fd" | "fdfind" => {
                    writing::exceeds_rules(seen.program(), &seen.values(), 0, &|_| false).is_some()
                }
                _ => false,
            };
            let hides = writing::hides_files(seen.program(), &seen.values());
            // Moving or linking a whole working directory includes its contents.
            let carries = matches!(seen.program(), "mv" | "ln" | "cp")
                && accesses.iter().filter_map(|access| access.path.as_deref()).any(|path| {
                    self.context.working().iter().any(|directory| path::is_within(directory, path))
                });
            if fed || hides || carries || accesses.iter().any(|access| is_uncertain(&access)) {
                return Some(written(seen));
            }
        }
        None
    }

    /// Whether a folder that is read with all that is in it may hold a file that a rule is about.
    fn sweeps(&self, behavior: Behavior, access: &PathAccess) -> bool {
        let below = match access.how {
            AccessKind::Search => "**",
            AccessKind::Glance => "**/*",
            AccessKind::Compare if self.may_be_folder(access) => "**",
            _ => return false,
        };
        let Some(path) = access.path.as_deref() else { return true };
        if access.follows && self.links_reach(behavior, path) {
            return true;
        }
        self.call.places(path).any(|place| {
            let all = format!("{}/{below}", place.trim_end_matches('/'));
            file::rule(self.context, self.call, behavior, &all, true, false).is_some()
        })
    }

    /// Whether an operand may be a folder, or may have become one by what was moved or linked before.
    fn may_be_folder(&self, access: &PathAccess) -> bool {
        let Some(path) = access.path.as_deref() else { return true };
        self.call.may_be_folder(path) || access.glob || self.made.contains(path)
    }

    /// Whether a link below a folder may lead to a file that a rule is about.
    fn links_reach(&self, behavior: Behavior, folder: &str) -> bool {
        let below = links_below(folder);
        !self.call.knows(&below)
            || self.call.places(&below).skip(1).any(|place| {
                let all = format!("{}/**", place.trim_end_matches('/'));
                let rule =
                    |path: &str, glob| file::rule(self.context, self.call, behavior, path, glob, false);
                rule(place, false).is_some() || rule(&all, true).is_some()
            })
    }

    /// Whether what a command shows may be behind a link that leads out of the working directories.
    pub(super) fn may_leave(&self, access: &PathAccess) -> bool {
        let goes_through = match access.how {
            AccessKind::Compare => self.may_be_folder(access),
            AccessKind::Search | AccessKind::Glance => true,
            _ => false,
        };
        let inside = |path: &str| {
            let below = links_below(path);
            self.call.knows(&below) && file::is_working(self.context, self.call, &below)
        };
        access.follows && goes_through && !access.path.as_deref().is_some_and(inside)
    }

    /// Whether a word, or a part of it that may be a path, names one outside the working directories or in a
    /// protected place.
    pub(super) fn leaves(&self, word: &str) -> bool {
        if word.contains("://") {
            return false;
        }
        let parts = word.split(['=', ':', ',', '@']).chain([word]).filter(|part| *part != "/dev/null");
        if parts.clone().any(|part| place::names_trusted(part).is_some()) {
            return true;
        }
        let is_path = |part: &&str| part.starts_with(['/', '~']) || part.split('/').any(|name| name == "..");
        parts.filter(is_path).any(|part| {
            self.look.places.iter().any(|cwd| {
                path::absolute(part, cwd, self.context.home())
                    .is_none_or(|path| !file::is_working(self.context, self.call, &path))
            })
        })
    }

    /// Whether every name that a command lists leads into the working directories, as the host has found out.
    pub(super) fn names_lead_inside(&self, lists: &FoundCommand<'_>) -> bool {
        listed(self.look, lists, self.context.home()).iter().all(|names| {
            self.call.knows(names)
                && file::is_working(self.context, self.call, names)
                && self.call.places(names).all(|place| self.context.credential(place).is_none())
        })
    }

    /// Whether credentials may be among the files of a folder that is read with all that is in it.
    pub(super) fn sweeps_credentials(&self, access: &PathAccess) -> bool {
        let hidden = match access.how {
            AccessKind::Search => true,
            AccessKind::Compare if self.may_be_folder(access) => true,
            AccessKind::Glance => false,
            _ => return false,
        };
        let path = access.path.as_deref();
        path.is_some_and(|path| {
            self.call.places(path).any(|place| self.context.may_hold_credentials(place, hidden))
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
