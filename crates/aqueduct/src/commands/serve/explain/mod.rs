//! What a tool call would do, for those who have to decide about it: its parts with what the rules say of each, and
//! the rules that would let it through from now on.

mod describe;
mod known;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use aqueduct_bridge::message::bridge::{PartVerdict, PermissionPart};
use aqueduct_bridge::settings::{Call, Explain, Explanation};
use aqueduct_rules::{
    Behavior, Context, Decision, Operation, Part, Rule, Source, decide, git_directories, paths,
};
use aqueduct_wire::json::Str;
use aqueduct_wire::permission::Destination;

use self::describe::describe;
use self::known::Known;
use crate::commands::rules::{self, Folders};

/// How long a session waits for an explanation. Without one people see the call itself, which is what counts.
const PATIENCE: Duration = Duration::from_millis(150);

/// Calls with more input than this are not explained.
const LARGEST: usize = 256 * 1024;

/// Explains calls, on a thread of its own: files may be on a disk that does not answer.
pub(super) struct Explainer {
    line: Mutex<Line>,
}

/// The way to the thread and back. One asks at a time.
struct Line {
    questions: SyncSender<Question>,
    answers: Receiver<(u64, Explanation)>,
    asked: u64,
}

/// A call to be explained.
struct Question {
    number: u64,
    tool: String,
    input: String,
    project: std::path::PathBuf,
    mode: Option<String>,
}

impl Explainer {
    /// Starts the thread. It ends when the explainer is dropped.
    pub(super) fn start(folders: Folders) -> std::io::Result<Self> {
        let (questions, asked) = sync_channel::<Question>(1);
        let (answer, answers) = sync_channel(1);
        thread::Builder::new().name("explain".to_owned()).spawn(move || {
            let mut known = Known::new(folders);
            while let Ok(question) = asked.recv() {
                let explanation = known.explain(&question).unwrap_or_default();
                if answer.send((question.number, explanation)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Explainer { line: Mutex::new(Line { questions, answers, asked: 0 }) })
    }
}

impl Explain for Explainer {
    fn explain(&self, call: &Call<'_>) -> Explanation {
        if call.input.len() > LARGEST {
            return Explanation::default();
        }
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.asked += 1;
        let number = line.asked;
        let question = Question {
            number,
            tool: call.tool.to_owned(),
            input: call.input.to_owned(),
            project: call.project.to_owned(),
            mode: call.mode.map(str::to_owned),
        };
        // An answer that came too late last time is in the way.
        while line.answers.try_recv().is_ok() {}
        if line.questions.try_send(question).is_err() {
            return Explanation::default();
        }
        loop {
            match line.answers.recv_timeout(PATIENCE) {
                Ok((answered, explanation)) if answered == number => return explanation,
                Ok(_) => {}
                Err(_) => return Explanation::default(),
            }
        }
    }

    fn describe(&self, rule: &str) -> Option<String> {
        Rule::parse(rule).ok().map(|rule| describe(&rule))
    }
}

impl Known {
    fn explain(&mut self, question: &Question) -> Option<Explanation> {
        let input = serde_json::from_str(&question.input).ok()?;
        let mut context = self.context(&question.project)?;
        if let Some(mode) = question.mode.as_deref().and_then(|mode| mode.parse().ok()) {
            // One that this context can't enter is none that the agent is in either.
            let _ = context.set_mode(mode);
        }
        let call = aqueduct_rules::Call::new(&question.tool, &input);
        let resolved = rules::resolve(paths(&context, &call));
        let repositories = rules::repositories(&question.project, git_directories(&context, &call));
        let call = call.with_resolved(&resolved).with_repositories(&repositories);
        let decision = decide(&context, &call);
        let rules = rules_for(&context, &call, &decision);
        Some(Explanation { parts: decision.parts.iter().map(part).collect(), rules })
    }
}

/// The rules that would let a call through, narrowest first: for one command the command itself, then what is suggested.
fn rules_for(
    context: &Context,
    call: &aqueduct_rules::Call<'_>,
    decision: &Decision,
) -> Vec<(String, Destination<'static>, Option<String>)> {
    let mut found: Vec<(Rule, Source)> = Vec::new();
    for suggestion in &decision.suggestions {
        let Operation::AddRules { rules, behavior: Behavior::Allow, destination } = suggestion else {
            continue;
        };
        found.extend(rules.iter().map(|rule| (rule.clone(), *destination)));
    }
    if let ([part], [(wider, destination)]) = (&decision.parts[..], &found[..]) {
        let exact = Rule::with_content(&wider.tool_name, &part.command);
        if exact != *wider && is_enough(context, call, &exact) {
            found.insert(0, (exact, *destination));
        }
    }
    found
        .into_iter()
        .map(|(rule, source)| {
            (rule.to_string(), Destination::from(Str::from(source.name())), Some(describe(&rule)))
        })
        .collect()
}

/// Whether a rule says, once it is written down, that a call may run.
fn is_enough(context: &Context, call: &aqueduct_rules::Call<'_>, rule: &Rule) -> bool {
    let text = rule.to_string();
    if !Rule::parse(&text).is_ok_and(|read| read == *rule) || text.contains('*') {
        return false;
    }
    let mut context = context.clone();
    context.add_rules(Source::Session, Behavior::Allow, [text]);
    decide(&context, call).behavior == Behavior::Allow
}

/// A part of a call as clients are told.
fn part(part: &Part) -> PermissionPart<'static> {
    let texts =
        |texts: &[String]| (!texts.is_empty()).then(|| texts.iter().cloned().map(Str::from).collect());
    let mut told = PermissionPart::new(part.command.clone());
    told.program = program(&part.command).map(|program| program.to_owned().into());
    told.reads = texts(&part.reads);
    told.writes = texts(&part.writes);
    told.connects = part.network.then(|| hosts(&part.command)).and_then(|hosts| texts(&hosts));
    told.verdict = Some(match part.behavior {
        Behavior::Allow => PartVerdict::Allow,
        Behavior::Ask => PartVerdict::Ask,
        Behavior::Deny => PartVerdict::Deny,
    });
    told.reason = Some(part.because.clone().into());
    told
}

/// The program of a command: its first word, behind assignments.
fn program(command: &str) -> Option<&str> {
    let is_assignment = |word: &&str| {
        word.split_once('=')
            .is_some_and(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    };
    command.split_whitespace().find(|word| !is_assignment(word))
}

/// The hosts of the URLs in a command.
fn hosts(command: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    for (at, _) in command.match_indices("://") {
        let rest = &command[at + 3..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-._@:[]%".contains(c))).unwrap_or(rest.len());
        let host = rest[..end].rsplit('@').next().unwrap_or_default().to_owned();
        if !host.is_empty() && !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}

#[cfg(test)]
mod tests;
