//! Skills: prompts with files of their own, which user and model call.

use serde_json::{Value, json};

use crate::host::{Host, Place, STREAM, find, kinds, tool_results};

fn result(frames: &[Value]) -> String {
    find(frames, "result")["result"].as_str().unwrap_or_default().to_owned()
}

fn skill(place: &Place, name: &str, matter: &str, body: &str) {
    place.write(
        &format!(".claude/skills/{name}/SKILL.md"),
        &format!("---\nname: {name}\n{matter}\n---\n{body}\n"),
    );
}

fn call(name: &str, arguments: &str) -> String {
    format!("@tool Skill {}", json!({ "skill": name, "args": arguments }))
}

#[test]
fn user_and_model_call_a_skill() {
    let place = Place::new();
    skill(&place, "greet", "description: Greets people", "@say greeted $ARGUMENTS");
    let mut host = place.start(&[]);
    host.say("/greet Ann");
    let frames = host.turn();
    assert_eq!(frames[0]["skills"], json!(["greet"]));
    assert_eq!(result(&frames), "greeted Ann");
    host.say(&call("greet", "Zed"));
    let frames = host.turn();
    assert_eq!(
        kinds(&frames),
        [
            "system/init",
            "assistant/tool_use",
            "user/tool_result",
            "user/text",
            "assistant/text",
            "result/success"
        ]
    );
    assert_eq!(frames[2]["tool_use_result"], json!({ "success": true, "commandName": "greet" }));
    assert_eq!(frames[3]["isSynthetic"], true);
    let folder = place.project().join(".claude/skills/greet").display().to_string();
    assert!(frames[3]["message"]["content"][0]["text"].as_str().unwrap().contains(&folder));
    assert_eq!((&frames[5]["result"], &frames[5]["num_turns"]), (&json!("greeted Zed"), &json!(3)));
}

#[test]
fn skills_are_found_in_all_their_places() {
    let place = Place::new();
    skill(&place, "ours", "description: d", "@say ours");
    place.write_home(".claude/skills/mine/SKILL.md", "---\ndescription: d\n---\n@say mine\n");
    place.write_home(".config/claude/skills/other/SKILL.md", "---\ndescription: d\n---\n@say other\n");
    place.write(".claude/skills/no-skill/README.md", "nothing\n");
    let mut host = place.start(&[]);
    for name in ["ours", "mine", "other"] {
        host.say(&format!("/{name}"));
        let frames = host.turn();
        assert_eq!(result(&frames), name);
        assert_eq!(frames[0]["skills"], json!(["mine", "other", "ours"]));
    }
}

#[test]
fn a_skill_defines_whether_user_and_model_may_call_it() {
    let place = Place::new();
    skill(&place, "hidden", "description: d\nuser-invocable: false", "@say hidden");
    skill(&place, "manual", "description: d\ndisable-model-invocation: true", "@say manual");
    let mut host = place.start(&[]);
    host.say("/hidden");
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
    assert_eq!(find(&frames, "result")["num_turns"], 0);
    assert_eq!(frames[0]["skills"], json!(["manual"]));
    host.say(&call("hidden", ""));
    assert_eq!(result(&host.turn()), "hidden");
    host.say("/manual");
    assert_eq!(result(&host.turn()), "manual");
    host.say(&call("manual", ""));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    host.say(&call("nothing", ""));
    assert!(tool_results(&host.turn())[0]["content"].as_str().unwrap().contains("hidden"));
}

#[test]
fn a_skill_that_brings_rules_is_asked_about_and_then_has_them() {
    let place = Place::new();
    place.trust();
    let touch = "@tool Bash {\"command\":\"touch made\",\"description\":\"d\"}";
    skill(&place, "maker", "description: d\nallowed-tools: [Bash(touch:*)]", &format!("{touch}\n@say made"));
    let mut host = place.start(&[]);
    host.say(&call("maker", ""));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    assert!(place.read("made").is_none());
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say(&call("maker", ""));
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "Skill");
    host.answer(&request, &json!({ "behavior": "allow" }));
    assert_eq!(result(&host.turn()), "made");
    assert!(place.read("made").is_some());
}

#[test]
fn a_skill_that_wants_a_conversation_of_its_own_has_one() {
    let place = Place::new();
    skill(&place, "forked", "description: d\ncontext: fork\nagent: Explore", "@say forked $ARGUMENTS");
    skill(&place, "lost", "description: d\ncontext: fork\nagent: missing", "@say never");
    let mut host = place.start(&[]);
    for prompt in ["/forked for Ada", &call("forked", "for Ada")] {
        host.say(prompt);
        let frames = host.turn();
        let started = frames.iter().find(|frame| frame["subtype"] == "task_started").unwrap();
        assert_eq!(
            (&started["subagent_type"], &started["description"]),
            (&json!("Explore"), &json!("forked"))
        );
        let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
        assert_eq!(ended["summary"], "forked for Ada");
    }
    host.say("/lost");
    assert!(result(&host.turn()).contains("unknown agent type \"missing\""));
}

#[test]
fn a_host_chooses_the_skills_of_the_model() {
    let place = Place::new();
    skill(&place, "one", "description: d", "@say one");
    skill(&place, "two", "description: d", "@say two");
    let mut host = place.start(&[]);
    host.ask(&json!({ "subtype": "initialize", "skills": ["two"] }));
    host.say(&call("one", ""));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    host.say(&call("two", ""));
    assert_eq!(result(&host.turn()), "two");
}

#[test]
fn skills_are_found_above_below_and_beside() {
    let place = Place::new();
    let file = |name: &str| format!("---\nname: {name}-skill\ndescription: d\n---\n@say {name}\n");
    for (path, name) in [
        ("repo/.claude/skills/top/SKILL.md", "top"),
        ("repo/work/sub/.claude/skills/inner/SKILL.md", "inner"),
        (".claude/skills/outside/SKILL.md", "outside"),
        ("other/.claude/skills/added/SKILL.md", "added"),
    ] {
        place.write(path, &file(name));
    }
    place.write("repo/.claude/commands/above.md", "@say above");
    place.write("repo/.claude/agents/helper.md", "---\nname: helper\ndescription: d\n---\nHelp.\n");
    place.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    place.write("repo/work/sub/file.txt", "text\n");
    let other = place.project().join("other").display().to_string();
    let mut command = place.command(&[STREAM, &["--add-dir", &other]].concat());
    command.current_dir(place.project().join("repo/work"));
    let mut host = Host::start(command);
    host.say("/top");
    let frames = host.turn();
    assert_eq!(result(&frames), "top");
    assert_eq!(frames[0]["skills"], json!(["added", "top"]));
    assert!(frames[0]["agents"].as_array().unwrap().contains(&json!("helper")));
    host.say("/above");
    assert_eq!(result(&host.turn()), "above");
    // By the name that it gives itself as well.
    host.say("/added-skill");
    assert_eq!(result(&host.turn()), "added");

    host.say("@tool Read {\"file_path\":\"sub/file.txt\"}\n@tool Skill {\"skill\":\"inner\"}");
    let frames = host.turn();
    assert!(frames.iter().any(|frame| frame["subtype"] == "commands_changed"), "{frames:#?}");
    assert_eq!(result(&frames), "inner");
}

#[test]
fn hooks_of_a_skill_hold_once_it_was_called() {
    let place = Place::new();
    let matter = "description: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo not with this skill >&2; exit 2\n  UserPromptSubmit:\n    - hooks:\n      - {type: command, command: 'echo ran >> once', once: true}\n  Bogus: []";
    skill(&place, "guard", matter, "@say guarded");
    place.trust();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let touch = |name: &str| format!("@tool Bash {}", json!({ "command": format!("touch {name}") }));
    host.say(&touch("before"));
    host.turn();
    assert!(place.read("before").is_some());
    host.say("/guard");
    assert_eq!(result(&host.turn()), "guarded");
    for name in ["one", "two"] {
        host.say(&touch(name));
        assert!(result(&host.turn()).contains("not with this skill"));
        assert_eq!(place.read(name), None);
    }
    assert_eq!(place.read("once").as_deref(), Some("ran\n"));
    host.say("/clear");
    host.turn();
    host.say(&touch("after"));
    host.turn();
    assert!(place.read("after").is_some());

    let output = place.command(&["-p", "@say hi"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("SKILL.md:13: hooks.Bogus is not an event; its hooks never run"), "{stderr}");
}

#[test]
fn hooks_of_a_skill_need_trust() {
    let place = Place::new();
    let matter = "description: d\nhooks:\n  UserPromptSubmit:\n    - hooks:\n      - {type: command, command: touch made}";
    skill(&place, "odd", matter, "@say odd");
    let mut host = place.start(&[]);
    host.say("/odd");
    let frames = host.turn();
    assert!(
        frames.iter().any(|frame| frame["content"] == "hooks of /odd don't run: this folder is not trusted.")
    );
    host.say("@say more");
    host.turn();
    assert_eq!(place.read("made"), None);
}

#[test]
fn a_skill_is_called_by_its_folder_and_by_its_own_name() {
    let place = Place::new();
    place.write(".claude/skills/folder/SKILL.md", "---\nname: own\ndescription: d\n---\n@say called\n");
    let mut host = place.start(&[]);
    for prompt in ["/folder", "/own", &call("folder", ""), &call("own", ""), &call("/own", "")] {
        host.say(prompt);
        let frames = host.turn();
        assert_eq!(frames[0]["skills"], json!(["folder"]));
        assert_eq!(result(&frames), "called", "{prompt}");
    }
}

#[test]
fn a_skill_with_rules_is_asked_about_however_it_is_written() {
    let place = Place::new();
    place.trust();
    skill(&place, "armed", "description: d\nallowed-tools: Bash", "@say armed");
    let mut host = place.start(&[]);
    for name in ["armed", "/armed"] {
        host.say(&call(name, ""));
        let results = tool_results(&host.turn());
        assert!(
            results[0]["content"].as_str().unwrap().contains("you haven't granted it yet"),
            "{results:?}"
        );
    }
}
