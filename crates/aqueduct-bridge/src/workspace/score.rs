//! How well a path matches the typed query, letter by letter.

/// Letters of a query that count. Users type fewer.
const LETTERS: usize = 128;

/// Characters of a path that are looked at.
const CHARACTERS: usize = 1024;

/// What a letter is worth that is found.
const FOUND: i32 = 16;
/// What it is worth besides that it follows the one before at once.
const NEXT: i32 = 12;
/// What it is worth besides that a folder's or the file's name begins with it,
const NAME_START: i32 = 14;
/// or another word.
const WORD_START: i32 = 12;
/// What it is worth besides that it is in the last name and not in a folder's.
const LAST_NAME: i32 = 6;
/// The extra score of an upper-case letter in the query that is upper-case in the path.
const LARGE: i32 = 2;
/// What it costs to pass over characters between two letters,
const GAP: i32 = 4;
/// and each further character of them.
const GAP_MORE: i32 = 1;

/// No way leads here.
const NEVER: i32 = i32::MIN / 2;

/// Scores paths against one query. Letters must all be found, in order; large and small ones are the same.
#[derive(Debug)]
pub(super) struct Scorer {
    letters: Vec<char>,
    folded: Vec<char>,
    /// The path that is being scored.
    path: Vec<Character>,
    /// The best score with the last letter at each character, for the letter before and for this one.
    before: Vec<i32>,
    now: Vec<i32>,
}

/// A character of a path.
#[derive(Debug, Clone, Copy)]
struct Character {
    char: char,
    folded: char,
    /// What it is worth to find a letter here, for its place alone.
    worth: i32,
}

impl Character {
    /// What it is worth more because of how the letter is written.
    fn bonus(self, letter: char) -> i32 {
        if self.char == letter && letter.is_uppercase() { LARGE } else { 0 }
    }
}

impl Scorer {
    /// For a query. Blanks in it don't count.
    pub(super) fn new(query: &str) -> Self {
        let query = query.trim_start_matches("./");
        let letters: Vec<char> = query.chars().filter(|char| !char.is_whitespace()).take(LETTERS).collect();
        let folded = letters.iter().map(|&char| fold(char)).collect();
        Scorer { letters, folded, path: Vec::new(), before: Vec::new(), now: Vec::new() }
    }

    /// Whether there is nothing to look for: everything fits then.
    pub(super) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// How well a path fits; `None` if it does not.
    pub(super) fn score(&mut self, path: &str) -> Option<i32> {
        self.look_at(path)?;
        self.fill(|_, _, _| {});
        self.before.iter().copied().max().filter(|&best| best > NEVER)
    }

    /// Where the letters are found for the best score, as numbers of characters.
    pub(super) fn positions(&mut self, path: &str) -> Option<Vec<u64>> {
        self.look_at(path)?;
        let width = self.path.len();
        let mut origins = vec![0; width * self.letters.len()];
        self.fill(|letter, at, origin| origins[letter * width + at] = origin);
        let best = self.before.iter().copied().max()?;
        // Of several the last: it is in the last name more likely.
        let mut at = self.before.iter().rposition(|&score| score == best)?;
        let mut positions = vec![at as u64];
        for letter in (1..self.letters.len()).rev() {
            at = origins[letter * width + at];
            positions.push(at as u64);
        }
        positions.reverse();
        Some(positions)
    }

    /// Takes a path apart, if it has all letters in order.
    fn look_at(&mut self, path: &str) -> Option<()> {
        let mut wanted = self.folded.iter().peekable();
        self.path.clear();
        let last_name = path.rfind('/').map_or(0, |slash| slash + 1);
        let mut previous = '/';
        for (offset, char) in path.char_indices().take(CHARACTERS) {
            let folded = fold(char);
            wanted.next_if_eq(&&folded);
            let start = match previous {
                '/' => NAME_START,
                '_' | '-' | '.' | ' ' => WORD_START,
                _ if char.is_uppercase() && previous.is_lowercase() => WORD_START,
                _ if char.is_ascii_digit() && !previous.is_ascii_digit() => WORD_START,
                _ => 0,
            };
            let worth = FOUND + start + if offset >= last_name { LAST_NAME } else { 0 };
            self.path.push(Character { char, folded, worth });
            previous = char;
        }
        (wanted.peek().is_none() && !self.letters.is_empty()).then_some(())
    }

    /// Finds the best score for each letter at each character; the last letter's are in `before` in the end. `note`
    /// records from which character the best path comes: letter, character, origin.
    fn fill(&mut self, mut note: impl FnMut(usize, usize, usize)) {
        let width = self.path.len();
        self.before.clear();
        self.before.resize(width, NEVER);
        self.now.resize(width, NEVER);
        for (number, (&letter, &folded)) in self.letters.iter().zip(&self.folded).enumerate() {
            // The best way that leads over a gap up to here, and where that comes from.
            let (mut over_gap, mut origin) = (NEVER, 0);
            for (at, character) in self.path.iter().enumerate() {
                if number > 0 && at >= 2 {
                    over_gap -= GAP_MORE;
                    let fresh = self.before[at - 2].saturating_sub(GAP);
                    if fresh >= over_gap {
                        (over_gap, origin) = (fresh, at - 2);
                    }
                }
                self.now[at] = NEVER;
                if character.folded != folded {
                    continue;
                }
                let worth = character.worth + character.bonus(letter);
                if number == 0 {
                    self.now[at] = worth;
                    continue;
                }
                let next = if at > 0 { self.before[at - 1] + NEXT } else { NEVER };
                let (best, from) =
                    if next >= over_gap { (next, at.saturating_sub(1)) } else { (over_gap, origin) };
                // What can't be reached stays so.
                if best > NEVER / 2 {
                    self.now[at] = best + worth;
                    note(number, at, from);
                }
            }
            std::mem::swap(&mut self.before, &mut self.now);
        }
    }
}

/// A letter without regard to case.
fn fold(char: char) -> char {
    match char.is_ascii() {
        true => char.to_ascii_lowercase(),
        false => char.to_lowercase().next().unwrap_or(char),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The best of the paths for a query comes first.
    fn ranked<'p>(query: &str, paths: &[&'p str]) -> Vec<&'p str> {
        let mut scorer = Scorer::new(query);
        let mut found: Vec<(i32, &str)> =
            paths.iter().filter_map(|path| Some((-scorer.score(path)?, *path))).collect();
        found.sort_by_key(|(score, path)| (*score, path.len()));
        found.into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn what_people_mean_comes_first() {
        assert_eq!(ranked("main", &["domain/a.rs", "src/main.rs", "m/a/i/n.rs"])[0], "src/main.rs");
        assert_eq!(ranked("test", &["test/foo.rs", "src/test.rs"])[0], "src/test.rs");
        assert_eq!(ranked("sb", &["absb.txt", "src/session_builder.rs"])[0], "src/session_builder.rs");
        assert_eq!(ranked("FB", &["src/fooBar.ts", "src/fob.ts"])[0], "src/fooBar.ts");
        assert_eq!(ranked("src/lib", &["src/lib.rs", "src/log/index/b.rs"])[0], "src/lib.rs");
        assert_eq!(ranked("readme", &["docs/old/readme-template.txt", "README.md"])[0], "README.md");
        assert_eq!(ranked("x", &["src/lib.rs"]), Vec::<&str>::new());
    }

    #[test]
    fn blanks_and_cases_do_not_matter() {
        assert_eq!(ranked("ses build", &["src/Session_Builder.rs"]).len(), 1);
        assert_eq!(Scorer::new("äÖ").positions("src/Äxö.txt"), Some(vec![4, 6]));
        assert!(Scorer::new(" \t").is_empty());
    }

    #[test]
    fn a_path_without_end_is_scored_up_to_a_limit() {
        let path = "a/".repeat(100_000);
        assert!(Scorer::new("aaa").score(&path).is_some());
        assert_eq!(Scorer::new(&"a".repeat(100_000)).positions(&path).unwrap().len(), LETTERS);
    }

    /// What positions are worth, counted without any cleverness.
    fn worth(query: &Scorer, positions: &[usize]) -> i32 {
        let mut sum = 0;
        for (letter, &at) in positions.iter().enumerate() {
            let character = query.path[at];
            sum += character.worth + character.bonus(query.letters[letter]);
            if letter > 0 {
                let gap = (at - positions[letter - 1] - 1) as i32;
                sum += if gap == 0 { NEXT } else { -GAP - GAP_MORE * (gap - 1) };
            }
        }
        sum
    }

    /// All ways to find the letters in a path.
    fn ways(query: &Scorer, letter: usize, from: usize) -> Vec<Vec<usize>> {
        let Some(&wanted) = query.folded.get(letter) else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for at in from..query.path.len() {
            if query.path[at].folded == wanted {
                for mut rest in ways(query, letter + 1, at + 1) {
                    rest.insert(0, at);
                    all.push(rest);
                }
            }
        }
        all
    }

    proptest! {
        #[test]
        fn the_score_is_that_of_the_best_way(query in "[abA/]{1,4}", path in "[abA/._]{0,12}") {
            let mut scorer = Scorer::new(&query);
            let score = scorer.score(&path);
            let positions = scorer.positions(&path);
            let all = match scorer.look_at(&path) {
                Some(()) => ways(&scorer, 0, 0),
                None => Vec::new(),
            };
            prop_assert_eq!(score, all.iter().map(|way| worth(&scorer, way)).max());
            let reported = positions.map(|all| all.into_iter().map(|at| at as usize).collect::<Vec<_>>());
            prop_assert_eq!(reported.map(|way| worth(&scorer, &way)), score);
        }

        #[test]
        fn positions_spell_the_query(query in "\\PC{0,8}", path in "\\PC{0,40}") {
            let mut scorer = Scorer::new(&query);
            let score = scorer.score(&path);
            let positions = scorer.positions(&path);
            prop_assert_eq!(score.is_some(), positions.is_some());
            if let Some(positions) = positions {
                prop_assert!(positions.is_sorted_by(|a, b| a < b));
                let chars: Vec<char> = path.chars().collect();
                let spelled: Vec<char> = positions.iter().map(|&at| fold(chars[at as usize])).collect();
                prop_assert_eq!(spelled, scorer.folded);
            }
        }

        #[test]
        fn what_contains_the_query_is_found(before in "[a-z/]{0,9}", query in "[a-z]{1,9}", after in "[a-z./]{0,9}") {
            let path = format!("{before}{query}{after}");
            prop_assert!(Scorer::new(&query).score(&path).is_some());
        }
    }
}
