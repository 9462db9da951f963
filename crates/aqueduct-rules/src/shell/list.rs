//! Lists of commands: pipes, groups, loops, conditionals, and what connects them.

use super::{ShellCommand, Uncertainty, parser::ShellParser};

/// What ends a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListEnd {
    End,
    Parenthesis,
}

/// A compound command that is still open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenCompound {
    /// With whether it may be arithmetic.
    Parenthesis(bool),
    Brace,
    If,
    Loop,
    /// With whether a pattern comes next.
    Case(bool),
}

/// What is directly before the current position, to recognize a misplaced operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Start,
    Command,
    Connector,
}

impl ShellParser<'_, '_> {
    pub(super) fn list(&mut self, until: ListEnd) {
        let mut open: Vec<OpenCompound> = Vec::new();
        let mut last = LastToken::Start;
        let mut piped = false;
        loop {
            if self.skip_lines() && last == LastToken::Command {
                last = LastToken::Start;
            }
            if open.last() == Some(&OpenCompound::Case(true)) && !self.at_end() && !self.at_word("esac") {
                self.case_pattern();
                open.pop();
                open.push(OpenCompound::Case(false));
                last = LastToken::Start;
                continue;
            }
            let Some(byte) = self.byte(0) else { break };
            match byte {
                b')' => match open.last() {
                    Some(&OpenCompound::Parenthesis(arithmetic)) => {
                        self.arithmetic -= usize::from(arithmetic);
                        open.pop();
                        self.advance(1);
                        self.after_compound();
                        last = LastToken::Command;
                    }
                    _ if until == ListEnd::Parenthesis => break,
                    _ => {
                        self.uncertainty(Uncertainty::Syntax);
                        self.advance(1);
                    }
                },
                b'(' => {
                    let arithmetic = self.byte(1) == Some(b'(');
                    self.uncertainty(if arithmetic {
                        Uncertainty::Arithmetic
                    } else {
                        Uncertainty::Subshell
                    });
                    if last == LastToken::Command {
                        self.uncertainty(Uncertainty::Syntax);
                    }
                    self.advance(1);
                    self.arithmetic += usize::from(arithmetic);
                    open.push(OpenCompound::Parenthesis(arithmetic));
                    last = LastToken::Start;
                }
                b';' => {
                    let many = self.rest().bytes().take_while(|byte| matches!(byte, b';' | b'&')).count();
                    match open.last_mut() {
                        Some(case @ OpenCompound::Case(_)) if many > 1 => *case = OpenCompound::Case(true),
                        _ if many > 1 || last != LastToken::Command => self.uncertainty(Uncertainty::Syntax),
                        _ => {}
                    }
                    self.advance(many);
                    last = LastToken::Start;
                }
                b'&' | b'|' if self.byte(0) != Some(b'&') || self.byte(1) != Some(b'>') => {
                    piped = self.operator(&mut last);
                    continue;
                }
                _ => {
                    if !self.reserved(&mut open, &mut last) {
                        if last == LastToken::Command {
                            self.uncertainty(Uncertainty::Syntax);
                        }
                        self.simple(piped);
                        last = LastToken::Command;
                    }
                }
            }
            piped = false;
        }
        if !open.is_empty() || last == LastToken::Connector {
            self.uncertainty(Uncertainty::Syntax);
        }
        self.arithmetic -= open.iter().filter(|open| **open == OpenCompound::Parenthesis(true)).count();
    }

    /// Reads `&&`, `||`, `|`, `|&` or `&`; returns whether it was a pipe.
    fn operator(&mut self, last: &mut LastToken) -> bool {
        if *last != LastToken::Command {
            self.uncertainty(Uncertainty::Syntax);
        }
        let pair = (self.byte(0), self.byte(1));
        let (length, connects, pipes) = match pair {
            (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|')) => (2, true, false),
            (Some(b'|'), Some(b'&')) => (2, true, true),
            (Some(b'|'), _) => (1, true, true),
            _ => (1, false, false),
        };
        if !connects {
            self.uncertainty(Uncertainty::Background);
        }
        self.advance(length);
        *last = if connects { LastToken::Connector } else { LastToken::Start };
        pipes
    }

    /// Handles a reserved word at a place where a command can begin; returns whether there was one.
    fn reserved(&mut self, open: &mut Vec<OpenCompound>, last: &mut LastToken) -> bool {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| b" \t\n;&|()<>".contains(&byte)).unwrap_or(rest.len());
        let word = match &rest[..length] {
            word @ ("if" | "then" | "elif" | "else" | "fi" | "while" | "until" | "do" | "done" | "for"
            | "select" | "case" | "esac" | "{" | "}" | "!" | "function" | "coproc" | "[["
            | "time") => word,
            _ => return false,
        };
        let mut next = LastToken::Start;
        let mut closes = None;
        match word {
            "time" => {
                if !self.times_compound() {
                    return false;
                }
                self.uncertainty(Uncertainty::TimedCompound);
            }
            "[[" => {
                self.conditional();
                *last = LastToken::Command;
                return true;
            }
            "if" => open.push(OpenCompound::If),
            "then" | "elif" | "else" if open.last() == Some(&OpenCompound::If) => {}
            "while" | "until" => open.push(OpenCompound::Loop),
            "do" if open.last() == Some(&OpenCompound::Loop) => {}
            "for" | "select" => open.push(OpenCompound::Loop),
            "case" => open.push(OpenCompound::Case(true)),
            "{" => {
                self.uncertainty(Uncertainty::Group);
                open.push(OpenCompound::Brace);
            }
            "!" => {}
            "function" => self.uncertainty(Uncertainty::Function),
            "coproc" => self.uncertainty(Uncertainty::Coproc),
            "fi" => closes = Some(OpenCompound::If),
            "done" => closes = Some(OpenCompound::Loop),
            "}" => closes = Some(OpenCompound::Brace),
            "esac" => closes = Some(OpenCompound::Case(true)),
            _ => self.uncertainty(Uncertainty::Syntax),
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
                (Some(OpenCompound::Case(_)), OpenCompound::Case(_)) => {}
                _ => self.uncertainty(Uncertainty::Syntax),
            }
            self.after_compound();
            next = LastToken::Command;
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
            self.push(ShellCommand { redirects, ..ShellCommand::default() });
        }
    }
}
