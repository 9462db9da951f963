//! Several processes on one session: no process is refused, and no data is lost.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;

use aqueduct_testing::wait_until;
use serde_json::{Value, json};

use crate::host::{Host, Place, lines};

const ID: &str = "7c1f0d3a-52b8-4e0f-8b1e-6a3f9d2c4e10";

fn start(place: &Place, how: &str) -> Host {
    let flags = ["--dangerously-skip-permissions", "--replay-user-messages", "--include-partial-messages"];
    place.start(&[flags.as_slice(), &[how, ID]].concat())
}

fn turn(host: &mut Host, prompt: &str) -> Vec<Value> {
    host.say(prompt);
    host.turn()
}

/// The lines of the conversation that are chained.
fn chained(place: &Place) -> Vec<Value> {
    let text = fs::read_to_string(place.transcript(ID)).expect("a transcript");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["uuid"].is_string()).collect()
}

/// The messages from the first line up to this line, oldest first.
fn texts_up_to(lines: &[Value], uuid: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    let mut next = uuid.clone();
    while let Some(line) = lines.iter().find(|line| line["uuid"] == next) {
        let content = &line["message"]["content"];
        let text = content.as_str().or(content[0]["text"].as_str()).unwrap_or_default();
        texts.push(text.to_owned());
        next = line["parentUuid"].clone();
    }
    texts.reverse();
    texts
}

fn newest(lines: &[Value]) -> Vec<String> {
    texts_up_to(lines, &lines.last().expect("a line")["uuid"])
}

#[test]
fn an_idle_process_does_not_keep_others_from_its_session() {
    let place = Place::new();
    let mut first = start(&place, "--session-id");
    turn(&mut first, "@say one");
    let mut second = start(&place, "--resume");
    turn(&mut second, "@say two");
    let mut third = place.start(&["--continue"]);
    turn(&mut third, "@say three");
    turn(&mut first, "@say four");
    let all = ["@say one", "one", "@say two", "two", "@say three", "three", "@say four", "four"];
    assert_eq!(newest(&chained(&place)), all);
    for host in [first, second, third] {
        assert!(host.end().1.success());
    }
    let frames = turn(&mut start(&place, "--resume"), "@say five");
    assert_eq!(frames.last().expect("a result")["result"], "five");
    assert_eq!(newest(&chained(&place))[..8], all);
}

#[test]
fn those_that_work_at_the_same_time_are_both_served() {
    let place = Place::new();
    let mut first = start(&place, "--session-id");
    turn(&mut first, "@say one");
    let mut second = start(&place, "--resume");
    second.ask(&json!({ "subtype": "initialize" }));
    let call = "@tool Bash {\"command\":\"while [ ! -e go ]; do sleep 0.01; done\"}";
    first.say(&format!("{call}\n@say a"));
    first.until(|frame| frame["message"]["content"][0]["type"] == "tool_use");
    let frames = turn(&mut second, "@say b");
    assert_eq!(frames.last().expect("a result")["result"], "b");
    place.write("go", "");
    assert_eq!(first.turn().last().expect("a result")["result"], "a");
    turn(&mut first, "@say a2");
    turn(&mut second, "@say b2");
    let lines = chained(&place);
    assert_eq!(newest(&lines), ["@say one", "one", "@say b", "b", "@say b2", "b2"]);
    let of_first = lines.iter().find(|line| line["message"]["content"][0]["text"] == "a2").expect("a line");
    let texts = texts_up_to(&lines, &of_first["uuid"]);
    assert_eq!(texts.last().map(String::as_str), Some("a2"));
    assert!(texts.contains(&"a".to_owned()) && !texts.contains(&"b".to_owned()), "{texts:?}");
}

#[test]
fn a_prompt_that_another_process_served_is_not_served_again() {
    let place = Place::new();
    let mut first = start(&place, "--session-id");
    turn(&mut first, "@say one");
    let mut second = start(&place, "--resume");
    let uuid = "11111111-2222-4333-8444-555555555555";
    let prompt =
        json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": "@say two" } });
    second.send(&prompt);
    second.turn();
    first.send(&prompt);
    let frames = turn(&mut first, "@say three");
    assert_eq!(frames.last().expect("a result")["result"], "three");
    let served = chained(&place).iter().filter(|line| line["uuid"] == uuid).count();
    assert_eq!(served, 1);
    assert_eq!(newest(&chained(&place)), ["@say one", "one", "@say two", "two", "@say three", "three"]);
}

#[test]
fn a_session_that_was_deleted_is_written_again() {
    let place = Place::new();
    let mut host = start(&place, "--session-id");
    turn(&mut host, "@say one");
    fs::remove_file(place.transcript(ID)).expect("a transcript");
    turn(&mut host, "@say two");
    assert_eq!(newest(&chained(&place)), ["@say two", "two"]);
    assert!(host.end().1.success());
    turn(&mut start(&place, "--resume"), "@say three");
    assert_eq!(newest(&chained(&place)), ["@say two", "two", "@say three", "three"]);
}

/// Numbers that look random; the same for a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// What a host has seen and may rely on: the ids of messages, and the texts of prompts that were echoed.
fn acknowledged(frames: &[Value]) -> HashSet<String> {
    let is_said = |frame: &&Value| frame["type"] == "assistant" || frame["type"] == "user";
    frames.iter().filter(is_said).filter_map(|frame| frame["uuid"].as_str().map(str::to_owned)).collect()
}

#[test]
fn any_order_of_turns_and_kills_loses_nothing() {
    for seed in 0..6 {
        let place = Place::new();
        turn(&mut start(&place, "--session-id"), "@say begin");
        let mut dice = Dice(seed);
        let mut hosts = [start(&place, "--resume"), start(&place, "--resume")];
        let mut known = HashSet::new();
        for step in 0..12 {
            let which = dice.below(2) as usize;
            let other = 1 - which;
            let prompt =
                format!("@saytool s{step} | Bash {{\"command\":\"echo {step}\"}}\n@think hm | done {step}");
            match dice.below(4) {
                0 | 1 => known.extend(acknowledged(&turn(&mut hosts[which], &prompt))),
                2 => {
                    hosts[which].say(&prompt);
                    known.extend(acknowledged(&turn(&mut hosts[other], "@say meanwhile")));
                    known.extend(acknowledged(&hosts[which].turn()));
                }
                _ => {
                    hosts[which].say(&prompt);
                    let frames: Vec<Value> = (0..dice.below(30)).map_while(|_| hosts[which].next()).collect();
                    hosts[which].kill();
                    known.extend(acknowledged(&frames));
                    if dice.below(3) == 0 {
                        let mut file = fs::OpenOptions::new().append(true).open(place.transcript(ID));
                        let file = file.as_mut().expect("a transcript");
                        file.write_all(b"{\"type\":\"user\",\"uuid\":\"torn").expect("a torn line");
                    }
                    hosts[which] = start(&place, "--resume");
                    known.extend(acknowledged(&turn(&mut hosts[which], "@say resumed")));
                }
            }
            let text = fs::read_to_string(place.transcript(ID)).expect("a transcript");
            let lines: Vec<Value> = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| {
                    serde_json::from_str(line)
                        .unwrap_or_else(|error| panic!("{seed}/{step}: {error}: {line}"))
                })
                .collect();
            let written: HashSet<&str> = lines.iter().filter_map(|line| line["uuid"].as_str()).collect();
            for uuid in &known {
                assert!(written.contains(uuid.as_str()), "seed {seed}, step {step}: {uuid} is lost");
            }
            let mut before = HashSet::new();
            for line in lines.iter().filter(|line| line["uuid"].is_string()) {
                if let Some(parent) = line["parentUuid"].as_str() {
                    assert!(before.contains(parent), "seed {seed}, step {step}: {parent} is no line before");
                }
                before.insert(line["uuid"].as_str().expect("an id"));
            }
        }
        let frames = turn(&mut start(&place, "--resume"), "@say the end");
        assert_eq!(frames.last().expect("a result")["result"], "the end", "seed {seed}");
    }
}

#[test]
fn what_a_process_left_last_is_continued() {
    let place = Place::new();
    let mut first = start(&place, "--session-id");
    turn(&mut first, "@say one");
    turn(&mut first, "@say two");
    assert!(first.end().1.success());
    let one = chained(&place)[1]["uuid"].as_str().expect("an id").to_owned();
    // From further back, and killed before its turn ends.
    let mut back = place.start(&["--resume", ID, "--resume-session-at", &one]);
    back.say("@slow 100 1");
    back.until(|frame| frame["type"] == "system" && frame["subtype"] == "init");
    wait_until("the prompt is in the transcript", || {
        chained(&place).iter().any(|line| line["message"]["content"] == "@slow 100 1")
    });
    wait_until("the transcript names the last prompt", || {
        lines(&place.transcript(ID))
            .iter()
            .any(|line| line["lastPrompt"] == "@say two" && line["leafUuid"] != chained(&place)[3]["uuid"])
    });
    back.kill();
    turn(&mut start(&place, "--resume"), "@say three");
    // The turn that was killed is closed without an answer.
    let closed = "No response requested.";
    assert_eq!(newest(&chained(&place)), ["@say one", "one", "@slow 100 1", closed, "@say three", "three"]);
}
