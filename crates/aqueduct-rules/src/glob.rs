//! Wildcards in one name of a path: `*`, `?` and characters in brackets.

use std::str::Chars;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GlobToken {
    Any,
    One,
    Char(char),
    /// Characters in brackets, and whether they are excluded.
    Class(Vec<(char, char)>, bool),
}

pub(crate) fn tokens(glob: &str) -> Vec<GlobToken> {
    let mut tokens = Vec::new();
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        let token = match c {
            '*' => GlobToken::Any,
            '?' => GlobToken::One,
            '\\' => GlobToken::Char(chars.next().unwrap_or('\\')),
            '[' => {
                let rest = chars.as_str();
                match class(rest) {
                    Some((token, length)) => {
                        chars = rest[length..].chars();
                        token
                    }
                    None => GlobToken::Char('['),
                }
            }
            other => GlobToken::Char(other),
        };
        if token != GlobToken::Any || tokens.last() != Some(&GlobToken::Any) {
            tokens.push(token);
        }
    }
    tokens
}

/// Reads a bracket class after its `[`; returns it with its length up to and including the `]`.
fn class(rest: &str) -> Option<(GlobToken, usize)> {
    let negated = rest.starts_with(['!', '^']);
    let start = usize::from(negated);
    let first = rest[start..].chars().next()?;
    let end = start + first.len_utf8() + rest[start + first.len_utf8()..].find(']')?;
    let inside: Vec<char> = rest[start..end].chars().collect();
    let mut ranges = Vec::new();
    let mut index = 0;
    while index < inside.len() {
        let is_range = index + 2 < inside.len() && inside[index + 1] == '-';
        let last = if is_range { inside[index + 2] } else { inside[index] };
        ranges.push((inside[index], last));
        index += if is_range { 3 } else { 1 };
    }
    Some((GlobToken::Class(ranges, negated), end + 1))
}

/// Matches one component. Only the last `*` is ever retried, which keeps this linear in their product.
pub(crate) fn matches_tokens(tokens: &[GlobToken], mut text: Chars<'_>) -> bool {
    let mut token = 0;
    let mut retry: Option<(usize, Chars<'_>)> = None;
    while let Some(c) = text.clone().next() {
        match tokens.get(token) {
            Some(GlobToken::Any) => {
                token += 1;
                retry = Some((token, text.clone()));
            }
            Some(other) if other.takes(c) => {
                token += 1;
                text.next();
            }
            _ => match &mut retry {
                Some((after, from)) => {
                    from.next();
                    token = *after;
                    text = from.clone();
                }
                None => return false,
            },
        }
    }
    tokens[token..].iter().all(|token| *token == GlobToken::Any)
}

/// Whether two globs have a text in common, by walking both at once.
pub(crate) fn intersect(left: &[GlobToken], right: &[GlobToken]) -> bool {
    let mut reached = vec![vec![false; right.len() + 1]; left.len() + 1];
    reached[0][0] = true;
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            if !reached[i][j] {
                continue;
            }
            let (a, b) = (left.get(i), right.get(j));
            if a == Some(&GlobToken::Any) {
                reached[i + 1][j] = true;
                if b.is_some() {
                    reached[i][j + 1] = true;
                }
            }
            if b == Some(&GlobToken::Any) {
                reached[i][j + 1] = true;
                if a.is_some() {
                    reached[i + 1][j] = true;
                }
            }
            if let (Some(a), Some(b)) = (a, b)
                && *a != GlobToken::Any
                && *b != GlobToken::Any
                && a.meets(b)
            {
                reached[i + 1][j + 1] = true;
            }
        }
    }
    reached[left.len()][right.len()]
}

impl GlobToken {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Char(own) => *own == c,
            Self::Class(ranges, negated) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }

    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Char(c), token) | (token, Self::Char(c)) => token.takes(*c),
            _ => true,
        }
    }
}
