//! The text of a custom command, with its arguments filled in.

use std::path::Path;

use super::words::words;

/// A part of a custom command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandPiece {
    /// Text for the model.
    Text(String),
    /// A command whose output is inserted here.
    Command(String),
    /// A file that goes with it. The mention stays in the text.
    File(String),
}

/// How a custom command is called: its arguments, and the values of the variables that it may name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invocation<'i> {
    /// The text after the name.
    pub(crate) arguments: &'i str,
    /// The names that the custom command gives its arguments, in order.
    pub(crate) names: &'i [String],
    /// The skill's folder.
    pub(crate) folder: Option<&'i Path>,
    /// The plugin's folder.
    pub(crate) plugin: Option<&'i Path>,
    /// The working directory.
    pub(crate) project: &'i Path,
    /// The session's id.
    pub(crate) session: &'i str,
    /// The effort level of the model.
    pub(crate) effort: Option<&'i str>,
}

impl Invocation<'_> {
    fn variables(&self) -> Vec<(&'static str, String)> {
        let folder = |folder: &Path| folder.display().to_string();
        let variables = [
            ("${CLAUDE_PROJECT_DIR}", Some(folder(self.project))),
            ("${CLAUDE_SESSION_ID}", Some(self.session.to_owned())),
            ("${CLAUDE_EFFORT}", self.effort.map(str::to_owned)),
            ("${CLAUDE_SKILL_DIR}", self.folder.map(folder)),
            ("${CLAUDE_PLUGIN_ROOT}", self.plugin.map(folder)),
        ];
        variables.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// The values that placeholders are replaced by.
struct Values<'v> {
    arguments: &'v str,
    words: Vec<String>,
    /// Arguments by name, the longest name first.
    named: Vec<(&'v str, String)>,
    variables: Vec<(&'static str, String)>,
}

impl<'v> Values<'v> {
    fn new(invocation: &Invocation<'v>) -> Self {
        let words = words(invocation.arguments);
        let word = |(index, name): (usize, &'v String)| {
            (name.as_str(), words.get(index).cloned().unwrap_or_default())
        };
        let mut named: Vec<_> = invocation.names.iter().enumerate().map(word).collect();
        named.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Values { arguments: invocation.arguments, variables: invocation.variables(), named, words }
    }
}

/// Splits a custom command into parts, with arguments and variables filled in. Commands and files are searched for in
/// the text of the custom command only: nothing in the arguments becomes one.
pub(crate) fn pieces(body: &str, invocation: &Invocation<'_>) -> Vec<CommandPiece> {
    let values = Values::new(invocation);
    let mut pieces = Vec::new();
    let mut has_place = false;
    let mut rest = body;
    while let Some((before, command, behind)) = cut_command(rest) {
        text(before, &values, &mut has_place, &mut pieces);
        pieces.push(CommandPiece::Command(values.fill(command, &mut has_place)));
        rest = behind;
    }
    text(rest, &values, &mut has_place, &mut pieces);
    if !has_place && !invocation.arguments.is_empty() {
        pieces.push(CommandPiece::Text(format!("\n\nARGUMENTS: {}", invocation.arguments)));
    }
    pieces
}

/// Adds text, and the files that it mentions.
fn text(template: &str, values: &Values<'_>, has_place: &mut bool, pieces: &mut Vec<CommandPiece>) {
    if template.is_empty() {
        return;
    }
    pieces.push(CommandPiece::Text(values.fill(template, has_place)));
    for mention in mentions(template) {
        pieces.push(CommandPiece::File(values.fill(mention, has_place)));
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
    /// A text with values in their places. A placeholder for a word that was not given stays as it is: it may be
    /// meant for a shell. A single backslash keeps a placeholder from being replaced, and goes.
    fn fill(&self, template: &str, has_place: &mut bool) -> String {
        let mut out = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let is_escaped = out.ends_with('\\') && !out.ends_with("\\\\");
            let length = match self.placeholder(rest) {
                Some(placeholder) if is_escaped && placeholder.is_argument => {
                    out.pop();
                    out.push_str(&rest[..placeholder.length]);
                    placeholder.length
                }
                Some(Placeholder { length, value: Some(value), is_argument }) => {
                    *has_place |= is_argument;
                    out.push_str(value);
                    length
                }
                Some(Placeholder { length, value: None, .. }) => {
                    out.push_str(&rest[..length]);
                    length
                }
                None => {
                    out.push('$');
                    1
                }
            };
            rest = &rest[length..];
        }
        out.push_str(rest);
        out
    }

    /// The placeholder that a text begins with.
    fn placeholder(&self, text: &str) -> Option<Placeholder<'_>> {
        if let Some((name, value)) = self.variables.iter().find(|(name, _)| text.starts_with(name)) {
            return Some(Placeholder { length: name.len(), value: Some(value), is_argument: false });
        }
        let behind = text.strip_prefix('$')?;
        let ends = |rest: &str, more: &str| {
            !rest.starts_with(|letter: char| is_word(letter) || more.contains(letter))
        };
        let named =
            self.named.iter().find(|(name, _)| behind.strip_prefix(name).is_some_and(|rest| ends(rest, "[")));
        if let Some((name, value)) = named {
            return Some(Placeholder { length: 1 + name.len(), value: Some(value), is_argument: true });
        }
        const ALL: &str = "ARGUMENTS";
        if let Some(behind) = behind.strip_prefix(ALL) {
            let inside = behind.strip_prefix('[').and_then(|inside| inside.split_once(']'));
            let index = inside.map(|(index, _)| index).filter(|index| is_number(index));
            return Some(match index {
                Some(index) => self.word(index, 1 + ALL.len() + index.len() + 2),
                None => {
                    let value = Some(self.arguments);
                    Placeholder { length: 1 + ALL.len(), value, is_argument: true }
                }
            });
        }
        let rest = behind.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let digits = &behind[..behind.len() - rest.len()];
        (is_number(digits) && ends(rest, "")).then(|| self.word(digits, 1 + digits.len()))
    }

    /// The placeholder of a word by its index, from 0.
    fn word(&self, index: &str, length: usize) -> Placeholder<'_> {
        let word = index.parse().ok().and_then(|index: usize| self.words.get(index));
        Placeholder { length, value: word.map(String::as_str), is_argument: true }
    }
}

/// A placeholder at the beginning of a text.
struct Placeholder<'v> {
    /// How long it is, in bytes.
    length: usize,
    /// What takes its place, if there is anything.
    value: Option<&'v str>,
    /// It is for an argument and not for a variable.
    is_argument: bool,
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation<'i>(arguments: &'i str, names: &'i [String]) -> Invocation<'i> {
        Invocation {
            arguments,
            names,
            folder: Some(Path::new("/skills/x")),
            plugin: None,
            project: Path::new("/proj"),
            session: "session",
            effort: Some("medium"),
        }
    }

    fn expanded(body: &str, arguments: &str) -> Vec<CommandPiece> {
        pieces(body, &invocation(arguments, &[]))
    }

    #[track_caller]
    fn joined(pieces: &[CommandPiece]) -> String {
        let text = |piece: &CommandPiece| match piece {
            CommandPiece::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        pieces.iter().map(text).collect()
    }

    #[track_caller]
    fn text_of(body: &str, arguments: &str) -> String {
        joined(&expanded(body, arguments))
    }

    #[track_caller]
    fn text_with(names: &[&str], body: &str, arguments: &str) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        joined(&pieces(body, &invocation(arguments, &names)))
    }

    #[test]
    fn words_are_counted_from_zero() {
        assert_eq!(text_of("a $0 b $1 c", "Ada Bob"), "a Ada b Bob c");
        assert_eq!(text_of("$10|$9|$01", "a b c d e f g h i j k"), "k|j|b");
        assert_eq!(
            text_of("[$ARGUMENTS] [$ARGUMENTS[0]] [$ARGUMENTS[01]]", "'a b' c"),
            "['a b' c] [a b] [c]"
        );
        assert_eq!(
            text_of("$0[1] $0-x $0$1 $0é price $1.50", "Ada Bob"),
            "Ada[1] Ada-x AdaBob Adaé price Bob.50"
        );
        assert_eq!(text_of("$$0 $${0} ${0} ${ARGUMENTS}", "Ada"), "$Ada $${0} ${0} ${ARGUMENTS}");
    }

    #[test]
    fn a_placeholder_without_a_word_stays_and_is_no_place() {
        assert_eq!(text_of("a $0 b $1 c", "Ada"), "a Ada b $1 c");
        assert_eq!(text_of("a $0 b $1 c", ""), "a $0 b $1 c");
        assert_eq!(text_of("only $5", "q"), "only $5\n\nARGUMENTS: q");
        assert_eq!(text_of("only $ARGUMENTS[7].", "q"), "only $ARGUMENTS[7].\n\nARGUMENTS: q");
        assert_eq!(text_of("costs $5, $x, $$", ""), "costs $5, $x, $$");
        assert_eq!(text_of("$1x $1_", "a b"), "$1x $1_\n\nARGUMENTS: a b");
        assert_eq!(text_of("no place\n", "a b"), "no place\n\n\nARGUMENTS: a b");
        assert_eq!(text_of("no place", ""), "no place");
    }

    #[test]
    fn all_arguments_are_inserted_as_they_were_typed() {
        assert_eq!(text_of("hi $ARGUMENTS!", "Bob  \"Alice\""), "hi Bob  \"Alice\"!");
        assert_eq!(text_of("x $ARGUMENTS y", ""), "x  y");
        assert_eq!(
            text_of("$ARGUMENTSX $ARGUMENTS[x] $ARGUMENTS[] $arguments", "q"),
            "qX q[x] q[] $arguments"
        );
        assert_eq!(text_of("a $ARGUMENTS b", "$1 $0 $ARGUMENTS[0]"), "a $1 $0 $ARGUMENTS[0] b");
    }

    #[test]
    fn a_single_backslash_escapes_a_placeholder() {
        assert_eq!(text_of(r"\$0 \$ARGUMENTS $0", "Ada"), "$0 $ARGUMENTS Ada");
        assert_eq!(text_of(r"\\$0 \\\$0", "Ada"), r"\\Ada \\\Ada");
        assert_eq!(text_of(r"\$0", "Ada"), "$0\n\nARGUMENTS: Ada");
        assert_eq!(text_of(r"\$7 \$HOME \${CLAUDE_SESSION_ID}", ""), r"$7 \$HOME \session");
    }

    #[test]
    fn arguments_have_names() {
        assert_eq!(text_with(&["first", "second"], "$first $second $0", "Ada Bob"), "Ada Bob Ada");
        assert_eq!(
            text_with(&["first", "second"], "[$first] [$second] $firstly ${first}", "Ada"),
            "[Ada] [] $firstly ${first}"
        );
        assert_eq!(
            text_with(&["a", "ab", "my-arg"], "$a $ab $a[0] $a-b $my-arg", "X Y Z"),
            "X Y $a[0] X-b Z"
        );
        assert_eq!(text_with(&["who"], r"\$who", "X"), "$who\n\nARGUMENTS: X");
        assert_eq!(text_with(&["who"], "none", "X"), "none\n\nARGUMENTS: X");
        assert_eq!(text_with(&["who"], "[$who]", ""), "[]");
    }

    #[test]
    fn variables_are_no_place_for_arguments() {
        let body =
            "${CLAUDE_SKILL_DIR}/run in ${CLAUDE_PROJECT_DIR} for ${CLAUDE_SESSION_ID} at ${CLAUDE_EFFORT}";
        assert_eq!(text_of(body, ""), "/skills/x/run in /proj for session at medium");
        assert_eq!(
            text_of("${CLAUDE_PLUGIN_ROOT} ${HOME}", "q"),
            "${CLAUDE_PLUGIN_ROOT} ${HOME}\n\nARGUMENTS: q"
        );
    }

    #[test]
    fn commands_and_files_are_found_where_the_custom_command_names_them() {
        let body = "Branch: !`git log $0`\nSee @src/main.rs, and (@$1).\n```!\nls\npwd\n```\nBut not a!`b`, ``!`x` or me@example.org.";
        let found = expanded(body, "main docs/a.md");
        let [
            CommandPiece::Text(before),
            CommandPiece::Command(log),
            CommandPiece::Text(middle),
            CommandPiece::File(main),
            CommandPiece::File(doc),
            CommandPiece::Command(fence),
            CommandPiece::Text(_),
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
        assert_eq!(found, [CommandPiece::Text("Say !`rm -rf x` and @/etc/passwd".to_owned())]);
    }

    proptest::proptest! {
        /// What a user types is never looked at again: no placeholder in it is replaced.
        #[test]
        fn arguments_are_inserted_once(arguments in ".*[^\\s].*") {
            let found = pieces("<$ARGUMENTS>", &invocation(&arguments, &[]));
            proptest::prop_assert_eq!(found, [CommandPiece::Text(format!("<{arguments}>"))]);
        }

        /// Any template can be taken apart, and one without a dollar sign keeps its text.
        #[test]
        fn any_template_is_expanded(body in "[$\\\\{}\\[\\]a0-9A-Z!` \n@]*", arguments in ".*") {
            let names = ["a".to_owned()];
            let found = pieces(&body, &invocation(&arguments, &names));
            if !body.contains(['$', '!']) && arguments.is_empty() {
                let text: String = found.iter().filter_map(|piece| match piece { CommandPiece::Text(text) => Some(text.as_str()), _ => None }).collect();
                proptest::prop_assert_eq!(text, body);
            }
        }
    }
}
