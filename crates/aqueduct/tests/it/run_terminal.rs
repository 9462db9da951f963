//! `aqueduct run` at a terminal: what is asked, what is answered, Ctrl-C.

use std::fs;

use serde_json::json;

use crate::terminal::{Place, is_alive, steady};

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// What is on the screen, without what differs from run to run.
fn shown(place: &Place, screen: &str) -> String {
    steady(&screen.replace(place.project().to_str().unwrap(), "/proj"))
}

fn bash(command: &str) -> String {
    format!("@tool Bash {}", json!({ "command": command, "description": "Do it" }))
}

#[test]
fn a_permission_is_asked_for_and_given_once() {
    let place = Place::new();
    let prompt = format!("{}\n{}\n@say Done.", bash("touch one\ntouch two"), bash("touch three"));
    let mut terminal = place.run(&[&prompt]).at_a_terminal();
    terminal.expect("touch two").expect("[y/a/n/s]").send("y\n");
    terminal.expect("touch three").expect("[y/a/n/s]").send("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown(&place, &screen), @r#"
    ! no key and no address of an API is set: the scripted demo model answers
      Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one
    · built-in agent 2.1.325 · scripted · mode default · /proj
    ? The agent wants to use Bash:
        touch one
        touch two
      for: Do it
      asked because: no rule allows `touch one`
      y          yes, this once
      a          yes, and from now on allow Bash(touch one), Bash(touch two) (for you in this project, in .claude/settings.local.json)
      a2         yes, and from now on mode acceptEdits (until this session ends)
      all        yes, and from now on all of these
      n [WORDS]  no, and why
      s          stop the run
      [y/a/n/s] y
    ✓ Bash  touch one\ntouch two  (Bash completed with no output)
    ? The agent wants to use Bash:
        touch three
      for: Do it
      asked because: no rule allows `touch three`
      y          yes, this once
      a          yes, and from now on allow Bash(touch three) (for you in this project, in .claude/settings.local.json)
      a2         yes, and from now on mode acceptEdits (until this session ends)
      all        yes, and from now on all of these
      n [WORDS]  no, and why
      s          stop the run
      [y/a/n/s] n
    ✗ Bash  touch three  The user does not want this. Ask what to do instead, or find another way.
    Done.
    ─ 3 model turns · TIME · 480 tokens in (150 cached), 36 out · 1 denied · session ID
    "#);
    assert!(place.project().join("two").exists() && !place.project().join("three").exists());
}

#[test]
fn always_is_for_the_rule_that_is_shown() {
    let place = Place::new();
    let prompt = format!("{}\n{}\n@say Done.", bash("mkdir -p deep"), bash("mkdir -p deep"));
    let mut terminal = place.run(&[&prompt]).at_a_terminal();
    terminal.expect("from now on allow Bash(").expect("[y/a/n/s]").send("a\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert_eq!(screen.matches("wants to use").count(), 1, "{screen}");
    let settings = fs::read_to_string(place.project().join(".claude/settings.local.json")).unwrap();
    let rule = screen.split("from now on allow ").nth(1).unwrap().split(" (for you").next().unwrap();
    assert!(settings.contains(&format!("{rule:?}")), "{rule} {settings}");
    assert!(!screen.contains("mode acceptEdits\n"), "only what was chosen: {screen}");
}

#[test]
fn a_no_may_have_a_reason() {
    let place = Place::new();
    let mut terminal = place.run(&[&bash("mv a b")]).at_a_terminal();
    terminal
        .expect("[y/a/n/s]")
        .send("maybe\n")
        .expect("Answer y, n or s")
        .expect("[y/a/n/s]")
        .send("n use git mv\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert!(screen.contains("after: use git mv"), "the model received it: {screen}");
}

#[test]
fn a_run_can_be_stopped_with_an_answer() {
    let place = Place::new();
    let mut terminal = place.run(&[&bash("mv a b")]).at_a_terminal();
    terminal.expect("[y/a/n/s]").send("s\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 130);
    assert!(screen.contains("■ interrupted"), "{screen}");
}

#[test]
fn the_end_of_the_terminals_input_is_a_no() {
    let place = Place::new();
    let mut terminal = place.run(&[&bash("mv a b")]).at_a_terminal();
    terminal.expect("[y/a/n/s]").send(CTRL_D);
    let (code, screen) = terminal.end();
    assert!(code == 0 && screen.contains("after: The user does not want this."), "{screen}");
}

#[test]
fn what_was_typed_before_the_question_is_not_an_answer() {
    let place = Place::new();
    let option = |label: &str| json!({ "label": label, "description": "" });
    let question = json!({ "questions": [
        { "question": "First?", "header": "F", "multiSelect": false, "options": [option("A"), option("B")] }] });
    let prompt = format!("@tool AskUserQuestion {question}\n{}", bash("touch early"));
    let mut terminal = place.run(&[&prompt]).at_a_terminal();
    // The answer to the first question, and one to a question that is not shown yet.
    terminal.expect("your own words]").send("1\ny\n");
    terminal.expect("[y/a/n/s]").send("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert!(!place.project().join("early").exists(), "{screen}");
}

#[test]
fn questions_are_answered_by_number_or_in_words() {
    let place = Place::new();
    let option = |label: &str| json!({ "label": label, "description": format!("like {label}") });
    let questions = json!({ "questions": [
        { "question": "Which blues?", "header": "Colour", "multiSelect": true, "options": [option("Navy"), option("Sky"), option("Teal")] },
        { "question": "Which font?", "header": "Font", "multiSelect": false, "options": [option("Serif"), option("Mono")] },
        { "question": "Anything else?", "header": "Else", "multiSelect": false, "options": [option("No"), option("Yes")] },
    ] });
    let mut terminal =
        place.run(&[&format!("@tool AskUserQuestion {questions}\n@say Thanks.")]).at_a_terminal();
    terminal.expect("your own words]").send("1,3\n");
    terminal
        .expect("your own words]")
        .send("7\n")
        .expect("No option has that number")
        .expect("words]")
        .send("2\n");
    terminal.expect("your own words]").send("more \u{1f600} please\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown(&place, &screen), @r#"
    ! no key and no address of an API is set: the scripted demo model answers
      Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one
    · built-in agent 2.1.325 · scripted · mode default · /proj
    ? Which blues?  Colour
      1  Navy  like Navy
      2  Sky  like Sky
      3  Teal  like Teal
      [numbers such as 1,3, or your own words] 1,3
    ? Which font?  Font
      1  Serif  like Serif
      2  Mono  like Mono
      [a number, or your own words] 7
      No option has that number.
      [a number, or your own words] 2
    ? Anything else?  Else
      1  No  like No
      2  Yes  like Yes
      [a number, or your own words] more 😀 please
    ✓ AskUserQuestion  3 questions  The user has answered: "Which blues?"="Navy, Teal", "Which font?"="…
    Thanks.
    ─ 2 model turns · TIME · 320 tokens in (100 cached), 24 out · session ID
    "#);
}

#[test]
fn a_plan_is_shown_and_carried_out_when_it_is_agreed_to() {
    let place = Place::new();
    let plan = format!("@tool ExitPlanMode {}", json!({ "plan": "# Plan\n\n1. Make it\n2. Test it" }));
    let mut terminal =
        place.run(&["--permission-mode", "plan", &format!("{plan}\n{plan}\n@say Started.")]).at_a_terminal();
    terminal.expect("has a plan:").expect("2. Test it").expect("n/s]").send("n write tests first\n");
    terminal.expect("has a plan:").expect("n/s]").send("y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert!(screen.contains("write tests first") && screen.contains("Started."), "{screen}");
}

#[test]
fn ctrl_c_interrupts_and_prints_what_there_was() {
    let place = Place::new();
    let mut terminal = place.run(&["@slow 1000 0.05"]).at_a_terminal();
    terminal
        .expect("w0 w1 w2")
        .send(CTRL_C)
        .expect("■ interrupting")
        .expect("■ interrupted")
        .expect("session ");
    let (code, screen) = terminal.end();
    assert_eq!(code, 130);
    assert!(!screen.contains("w999"), "{screen}");
}

#[test]
fn ctrl_c_takes_a_question_back() {
    let place = Place::new();
    let mut terminal = place.run(&[&bash("mv a b")]).at_a_terminal();
    terminal.expect("[y/a/n/s]").send(CTRL_C).expect("■ no longer asked");
    let (code, screen) = terminal.end();
    assert_eq!(code, 130, "{screen}");
}

#[test]
fn a_second_ctrl_c_ends_an_agent_that_does_not_listen() {
    let place = Place::new();
    let answer =
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"ID","response":{}}}"#;
    let init = r#"{"type":"system","subtype":"init","session_id":"s","model":"deaf","cwd":"/","permissionMode":"default"}"#;
    let pid = place.aside("pid");
    let script = format!(
        r#"trap '' INT TERM; echo $$ > {}; read -r line; id=${{line#*\"request_id\":\"}}; id=${{id%%\"*}}; answer='{answer}'
        echo "${{answer/ID/$id}}"; read -r prompt; echo '{init}'; while true; do read -r ignored || sleep 1; done"#,
        pid.display()
    );
    let agent = place.script("agent", &script);
    let mut terminal = place.run(&["--agent", agent.to_str().unwrap(), "hi"]).at_a_terminal();
    terminal.expect("· deaf ·").send(CTRL_C).expect("■ interrupting").send(CTRL_C);
    let program = terminal.pid();
    let (code, screen) = terminal.end();
    assert_eq!(code, 130, "{screen}");
    let agent: u32 = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    assert!(!is_alive(agent) && !is_alive(program));
}

#[test]
fn a_prompt_on_stdin_leaves_the_terminal_for_questions() {
    let place = Place::new();
    let mut terminal = place
        .run(&["and", "then:"])
        .stdin(&format!("{}\n@say Done.", bash("touch asked")))
        .stdout_to_file()
        .at_a_terminal();
    terminal.expect("[y/a/n/s]").send("y\n");
    let (code, _) = terminal.end();
    assert_eq!(code, 0);
    assert!(place.project().join("asked").exists());
    assert_eq!(
        fs::read_to_string(place.aside("stdout")).unwrap(),
        "Done.\n",
        "questions are not in the answer"
    );
}

#[test]
fn the_user_is_not_asked_if_that_is_switched_off() {
    let place = Place::new();
    let terminal = place.run(&["--no-ask", &format!("{}\n@say Well.", bash("touch asked"))]).at_a_terminal();
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert!(screen.contains("! no user could be asked") && !screen.contains("[y/"), "{screen}");
}

#[test]
fn what_is_asked_about_can_not_hide() {
    let place = Place::new();
    let path = place.project().join("a\u{202e}gnp.sh\u{1b}[2K");
    let call =
        format!("@tool Write {}", json!({ "file_path": path, "content": "echo \u{1b}[8mhidden\u{200b}\n" }));
    let mut terminal = place.run(&[&format!("{call}\n@say ok")]).at_a_terminal();
    terminal.expect(r"a\u{202e}gnp.sh\x1b[2K").expect(r"echo \x1b[8mhidden\u{200b}");
    terminal.expect("can't be seen").expect("n/s]").send("n\n");
    let (_, screen) = terminal.end();
    assert!(!screen.contains('\u{1b}') && !screen.contains('\u{202e}'), "{screen:?}");
}

#[test]
fn frames_are_passed_on_while_the_user_is_asked() {
    let place = Place::new();
    let mut terminal = place
        .run(&["-o", "stream-json", &format!("{}\n@say Done.", bash("touch asked"))])
        .stdout_to_file()
        .at_a_terminal();
    terminal.expect("[y/a/n/s]");
    let frames = fs::read_to_string(place.aside("stdout")).unwrap();
    assert!(frames.contains("\"subtype\":\"can_use_tool\""), "{frames}");
    terminal.send("y\n");
    let (code, _) = terminal.end();
    assert_eq!(code, 0);
}
