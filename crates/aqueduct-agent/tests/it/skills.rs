//! Skills: prompts with files of their own, which user and model call.

use serde_json::{Value, json};

use crate::host::{Place, find, kinds, tool_results};

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
fn a_skill_says_who_may_call_it() {
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
    skill(&place, "lost", "description: d\ncontext: fork\nagent: nobody", "@say never");
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
    assert!(result(&host.turn()).contains("there is no agent \"nobody\""));
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
        assert!(results[0]["content"].as_str().unwrap().contains("needs approval"), "{results:?}");
    }
}

#[test]
fn skills_of_folders_above_beside_and_below_are_found() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write(".claude/skills/above/SKILL.md", "---\ndescription: d\n---\n@say above\n");
    place.write(".claude/commands/higher.md", "@say higher\n");
    place.write(".claude/agents/boss.md", "---\nname: boss\ndescription: d\n---\nx\n");
    place.write("beside/.claude/skills/beside/SKILL.md", "---\ndescription: d\n---\n@say beside\n");
    place.write("here/below/.claude/skills/below/SKILL.md", "---\ndescription: d\n---\n@say below\n");
    place.write("here/below/file.txt", "x\n");
    let beside = place.project().join("beside").display().to_string();
    let mut command =
        place.command(&["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]);
    command.current_dir(place.project().join("here"));
    let mut host = crate::host::Host::start(command);
    host.say("/above");
    let frames = host.turn();
    assert_eq!(result(&frames), "above");
    assert!(frames[0]["agents"].as_array().unwrap().contains(&json!("boss")));
    host.say("/higher");
    assert_eq!(result(&host.turn()), "higher");
    host.say(&format!("/add-dir {beside}"));
    host.turn();
    host.say("/beside");
    assert_eq!(result(&host.turn()), "beside");
    host.say(&format!("@tool Read {{\"file_path\":\"below/file.txt\"}}\n{}", call("below", "")));
    assert_eq!(result(&host.turn()), "below");
}
