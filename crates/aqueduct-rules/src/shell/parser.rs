//! The structure of a command text: lists, pipes, groups, loops, conditionals.

use std::borrow::Cow;

use super::{Assignment, Command, Doubt, RedirectKind, Script, Word, heredoc::Pending};

/// Substitutions inside substitutions deeper than this are not followed: nobody writes them, and each
/// level uses the stack.
const MAX_DEPTH: usize = 40;

/// More variables than this are not remembered, so that looking one up stays cheap.
const MAX_VARIABLES: usize = 32;

/// Finds every command in a text. `home` is what `$HOME` stands for, where that is known.
pub(crate) fn parse<'a>(text: &'a str, home: Option<&str>) -> Script<'a> {
    let mut script = Script::default();
    let mut parser = Parser::new(text, home, &mut script, 0);
    if !text.is_ascii() && text.chars().any(is_invisible) {
        parser.doubt(Doubt::UnicodeSpace);
    }
    parser.whole();
    script
}

/// Characters that look like a space or like nothing, and are neither to the shell.
fn is_invisible(c: char) -> bool {
    (!c.is_ascii() && c.is_whitespace())
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}'
            | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{e0000}'..='\u{e007f}')
}

/// What ends a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    End,
    Parenthesis,
}

/// A compound command that is still open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// With whether it may be arithmetic.
    Parenthesis(bool),
    Brace,
    If,
    Loop,
    /// With whether a pattern comes next.
    Case(bool),
}

/// What stands directly before the current position, to tell a misplaced operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    Command,
    Connector,
}

pub(super) struct Parser<'a, 's> {
    text: &'a str,
    pub(super) position: usize,
    pub(super) home: Option<&'s str>,
    pub(super) script: &'s mut Script<'a>,
    pub(super) pending: Vec<Pending>,
    depth: usize,
    in_substitution: usize,
    /// How many arithmetic expressions are open, if that is what they are.
    pub(super) arithmetic: usize,
    /// How often a search for the end of a quoted `cat` document may still fail, to stay linear.
    pub(super) document_searches: u8,
}

impl<'a, 's> Parser<'a, 's> {
    pub(super) fn new(
        text: &'a str,
        home: Option<&'s str>,
        script: &'s mut Script<'a>,
        depth: usize,
    ) -> Self {
        Self {
            text,
            position: 0,
            home,
            script,
            pending: Vec::new(),
            depth,
            in_substitution: 0,
            arithmetic: 0,
            document_searches: 8,
        }
    }

    /// Reads the whole text as a list of commands.
    pub(super) fn whole(&mut self) {
        while !self.at_end() {
            self.list(Until::End);
        }
        if !self.pending.is_empty() {
            self.doubt(Doubt::Syntax);
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    pub(super) fn at_end(&self) -> bool {
        self.position >= self.text.len()
    }

    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + offset).copied()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.position += bytes;
    }

    pub(super) fn is_in_substitution(&self) -> bool {
        self.in_substitution > 0
    }

    pub(super) fn is_nested(&self) -> bool {
        self.depth > 0
    }

    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if !self.script.doubts.contains(&doubt) {
            self.script.doubts.push(doubt);
        }
    }

    /// Reads something that can stand inside itself.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// Reads what stands in the parentheses of a substitution, whose opening one is already passed.
    pub(super) fn substitution(&mut self) {
        self.deeper(Self::commands_in_parentheses);
    }

    fn commands_in_parentheses(&mut self) {
        self.in_substitution += 1;
        // Documents asked for outside begin after the line that the substitution ends on.
        let outside = std::mem::take(&mut self.pending);
        let start = self.position;
        self.list(Until::Parenthesis);
        let asked = !outside.is_empty() && self.slice(start, self.position).contains('\n');
        if asked || !self.pending.is_empty() {
            self.doubt(Doubt::Syntax);
        }
        self.pending.splice(..0, outside);
        if self.byte(0) == Some(b')') {
            self.advance(1);
        } else {
            self.doubt(Doubt::Syntax);
        }
        self.in_substitution -= 1;
    }

    /// Reads another text whose commands belong to this script, such as the inside of backticks.
    pub(super) fn inner_text(&mut self, text: Cow<'a, str>, read: fn(&mut Parser<'_, '_>)) {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return;
        }
        match text {
            Cow::Borrowed(text) => {
                let mut inner = Parser::new(text, self.home, self.script, self.depth + 1);
                read(&mut inner);
            }
            Cow::Owned(text) => {
                let mut script = Script::default();
                read(&mut Parser::new(&text, self.home, &mut script, self.depth + 1));
                let first = self.script.documents.len();
                let owned = script.documents.into_iter().map(|text| Cow::Owned(text.into_owned()));
                self.script.documents.extend(owned);
                self.script
                    .commands
                    .extend(script.commands.into_iter().map(|command| command.into_owned(first)));
                script.doubts.into_iter().for_each(|doubt| self.doubt(doubt));
            }
        }
    }

    fn give_up(&mut self) {
        self.doubt(Doubt::TooDeep);
        self.position = self.text.len();
    }

    /// Skips blanks and continued lines between words.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                Some(b' ' | b'\t') => self.advance(1),
                Some(b'\\') if self.byte(1) == Some(b'\n') => self.advance(2),
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines; the texts of here-documents begin after a newline.
    pub(super) fn skip_lines(&mut self) -> bool {
        let mut newline = false;
        loop {
            self.skip_blanks();
            match self.byte(0) {
                Some(b'#') => {
                    if self.arithmetic > 0 {
                        self.doubt(Doubt::Syntax);
                    }
                    let line = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.advance(line);
                }
                Some(b'\n') => {
                    self.advance(1);
                    newline = true;
                    if !self.pending.is_empty() {
                        self.read_heredocs();
                    }
                }
                _ => return newline,
            }
        }
    }

    fn list(&mut self, until: Until) {
        let mut open: Vec<Open> = Vec::new();
        let mut last = Last::Start;
        let mut piped = false;
        loop {
            if self.skip_lines() && last == Last::Command {
                last = Last::Start;
            }
            if open.last() == Some(&Open::Case(true)) && !self.at_end() && !self.at_word("esac") {
                self.case_pattern();
                open.pop();
                open.push(Open::Case(false));
                last = Last::Start;
                continue;
            }
            let Some(byte) = self.byte(0) else { break };
            match byte {
                b')' => match open.last() {
                    Some(&Open::Parenthesis(arithmetic)) => {
                        self.arithmetic -= usize::from(arithmetic);
                        open.pop();
                        self.advance(1);
                        self.after_compound();
                        last = Last::Command;
                    }
                    _ if until == Until::Parenthesis => break,
                    _ => {
                        self.doubt(Doubt::Syntax);
                        self.advance(1);
                    }
                },
                b'(' => {
                    let arithmetic = self.byte(1) == Some(b'(');
                    self.doubt(if arithmetic { Doubt::Arithmetic } else { Doubt::Subshell });
                    if last == Last::Command {
                        self.doubt(Doubt::Syntax);
                    }
                    self.advance(1);
                    self.arithmetic += usize::from(arithmetic);
                    open.push(Open::Parenthesis(arithmetic));
                    last = Last::Start;
                }
                b';' => {
                    let many = self.rest().bytes().take_while(|byte| matches!(byte, b';' | b'&')).count();
                    match open.last_mut() {
                        Some(case @ Open::Case(_)) if many > 1 => *case = Open::Case(true),
                        _ if many > 1 || last != Last::Command => self.doubt(Doubt::Syntax),
                        _ => {}
                    }
                    self.advance(many);
                    last = Last::Start;
                }
                b'&' | b'|' if self.byte(0) != Some(b'&') || self.byte(1) != Some(b'>') => {
                    piped = self.operator(&mut last);
                    continue;
                }
                _ => {
                    if !self.reserved(&mut open, &mut last) {
                        if last == Last::Command {
                            self.doubt(Doubt::Syntax);
                        }
                        self.simple(piped);
                        last = Last::Command;
                    }
                }
            }
            piped = false;
        }
        if !open.is_empty() || last == Last::Connector {
            self.doubt(Doubt::Syntax);
        }
        self.arithmetic -= open.iter().filter(|open| **open == Open::Parenthesis(true)).count();
    }

    /// Reads `&&`, `||`, `|`, `|&` or `&`; gives whether it was a pipe.
    fn operator(&mut self, last: &mut Last) -> bool {
        if *last != Last::Command {
            self.doubt(Doubt::Syntax);
        }
        let pair = (self.byte(0), self.byte(1));
        let (length, connects, pipes) = match pair {
            (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|')) => (2, true, false),
            (Some(b'|'), Some(b'&')) => (2, true, true),
            (Some(b'|'), _) => (1, true, true),
            _ => (1, false, false),
        };
        if !connects {
            self.doubt(Doubt::Background);
        }
        self.advance(length);
        *last = if connects { Last::Connector } else { Last::Start };
        pipes
    }

    /// Whether the given word stands here, unquoted and whole.
    pub(super) fn at_word(&self, word: &str) -> bool {
        let rest = self.rest();
        rest.starts_with(word)
            && rest.as_bytes().get(word.len()).is_none_or(|byte| b" \t\n;&|()<>".contains(byte))
    }

    /// Handles a reserved word at a place where a command can begin; gives whether one stood there.
    fn reserved(&mut self, open: &mut Vec<Open>, last: &mut Last) -> bool {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| b" \t\n;&|()<>".contains(&byte)).unwrap_or(rest.len());
        let word = match &rest[..length] {
            word @ ("if" | "then" | "elif" | "else" | "fi" | "while" | "until" | "do" | "done" | "for"
            | "select" | "case" | "esac" | "{" | "}" | "!" | "function" | "coproc" | "[["
            | "time") => word,
            _ => return false,
        };
        let mut next = Last::Start;
        let mut closes = None;
        match word {
            "time" => {
                if !self.times_compound() {
                    return false;
                }
                self.doubt(Doubt::TimedCompound);
            }
            "[[" => {
                self.conditional();
                *last = Last::Command;
                return true;
            }
            "if" => open.push(Open::If),
            "then" | "elif" | "else" if open.last() == Some(&Open::If) => {}
            "while" | "until" => open.push(Open::Loop),
            "do" if open.last() == Some(&Open::Loop) => {}
            "for" | "select" => open.push(Open::Loop),
            "case" => open.push(Open::Case(true)),
            "{" => {
                self.doubt(Doubt::Group);
                open.push(Open::Brace);
            }
            "!" => {}
            "function" => self.doubt(Doubt::Function),
            "coproc" => self.doubt(Doubt::Coproc),
            "fi" => closes = Some(Open::If),
            "done" => closes = Some(Open::Loop),
            "}" => closes = Some(Open::Brace),
            "esac" => closes = Some(Open::Case(true)),
            _ => self.doubt(Doubt::Syntax),
        }
        self.advance(word.len());
        match word {
            "for" | "select" => self.for_header(word == "select"),
            "case" => self.case_header(),
            "function" => self.function_name(),
            _ => {}
        }
        if let Some(expected) = closes {
            match (open.pop(), expected) {
                (Some(found), expected) if found == expected => {}
                (Some(Open::Case(_)), Open::Case(_)) => {}
                _ => self.doubt(Doubt::Syntax),
            }
            self.after_compound();
            next = Last::Command;
        }
        *last = next;
        true
    }

    /// Reads redirections after a compound command; they belong to all of it.
    pub(super) fn after_compound(&mut self) {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        if !redirects.is_empty() {
            self.push(Command { redirects, ..Command::default() });
        }
    }

    pub(super) fn push(&mut self, mut command: Command<'a>) {
        command.nested = self.is_nested();
        if command.words.is_empty() && self.script.variables.len() < MAX_VARIABLES {
            let certain = command.assignments.iter().filter(|assignment| assignment.value.known);
            let pairs =
                certain.map(|set| (set.name.clone().into_owned(), set.value.value.clone().into_owned()));
            self.script.variables.extend(pairs);
        }
        self.script.commands.push(command);
    }

    fn simple(&mut self, piped: bool) {
        let mut command = Command { piped, ..Command::default() };
        let mut has_document = false;
        loop {
            self.skip_blanks();
            match self.byte(0) {
                None | Some(b'\n' | b';' | b'|' | b')' | b'#') => break,
                Some(b'&') if self.byte(1) != Some(b'>') => break,
                Some(b'(') => {
                    if !self.function_definition(&command) {
                        self.doubt(Doubt::Syntax);
                    }
                    break;
                }
                _ => {}
            }
            if let Some(redirect) = self.redirect() {
                if has_document && matches!(redirect.kind, RedirectKind::Read | RedirectKind::Write) {
                    self.doubt(Doubt::RedirectAfterHeredoc);
                }
                has_document |= redirect.kind == RedirectKind::HereDoc;
                command.redirects.push(redirect);
            } else if let Some(word) = self.word() {
                self.word_of(&mut command, word);
            } else {
                self.doubt(Doubt::Syntax);
                self.advance(1);
            }
        }
        if !command.words.is_empty() || !command.assignments.is_empty() || !command.redirects.is_empty() {
            self.push(command);
        }
    }

    /// Adds a word to a command, as an assignment if it is one.
    fn word_of(&mut self, command: &mut Command<'a>, word: Word<'a>) {
        let name = if command.words.is_empty() { assigned_name(&word.raw) } else { None };
        let Some((name, value_at)) = name else {
            command.words.push(word);
            return;
        };
        if word.raw.len() == value_at && self.byte(0) == Some(b'(') {
            self.array();
        }
        if word.raw[name.len()..].starts_with('[') {
            self.doubt(Doubt::Array);
        }
        self.note_evaluated(tail(&word.value, value_at).as_ref());
        let name = Cow::Owned(name.to_owned());
        let value = Word { raw: tail(&word.raw, value_at), value: tail(&word.value, value_at), ..word };
        command.assignments.push(Assignment { name, value, raw: word.raw });
    }

    /// Some variables evaluate what they are set to, and arithmetic evaluates the values of variables: a
    /// subscript in such a text can hold a command.
    pub(super) fn note_evaluated(&mut self, value: &str) {
        if value.contains(['[', '`']) || value.contains("$(") {
            self.doubt(Doubt::Arithmetic);
        }
    }
}

fn tail<'a>(text: &Cow<'a, str>, from: usize) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(from..).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(from..).unwrap_or_default().to_owned()),
    }
}

/// The name in `NAME=…`, `NAME+=…` or `NAME[…]=…`, and where the value begins.
fn assigned_name(raw: &str) -> Option<(&str, usize)> {
    let equals = raw.find('=')?;
    let left = raw[..equals].strip_suffix('+').unwrap_or(&raw[..equals]);
    let name = match left.find('[') {
        Some(bracket) if left.ends_with(']') => &left[..bracket],
        Some(_) => return None,
        None => left,
    };
    let mut bytes = name.bytes();
    let first = bytes.next()?;
    let named = (first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
    named.then_some((name, equals + 1))
}
