//! What a person types, as a query of the index.

use super::text;

/// More words than anybody types. Further ones are not looked for.
const WORDS: usize = 32;

/// The query for an input: every word has to be there, in any order; words in quotation marks have to follow
/// each other. The last word may be the beginning of one, and so may each that ends with `*`. `None` if
/// there is no word in it.
///
/// All of the input ends up inside the index's own quotation marks, so nothing in it is syntax. Without a word
/// between them, terms that the index finds no word in don't count; with `AND` nothing would be found.
pub(super) fn query(input: &str) -> Option<String> {
    let mut terms = terms(input);
    terms.retain(|term| term.words.contains(char::is_alphanumeric));
    terms.truncate(WORDS);
    if let Some(last) = terms.last_mut() {
        last.is_prefix |= !last.is_quoted;
    }
    let terms: Vec<String> = terms.iter().map(Term::write).collect();
    (!terms.is_empty()).then(|| format!("{{body}} : ({})", terms.join(" ")))
}

struct Term<'a> {
    words: &'a str,
    is_quoted: bool,
    is_prefix: bool,
}

fn terms(input: &str) -> Vec<Term<'_>> {
    let mut terms = Vec::new();
    // Every second part stands between quotation marks. The last one may lack its end.
    for (number, part) in input.split(['"', '“', '”', '„']).enumerate() {
        if number % 2 == 1 {
            terms.push(Term { words: part, is_quoted: true, is_prefix: false });
        } else {
            let words = part.split_whitespace();
            terms.extend(words.map(|words| Term {
                words,
                is_quoted: false,
                is_prefix: words.ends_with('*'),
            }));
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
        out.push_str(if self.is_prefix { "\"*" } else { "\"" });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn words_are_quoted_and_the_last_is_a_beginning() {
        assert_eq!(query("two wor").unwrap(), r#"{body} : ("two" "wor"*)"#);
        assert_eq!(
            query(r#"say "as it is" now* on"#).unwrap(),
            r#"{body} : ("say" "as it is" "now*"* "on"*)"#
        );
        assert_eq!(query(r#"end "in a phrase"#).unwrap(), r#"{body} : ("end" "in a phrase")"#);
    }

    #[test]
    fn without_a_word_there_is_no_query() {
        for input in ["", "  ", "\"\"", "* - \"!?\" ()"] {
            assert_eq!(query(input), None, "{input}");
        }
    }
}
