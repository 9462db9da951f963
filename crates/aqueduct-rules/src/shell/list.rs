//! Lists of commands: pipes, groups, loops, conditionals, and what connects them.

use super::{Command, Uncertainty, parser::Parser};

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

/// What is directly before the current position, to recognize a misplaced operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    Command,
    Connector,
}

impl Parser<'_, '_> {
    pub(super) fn list(&mut self, until: Until) {
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
                    if last == Last::Command {
                        self.uncertainty(Uncertainty::Syntax);
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
                        _ if many > 1 || last != Last::Command => self.uncertainty(Uncertainty::Syntax),
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
                            self.uncertainty(Uncertainty::Syntax);
                        }
                        self.simple(piped);
                        last = Last::Command;
                    }
                }
            }
            piped = false;
        }
        if !open.is_empty() || last == Last::Connector {
            self.uncertainty(Uncertainty::Syntax);
        }
        self.arithmetic -= open.iter().filter(|open| **open == Open::Parenthesis(true)).count();
    }

    /// Reads `&&`, `||`, `|`, `|&` or `&`; returns whether it was a pipe.
    fn operator(&mut self, last: &mut Last) -> bool {
        if *last != Last::Command {
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
        *last = if connects { Last::Connector } else { Last::Start };
        pipes
    }

    /// Handles a reserved word at a place where a command can begin; returns whether there was one.
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
                self.uncertainty(Uncertainty::TimedCompound);
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
                self.uncertainty(Uncertainty::Group);
                open.push(Open::Brace);
            }
            "!" => {}
            "function" => self.uncertainty(Uncertainty::Function),
            "coproc" => self.uncertainty(Uncertainty::Coproc),
            "fi" => closes = Some(Open::If),
            "done" => closes = Some(Open::Loop),
            "}" => closes = Some(Open::Brace),
            "esac" => closes = Some(Open::Case(true)),
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
                (Some(Open::Case(_)), Open::Case(_)) => {}
                _ => self.uncertainty(Uncertainty::Syntax),
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
}
