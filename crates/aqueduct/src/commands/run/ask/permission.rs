//! May this tool run?

use std::io;

use aqueduct_client::{Permission, PermissionRequest};
use aqueduct_wire::permission::{Destination, ModeUpdate, PermissionMode, PermissionUpdate};

use super::input::{ShownInput, shown};
use super::rule;
use super::tty::Tty;
use crate::terminal::{Ink, plain, title};

/// The tool that asks whether a plan may be carried out.
pub(super) const PLAN: &str = "ExitPlanMode";

/// What the model receives if the user gives no reason.
const NO_REASON: &str = "The user does not want this. Ask what to do instead, or find another way.";

/// What the model receives if the user keeps a plan from being carried out without a reason.
const NO_PLAN: &str = "The user does not agree with the plan yet. Ask what should change.";

/// How many suggestions have a key.
const MOST_KEYS: usize = 9;

/// The key for all suggestions. It is in no sequence that a key of a terminal sends.
const ALL_KEY: char = '*';

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PermissionChoice {
    Yes,
    /// Yes, and the suggestion of this number holds from now on.
    Always(usize),
    /// Yes, and all suggestions hold from now on.
    AlwaysAll,
    No(String),
    Stop,
    /// It can't be made out.
    Unclear,
}

/// Asks until there is an answer.
///
/// `plan` is the plan that is asked about, where the request does not hold it; `cwd` is the agent's working directory.
pub(super) async fn ask(
    request: &PermissionRequest,
    plan: Option<&str>,
    cwd: Option<&str>,
    tty: &mut Tty,
    ink: Ink,
) -> io::Result<Permission> {
    let suggestions = suggestions(request);
    let question = PermissionQuestion::new(request, plan, cwd, &suggestions);
    let keys = tty.takes_keys();
    tty.write(&question.text(ink, keys))?;
    loop {
        let answer = match keys {
            true => match tty.key(&question.prompt(ink, keys)).await? {
                Some('r' | 'R') => tty.line(&question.reason_prompt(ink)).await?.map(PermissionChoice::No),
                key => key.map(|key| question.read_key(key)),
            },
            false => tty.line(&question.prompt(ink, keys)).await?.map(|line| question.read(&line)),
        };
        let answer = answer.unwrap_or(PermissionChoice::No(String::new()));
        match answer {
            PermissionChoice::Yes => return Ok(Permission::allow()),
            PermissionChoice::Always(number) => {
                let chosen = suggestions.get(number).cloned();
                return Ok(Permission::allow_always(chosen.into_iter().collect()));
            }
            PermissionChoice::AlwaysAll => return Ok(Permission::allow_always(suggestions)),
            PermissionChoice::No(reason) if reason.is_empty() => {
                return Ok(Permission::deny(if question.is_plan { NO_PLAN } else { NO_REASON }));
            }
            PermissionChoice::No(reason) => return Ok(Permission::deny(reason)),
            PermissionChoice::Stop => return Ok(Permission::deny_and_interrupt("The user stopped the run.")),
            PermissionChoice::Unclear if keys => tty.write("  Press one of the keys that are listed.\n")?,
            PermissionChoice::Unclear => tty.write("  Answer y, n or s, as listed.\n")?,
        }
    }
}

/// What "always" may be: what the agent suggests, as far as it is to be offered. After a plan, edits may be let
/// through.
fn suggestions(request: &PermissionRequest) -> Vec<PermissionUpdate<'static>> {
    if request.request().suppress_always_allow_rule == Some(true) {
        return Vec::new();
    }
    match (request.tool(), request.suggestions()) {
        (PLAN, []) => {
            let mut update = ModeUpdate::new(PermissionMode::AcceptEdits);
            update.destination = Some(Destination::Session);
            vec![PermissionUpdate::SetMode(update)]
        }
        (_, suggestions) => suggestions.to_vec(),
    }
}

/// What is asked, ready to be shown.
#[derive(Debug)]
struct PermissionQuestion {
    tool: String,
    is_plan: bool,
    by_subagent: bool,
    input: ShownInput,
    /// The model's description of the call.
    purpose: Option<String>,
    /// Why it is asked.
    reason: Option<String>,
    /// What "always" would do, one for each suggestion of the agent; none where that is not offered.
    always: Vec<String>,
    /// Enter alone means no.
    defaults_to_no: bool,
}

impl PermissionQuestion {
    fn new(
        request: &PermissionRequest,
        plan: Option<&str>,
        cwd: Option<&str>,
        suggestions: &[PermissionUpdate<'_>],
    ) -> Self {
        let all = request.request();
        let mut input = shown(request.tool(), request.input(), cwd);
        if let Some(plan) = plan {
            input.text(plan);
        }
        PermissionQuestion {
            tool: request.tool().to_owned(),
            is_plan: request.tool() == PLAN,
            by_subagent: all.agent_id.is_some(),
            input,
            purpose: all.description.as_deref().map(str::to_owned).filter(|text| !text.trim().is_empty()),
            reason: all.decision_reason.as_deref().map(str::to_owned).filter(|text| !text.trim().is_empty()),
            always: suggestions.iter().map(rule::describe).collect(),
            defaults_to_no: all.default_to_no == Some(true),
        }
    }

    /// Everything above the input line. Text of the agent in it is made harmless. `keys` is whether a single key answers.
    fn text(&self, ink: Ink, keys: bool) -> String {
        let who = if self.by_subagent { "A subagent" } else { "The agent" };
        let what = match self.is_plan {
            true => format!("{who} has a plan:"),
            false => format!("{who} wants to use {}:", ink.bold(&plain(&title(&self.tool)))),
        };
        let mut text = format!("{} {what}\n", ink.yellow("?"));
        for (tone, line) in &self.input.lines {
            text.push_str(&format!("{}{line}{}\n", ink.begin(*tone), ink.end(*tone)));
        }
        if self.input.has_hidden {
            let warning =
                "  ! It holds characters that can't be seen: they are shown as \\x1b or \\u{202e} above.";
            text.push_str(&format!("{}\n", ink.red(warning)));
        }
        if let Some(purpose) = &self.purpose {
            text.push_str(&format!("  {}\n", ink.dim(&format!("for: {}", plain(purpose)))));
        }
        if let Some(reason) = &self.reason {
            text.push_str(&format!("  {}\n", ink.dim(&format!("asked because: {}", plain(reason)))));
        }
        let (yes, no) = match self.is_plan {
            true => ("yes, carry it out", "no, and what should change"),
            false => ("yes, this once", "no, and why"),
        };
        text.push_str(&format!("  y          {yes}\n"));
        for (number, rule) in self.always.iter().enumerate() {
            let key = match (number, keys) {
                (0, _) => "a".to_owned(),
                (_, false) => format!("a{}", number + 1),
                (..MOST_KEYS, true) => (number + 1).to_string(),
                _ => continue,
            };
            text.push_str(&format!("  {key:<9}  yes, and from now on {}\n", plain(rule)));
        }
        if self.always.len() > 1 {
            let all = if keys { ALL_KEY.to_string() } else { "all".to_owned() };
            text.push_str(&format!("  {all:<9}  yes, and from now on all of these\n"));
        }
        match keys {
            true => text.push_str(&format!("  n          no\n  r          {no}\n")),
            false => text.push_str(&format!("  n [WORDS]  {no}\n")),
        }
        text.push_str("  s          stop the run\n");
        text
    }

    fn prompt(&self, ink: Ink, keys: bool) -> String {
        let keys = match (self.always.is_empty(), keys) {
            (true, false) => "y/n/s",
            (false, false) => "y/a/n/s",
            (true, true) => "y/n/r/s",
            (false, true) => "y/a/n/r/s",
        };
        let default = if self.defaults_to_no { ", Enter is n" } else { "" };
        format!("{} ", ink.bold(&format!("  [{keys}{default}]")))
    }

    /// What is written before the words of a refusal.
    fn reason_prompt(&self, ink: Ink) -> String {
        format!("{} ", ink.bold(if self.is_plan { "  [what should change]" } else { "  [why]" }))
    }

    fn read_key(&self, key: char) -> PermissionChoice {
        match key.to_ascii_lowercase() {
            'y' => PermissionChoice::Yes,
            'a' => self.always(""),
            ALL_KEY if self.always.len() > 1 => PermissionChoice::AlwaysAll,
            key @ '2'..='9' => self.always(&key.to_string()),
            'n' => PermissionChoice::No(String::new()),
            's' => PermissionChoice::Stop,
            '\n' if self.defaults_to_no => PermissionChoice::No(String::new()),
            _ => PermissionChoice::Unclear,
        }
    }

    fn read(&self, line: &str) -> PermissionChoice {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "y" | "yes" if rest.is_empty() => PermissionChoice::Yes,
            "always" if rest.is_empty() && !self.always.is_empty() => PermissionChoice::Always(0),
            "all" if rest.is_empty() && self.always.len() > 1 => PermissionChoice::AlwaysAll,
            word if word.starts_with('a') && rest.is_empty() => self.always(&word[1..]),
            "n" | "no" => PermissionChoice::No(rest.trim().to_owned()),
            "s" | "stop" if rest.is_empty() => PermissionChoice::Stop,
            "" if self.defaults_to_no => PermissionChoice::No(String::new()),
            _ => PermissionChoice::Unclear,
        }
    }
}

impl PermissionQuestion {
    /// The suggestion of a number, as far as it is offered.
    fn always(&self, number: &str) -> PermissionChoice {
        let number = if number.is_empty() { Ok(1) } else { number.parse::<usize>() };
        match number {
            Ok(number) if (1..=self.always.len()).contains(&number) => PermissionChoice::Always(number - 1),
            _ => PermissionChoice::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;

    use super::*;

    fn question(input: &str, always: &[&str]) -> PermissionQuestion {
        PermissionQuestion {
            tool: "Bash".to_owned(),
            is_plan: false,
            by_subagent: false,
            input: shown("Bash", &Raw::parse(input).unwrap(), None),
            purpose: Some("Make a file".to_owned()),
            reason: None,
            always: always.iter().map(|&rule| rule.to_owned()).collect(),
            defaults_to_no: false,
        }
    }

    #[test]
    fn a_question_shows_the_whole_call() {
        let question =
            question(r#"{"command":"touch a\nrm b"}"#, &["allow Bash(touch *)", "work in /tmp too"]);
        insta::assert_snapshot!(format!("{}{}", question.text(Ink::new(false), false), question.prompt(Ink::new(false), false)), @r"
        ? The agent wants to use Bash:
            touch a
            rm b
          for: Make a file
          y          yes, this once
          a          yes, and from now on allow Bash(touch *)
          a2         yes, and from now on work in /tmp too
          all        yes, and from now on all of these
          n [WORDS]  no, and why
          s          stop the run
          [y/a/n/s]
        ");
    }

    #[test]
    fn a_key_answers_a_question() {
        let asked = question(r#"{"command":"touch a"}"#, &["allow Bash(touch *)", "work in /tmp too"]);
        insta::assert_snapshot!(format!("{}{}", asked.text(Ink::new(false), true), asked.prompt(Ink::new(false), true)), @r"
        ? The agent wants to use Bash:
            touch a
          for: Make a file
          y          yes, this once
          a          yes, and from now on allow Bash(touch *)
          2          yes, and from now on work in /tmp too
          *          yes, and from now on all of these
          n          no
          r          no, and why
          s          stop the run
          [y/a/n/r/s]
        ");
        assert_eq!(asked.read_key('Y'), PermissionChoice::Yes);
        assert_eq!(asked.read_key('a'), PermissionChoice::Always(0));
        assert_eq!(asked.read_key('2'), PermissionChoice::Always(1));
        assert_eq!(asked.read_key('*'), PermissionChoice::AlwaysAll);
        assert_eq!(asked.read_key('n'), PermissionChoice::No(String::new()));
        assert_eq!(asked.read_key('s'), PermissionChoice::Stop);
        for unclear in ['1', '3', '\n', 'x', 'o'] {
            assert_eq!(asked.read_key(unclear), PermissionChoice::Unclear, "{unclear}");
        }
        for unclear in ['a', '2', '*'] {
            assert_eq!(question("{}", &[]).read_key(unclear), PermissionChoice::Unclear, "not offered");
        }
    }

    #[test]
    fn a_question_can_do_nothing_to_the_terminal() {
        let mut hostile = question(r#"{"command":"ls \u001b[8m; rm -rf ~\u001b[0m\r"}"#, &["allow \x1b[2J"]);
        hostile.tool = "Bash\x1b[1A".to_owned();
        hostile.purpose = Some("fine\n  [y/n] y\x07".to_owned());
        hostile.reason = Some("\u{9b}2J".to_owned());
        let text = hostile.text(Ink::new(false), true);
        assert!(!text.chars().any(|char| char.is_control() && char != '\n'), "{text}");
        assert!(text.contains(r"    ls \x1b[8m; rm -rf ~\x1b[0m\x0d"), "{text}");
        assert!(text.contains("can't be seen"));
        assert!(text.contains(r"for: fine\n  [y/n] y\x07"), "a purpose has one line: {text}");
    }

    #[test]
    fn answers_are_read_as_they_are_meant() {
        let asked = question("{}", &["allow x", "mode y"]);
        assert_eq!(asked.read("y"), PermissionChoice::Yes);
        assert_eq!(asked.read("Yes"), PermissionChoice::Yes);
        assert_eq!(asked.read("a"), PermissionChoice::Always(0));
        assert_eq!(asked.read("A2"), PermissionChoice::Always(1));
        assert_eq!(asked.read("all"), PermissionChoice::AlwaysAll);
        assert_eq!(question("{}", &["allow x"]).read("all"), PermissionChoice::Unclear);
        assert_eq!(asked.read("n use git mv instead"), PermissionChoice::No("use git mv instead".to_owned()));
        assert_eq!(asked.read("s"), PermissionChoice::Stop);
        for unclear in ["", "yn", "y please", "1", "a b", "a0", "a3", "also"] {
            assert_eq!(asked.read(unclear), PermissionChoice::Unclear, "{unclear}");
        }
        assert_eq!(question("{}", &[]).read("a"), PermissionChoice::Unclear, "not offered");
        assert_eq!(
            PermissionQuestion { defaults_to_no: true, ..question("{}", &[]) }.read(""),
            PermissionChoice::No(String::new())
        );
    }
}
