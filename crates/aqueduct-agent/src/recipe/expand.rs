//! What a recipe says, with arguments in their places.

use std::path::Path;

/// A piece of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text for the model.
    Text(String),
    /// A command whose output stands here.
    Command(String),
    /// A file that goes with it. The mention stays in the text.
    File(String),
}

/// What a recipe is called with.
struct Values<'v> {
    arguments: &'v str,
    words: Vec<String>,
    /// Variables that a recipe may name.
    variables: Vec<(&'static str, String)>,
}

/// Takes a recipe apart, with arguments and variables filled in. Commands and files are looked for in what the recipe
/// itself says: nothing that comes with the arguments becomes one.
pub(crate) fn pieces(
    body: &str,
    arguments: &str,
    folder: Option<&Path>,
    plugin: Option<&Path>,
    project: &Path,
    session: &str,
) -> Vec<Piece> {
    let mut variables = vec![
        ("${CLAUDE_PROJECT_DIR}", project.display().to_string()),
        ("${CLAUDE_SESSION_ID}", session.to_owned()),
    ];
    variables.extend(folder.map(|folder| ("${CLAUDE_SKILL_DIR}", folder.display().to_string())));
    variables.extend(plugin.map(|folder| ("${CLAUDE_PLUGIN_ROOT}", folder.display().to_string())));
    let values = Values { arguments, words: words(arguments), variables };
    let mut pieces = Vec::new();
    let mut has_place = false;
    let mut rest = body;
    while let Some((before, command, behind)) = cut_command(rest) {
        text(before, &values, &mut has_place, &mut pieces);
        pieces.push(Piece::Command(values.fill(command, &mut has_place)));
        rest = behind;
    }
    text(rest, &values, &mut has_place, &mut pieces);
    if !has_place && !arguments.is_empty() {
        pieces.push(Piece::Text(format!("\n\nARGUMENTS: {arguments}")));
    }
    pieces
}

/// Adds text, and the files that it mentions.
fn text(template: &str, values: &Values<'_>, has_place: &mut bool, pieces: &mut Vec<Piece>) {
    if template.is_empty() {
        return;
    }
    pieces.push(Piece::Text(values.fill(template, has_place)));
    for mention in mentions(template) {
        pieces.push(Piece::File(values.fill(mention, has_place)));
    }
}

/// The first command of a text, and what is around it: `` !`command` `` on a line, or a fence that begins with
/// `` ```! ``.
fn cut_command(text: &str) -> Option<(&str, &str, &str)> {
    let inline = text.match_indices("!`").find(|(at, _)| {
        // A word before it, or another backtick behind it, and it is something else.
        let is_apart =
            text[..*at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric() && letter != '`');
        is_apart && !text[at + 2..].starts_with('`')
    });
    let inline = inline.and_then(|(at, _)| {
        let (command, behind) = text[at + 2..].split_once('`')?;
        (!command.trim().is_empty() && !command.contains('\n')).then_some((at, command, behind))
    });
    let fence = text.match_indices("```!\n").find(|(at, _)| *at == 0 || text[..*at].ends_with('\n'));
    let fence = fence.and_then(|(at, open)| {
        let (command, behind) = text[at + open.len()..].split_once("\n```")?;
        Some((at, command, behind))
    });
    let first = match (inline, fence) {
        (Some(inline), Some(fence)) if inline.0 < fence.0 => inline,
        (_, Some(fence)) => fence,
        (inline, None) => inline?,
    };
    let (at, command, behind) = first;
    Some((&text[..at], command, behind))
}

/// The files that a text mentions: `@path` at the beginning of a word.
fn mentions(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == '(' || letter == '"');
    let paths = words.filter_map(|word| word.strip_prefix('@'));
    let bare = paths.map(|path| path.trim_end_matches(['.', ',', ';', ':', ')', '!', '?', '\'', '`']));
    bare.filter(|path| !path.is_empty() && !path.contains('@')).collect()
}

impl Values<'_> {
    /// A text with values in their places. A place for a word that was not given stays as it is: it may be meant
    /// for a shell.
    fn fill(&self, template: &str, has_place: &mut bool) -> String {
        let mut out = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((place, value)) = self.place(rest) {
                *has_place |= !place.starts_with("${");
                out.push_str(&value);
                rest = &rest[place.len()..];
            } else {
                out.push('$');
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        out
    }

    /// The place that a text begins with, and what belongs there.
    fn place<'t>(&self, text: &'t str) -> Option<(&'t str, String)> {
        for (name, value) in &self.variables {
            if text.starts_with(name) {
                return Some((&text[..name.len()], value.clone()));
            }
        }
        const ALL: &str = "$ARGUMENTS";
        if let Some(behind) = text.strip_prefix(ALL) {
            let index = behind.strip_prefix('[').and_then(|inside| inside.split_once(']'));
            if let Some((index, _)) = index.filter(|(index, _)| index.parse::<usize>().is_ok()) {
                let word = index.parse::<usize>().ok().and_then(|index| self.words.get(index));
                return Some((&text[..ALL.len() + index.len() + 2], word.cloned().unwrap_or_default()));
            }
            return Some((&text[..ALL.len()], self.arguments.to_owned()));
        }
        let digits =
            text[1..].len() - text[1..].trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let number: usize = text.get(1..=digits)?.parse().ok()?;
        let word = self.words.get(number.checked_sub(1)?)?;
        Some((&text[..=digits], word.clone()))
    }
}

/// Arguments as words: quotes keep a word together.
pub(crate) fn words(arguments: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    for letter in arguments.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(body: &str, arguments: &str) -> Vec<Piece> {
        pieces(body, arguments, Some(Path::new("/skills/x")), None, Path::new("/proj"), "session")
    }

    #[track_caller]
    fn text_of(body: &str, arguments: &str) -> String {
        match &expanded(body, arguments)[..] {
            [Piece::Text(text)] => text.clone(),
            [Piece::Text(text), Piece::Text(more)] => format!("{text}{more}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_go_to_their_places() {
        assert_eq!(text_of("hi $ARGUMENTS!", "Bob Alice"), "hi Bob Alice!");
        assert_eq!(text_of("$1 and $2 and $10", "a 'b c'"), "a and b c and $10");
        assert_eq!(text_of("$ARGUMENTS[1] $ARGUMENTS[7].", "a b"), "b .");
        assert_eq!(text_of("costs $5, $x, $$", ""), "costs $5, $x, $$");
        assert_eq!(text_of("${CLAUDE_SKILL_DIR}/run in ${CLAUDE_PROJECT_DIR}", ""), "/skills/x/run in /proj");
        assert_eq!(text_of("no place", "a b"), "no place\n\nARGUMENTS: a b");
        assert_eq!(text_of("no place", ""), "no place");
    }

    #[test]
    fn commands_and_files_are_found_where_the_recipe_names_them() {
        let body = "Branch: !`git log $1`\nSee @src/main.rs, and (@$2).\n```!\nls\npwd\n```\nBut not a!`b`, ``!`x` or me@example.org.";
        let found = expanded(body, "main docs/a.md");
        let [
            Piece::Text(before),
            Piece::Command(log),
            Piece::Text(middle),
            Piece::File(main),
            Piece::File(doc),
            Piece::Command(fence),
            Piece::Text(_),
        ] = &found[..]
        else {
            panic!("{found:#?}")
        };
        assert_eq!((before.as_str(), log.as_str()), ("Branch: ", "git log main"));
        assert_eq!(middle, "\nSee @src/main.rs, and (@docs/a.md).\n");
        assert_eq!((main.as_str(), doc.as_str(), fence.as_str()), ("src/main.rs", "docs/a.md", "ls\npwd"));
    }

    #[test]
    fn nothing_in_the_arguments_is_run_or_read() {
        let found = expanded("Say $ARGUMENTS", "!`rm -rf x` and @/etc/passwd");
        assert_eq!(found, [Piece::Text("Say !`rm -rf x` and @/etc/passwd".to_owned())]);
    }
}
