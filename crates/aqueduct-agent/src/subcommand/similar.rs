//! Names that look like another one.

/// How different a name may be.
const MOST: usize = 3;

/// A question after what was meant, if a name looks like one that is known.
pub(super) fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    match similar(name, known)[..] {
        [] => None,
        [one] => Some(format!("(Did you mean {one}?)")),
        ref several => Some(format!("(Did you mean one of {}?)", several.join(", "))),
    }
}

/// The known names that are nearest to a name, in the order of the alphabet; none, where no one is near.
pub(super) fn similar<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let (mut nearest, mut least) = (Vec::new(), MOST);
    for candidate in known.into_iter().filter(|candidate| candidate.len() > 1) {
        let apart = distance(name, candidate);
        let length = name.chars().count().max(candidate.chars().count());
        // At least two letters in five must be the same.
        if (length.saturating_sub(apart)) * 5 <= length * 2 || apart > least {
            continue;
        }
        if apart < least {
            nearest.clear();
            least = apart;
        }
        nearest.push(candidate);
    }
    nearest.sort_unstable();
    nearest
}

/// How many letters must be added, removed, replaced or exchanged with their neighbours to make one text of the other.
pub(super) fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > MOST {
        return one.len().max(other.len());
    }
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (row, cells) in table.iter_mut().enumerate() {
        cells[0] = row;
    }
    table[0] = (0..=other.len()).collect();
    for row in 1..=one.len() {
        for column in 1..=other.len() {
            let cost = usize::from(one[row - 1] != other[column - 1]);
            let mut least = (table[row - 1][column] + 1)
                .min(table[row][column - 1] + 1)
                .min(table[row - 1][column - 1] + cost);
            let is_exchanged = row > 1
                && column > 1
                && one[row - 1] == other[column - 2]
                && one[row - 2] == other[column - 1];
            if is_exchanged {
                least = least.min(table[row - 2][column - 2] + 1);
            }
            table[row][column] = least;
        }
    }
    table[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, distance};

    #[test]
    fn near_names_are_suggested() {
        let mcp = ["add", "add-json", "get", "list", "login", "logout", "remove"];
        assert_eq!(did_you_mean("lis", mcp).as_deref(), Some("(Did you mean list?)"));
        assert_eq!(did_you_mean("ad", mcp).as_deref(), Some("(Did you mean add?)"));
        assert_eq!(did_you_mean("frobnicate", mcp), None);
        assert_eq!((distance("mpc", "mcp"), distance("docter", "doctor"), distance("", "abc")), (1, 1, 3));
    }
}
