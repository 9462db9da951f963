//! What a person types, as a query of the index.

use super::text;

/// The most words of a query. Further ones are ignored.
const WORDS: usize = 32;

/// A beginning has at least this many characters. Too much begins with fewer: that would be all words of the
/// index, put together in memory.
const BEGINNING: usize = 3;

/// The query for an input: every word has to be there, in any order; words in quotation marks have to follow
/// each other, and one that ends with `*` is the beginning of any. `None` if it has no word.
///
/// All of the input ends up inside the index's own quotation marks, so nothing in it is syntax. Without a word
/// between them, terms that the index finds no word in don't count; with `AND` nothing would be found.
pub(super) fn query(input: &str) -> Option<String> {
    let mut terms = terms(input);
    terms.retain(|term| term.words.contains(char::is_alphanumeric));
    terms.truncate(WORDS);
    let terms: Vec<String> = terms.iter().map(Term::write).collect();
    (!terms.is_empty()).then(|| format!("{{body}} : ({})", terms.join(" ")))
}

struct Term<'a> {
    words: &'a str,
    is_beginning: bool,
}

fn terms(input: &str) -> Vec<Term<'_>> {
    let mut terms = Vec::new();
    // Every second part is between quotation marks. The last one may lack its end.
    for (number, part) in input.split(['"', '“', '”', '„']).enumerate() {
        if number % 2 == 1 {
            terms.push(Term { words: part, is_beginning: false });
        } else {
            let words = part.split_whitespace();
            terms.extend(words.map(|words| Term { words, is_beginning: words.ends_with('*') }));
        }
    }
    terms
}

impl Term<'_> {
    fn write(&self) -> String {
        let mut out = String::from('"');
        for char in self.words.chars() {
            text::push(&mut out, char);
        }
        out.push_str(if self.is_beginning && self.last_word() >= BEGINNING { "\"*" } else { "\"" });
        out
    }

    /// How many characters the last word of the term has.
    fn last_word(&self) -> usize {
        let end = self.words.trim_end_matches(|char: char| !char.is_alphanumeric());
        end.chars().rev().take_while(|char| char.is_alphanumeric()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn words_are_quoted_and_may_be_beginnings() {
        for (input, expected) in [
            ("two wor", r#"("two" "wor")"#),
            ("two* wor*", r#"("two*"* "wor*"*)"#),
            ("wo* src/r*", r#"("wo*" "src/r*")"#),
            (r#"say "as it is*" now"#, r#"("say" "as it is*" "now")"#),
            (r#"end "in a phrase"#, r#"("end" "in a phrase")"#),
        ] {
            assert_eq!(query(input).unwrap(), format!("{{body}} : {expected}"));
        }
    }

    #[test]
    fn without_a_word_the_query_is_empty() {
        for input in ["", "  ", "\"\"", "* - \"!?\" ()"] {
            assert_eq!(query(input), None, "{input}");
        }
    }
}
