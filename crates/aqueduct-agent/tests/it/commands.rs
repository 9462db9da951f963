//! Slash commands: those that come with the agent, and those of user and project.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, lines, tool_results};

/// The model's last message.
fn result(frames: &[Value]) -> String {
    find(frames, "result")["result"].as_str().unwrap_or_default().to_owned()
}

/// Sends a request and returns the response.
fn answer(place: &Place, arguments: &[&str], prompt: &str) -> String {
    let mut host = place.start(arguments);
    host.say(prompt);
    result(&host.turn())
}

#[test]
fn a_command_becomes_a_prompt_with_its_arguments() {
    let place = Place::new();
    place.write(
        ".claude/commands/hi.md",
        "---\ndescription: Say hi\nargument-hint: <name>\n---\n@say hi $ARGUMENTS, first $0, second $1\n",
    );
    place.write(".claude/commands/db/migrate.md", "@say migrating $ARGUMENTS\n");
    place.write_home(".claude/commands/mine.md", "@say mine\n");
    place.write_home(".claude/commands/hi.md", "@say the project has the last word\n");
    let id = "6a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e51";
    let mut host = place.start(&["--session-id", id]);
    let commands = host.ask(&json!({ "subtype": "initialize" }))["response"]["commands"].clone();
    let listed =
        |name: &str| commands.as_array().unwrap().iter().find(|command| command["name"] == name).cloned();
    let hi = listed("hi").unwrap();
    assert_eq!((&hi["description"], &hi["argumentHint"]), (&json!("Say hi (project)"), &json!("<name>")));
    assert_eq!(listed("mine").unwrap()["description"], "@say mine (user)");
    assert_eq!(listed("compact").unwrap()["builtin"], true);
    for (prompt, expected) in [
        ("/hi Bob 'Ann Lee'", "hi Bob 'Ann Lee', first Bob, second Ann Lee"),
        ("/db:migrate now", "migrating now"),
        ("/mine", "mine"),
    ] {
        host.say(prompt);
        let frames = host.turn();
        assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
        assert_eq!(result(&frames), expected);
        let names = frames[0]["slash_commands"].as_array().unwrap();
        assert!(["hi", "db:migrate", "mine", "compact"].iter().all(|name| names.contains(&json!(name))));
    }
    // An unknown command is sent to the model unchanged.
    host.say("/no-such-command\n@say as you say");
    assert_eq!(result(&host.turn()), "as you say");
    host.end();
    let mut kept = lines(&place.transcript(id));
    kept.retain(|line| line["type"] != "queue-operation");
    assert_eq!(
        kept[0]["message"]["content"],
        "<command-message>hi</command-message>\n<command-name>/hi</command-name>\n<command-args>Bob 'Ann Lee'</command-args>"
    );
    assert_eq!(kept[1]["isMeta"], true);
}

#[test]
fn only_the_sources_that_count_have_commands() {
    let place = Place::new();
    place.write(".claude/commands/ours.md", "@say ours\n");
    place.write_home(".claude/commands/mine.md", "@say mine\n");
    let names = |sources: &str| {
        let mut host = place.start(&[&format!("--setting-sources={sources}")]);
        host.say("@say hi");
        let init = host.turn().remove(0);
        let names = init["slash_commands"].as_array().unwrap().clone();
        ["ours", "mine"].map(|name| names.contains(&json!(name)))
    };
    assert_eq!(names("user"), [false, true]);
    assert_eq!(names("project"), [true, false]);
    assert_eq!(names(""), [false, false]);
    assert_eq!(answer(&place, &["--disable-slash-commands"], "/ours\n@say off"), "off");
}

#[test]
fn a_command_brings_output_files_rules_and_a_model() {
    let place = Place::new();
    place.trust();
    place.write("data.txt", "the data\n");
    place.write(
        ".claude/commands/all.md",
        "---\nallowed-tools: Bash(touch:*), Bash(echo:*)\nmodel: claude-haiku-4-5\n---\nBranch: !`echo main $0`\nSee @data.txt and @missing.\n@tool Bash {\"command\":\"touch made\",\"description\":\"d\"}\n@say done\n",
    );
    let id = "6a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e52";
    let mut host = place.start(&["--session-id", id]);
    host.say("/all x");
    let frames = host.turn();
    assert_eq!(result(&frames), "done");
    assert!(place.read("made").is_some(), "{frames:#?}");
    let model = frames.iter().find(|frame| frame["type"] == "assistant").unwrap()["message"]["model"].clone();
    assert_eq!(model, "claude-haiku-4-5");
    // The rules and the model apply to this turn only.
    host.say("@tool Bash {\"command\":\"touch again\",\"description\":\"d\"}");
    let frames = host.turn();
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    assert_ne!(frames[0]["model"], "claude-haiku-4-5");
    host.end();
    let transcript = std::fs::read_to_string(place.transcript(id)).unwrap();
    assert!(transcript.contains("Branch: main x") && transcript.contains("the data"));
}

#[test]
fn what_is_no_rule_in_front_matter_grants_nothing() {
    let place = Place::new();
    place.trust();
    let rights = [
        "allowed-tools: # Bash is too dangerous\n- Read",
        "allowed-tools: |\n  Read\n  # Bash\n  Grep",
        "allowed-tools: [Read, # Bash\n  Grep]",
        "allowed-tools: Bash (ls:*)",
        "allowed-tools: [Bash(echo a, Bash, b)]",
        "description: x\n# allowed-tools: Bash\nallowed-tools:",
        "allowed-tools: Bash\nodd: *x",
        "allowed-tools: Read\n\"allowed-tools\": Bash",
        "metadata: {allowed-tools: Bash}\nallowed-tools: true",
        // If a guard hook is invalid, the permissions next to it must not be granted.
        "allowed-tools: Bash\nhooks: x",
        "allowed-tools: Bash\nhooks: [{PreToolUse: []}]",
        "allowed-tools: Bash\nHooks:\n  PreToolUse: []",
        "allowed-tools: Bash\nhook:\n  PreToolUse: []",
        "allowed-tools: Bash\nhooks:\n  preToolUse: []",
        "allowed-tools: Bash\nhooks:\n  PreToolUse: {hooks: []}",
        "allowed-tools: Bash\nhooks:\n  PreToolUse:\n  - matcher: '['\n    hooks: []",
        "allowed-tools: Bash\nhooks:\n  PreToolUse:\n  - hook: []",
        "allowed-tools: Bash\nhooks:\n  PreToolUse:\n  - hooks: [exit 2]",
        "allowed-tools: Bash\nhooks:\n  PreToolUse:\n  - hooks: [{type: http, url: x}]",
        "allowed-tools: Bash\nhooks:\n  PreToolUse:\n  - hooks: [{type: command, command: exit 2, if: 'Bash('}]",
        "hooks:\n  PreToolUse:\n  - hooks:\n    - type: command\n      command: &x exit 2\nallowed-tools: Bash",
    ];
    for (index, rights) in rights.iter().enumerate() {
        let text = format!("---\n{rights}\n---\n@tool Bash {{\"command\":\"touch made\"}}\n@say done\n");
        place.write(&format!(".claude/commands/c{index}.md"), &text);
        place.write(&format!(".claude/skills/s{index}/SKILL.md"), &text);
    }
    let mut host = place.start(&[]);
    for name in ["c", "s"] {
        for index in 0..rights.len() {
            host.say(&format!("/{name}{index}"));
            let frames = host.turn();
            assert_eq!(tool_results(&frames)[0]["is_error"], true, "{name}{index}: {frames:#?}");
        }
    }
    assert!(place.read("made").is_none());
    host.end();
}

#[test]
fn a_folder_that_is_not_trusted_allows_itself_nothing() {
    let place = Place::new();
    place.write(".claude/commands/bad.md", "---\nallowed-tools: Bash\n---\nx !`touch made`\n@say never\n");
    place.write(".claude/commands/fine.md", "x !`echo hello`\n@say fine\n");
    let mut host = place.start(&[]);
    host.say("/bad");
    let frames = host.turn();
    assert!(result(&frames).starts_with("/bad can't be called: `touch made`:"), "{frames:#?}");
    assert_eq!(
        (&find(&frames, "result")["num_turns"], &find(&frames, "result")["local_command"]),
        (&json!(0), &json!("custom"))
    );
    assert!(place.read("made").is_none());
    // A read-only command needs no rule.
    host.say("/fine");
    assert_eq!(result(&host.turn()), "fine");
}

#[test]
fn the_host_is_asked_about_what_a_command_runs() {
    let place = Place::new();
    place.write(".claude/commands/make.md", "x !`touch made`\n@say made\n");
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("/make");
    let request = host.request();
    assert_eq!(request["request"]["input"]["command"], "touch made");
    host.answer(&request, &json!({ "behavior": "allow" }));
    assert_eq!(result(&host.turn()), "made");
    assert!(place.read("made").is_some());
}

#[test]
fn hooks_see_commands_before_and_after_they_become_prompts() {
    let place = Place::new();
    place.write(".claude/commands/hi.md", "@say hi $ARGUMENTS\n");
    let hook = |command: &str| json!([{ "hooks": [{ "type": "command", "command": command }] }]);
    place.hook(&json!({
        "UserPromptSubmit": hook("cat > submitted.json"),
        "UserPromptExpansion": hook("cat > expanded.json; grep -q Bob expanded.json || exit 2"),
    }));
    let mut host = place.start(&[]);
    host.say("/hi Bob");
    assert_eq!(result(&host.turn()), "hi Bob");
    let reported = |file: &str| serde_json::from_str::<Value>(&place.read(file).unwrap()).unwrap();
    assert_eq!(reported("submitted.json")["prompt"], "/hi Bob");
    let expanded = reported("expanded.json");
    assert_eq!((&expanded["command_name"], &expanded["command_args"]), (&json!("hi"), &json!("Bob")));
    assert_eq!(expanded["command_source"], "projectSettings");
    host.say("/hi Ann");
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["system/init", "system/informational", "result/success"]);
    assert_eq!(find(&frames, "result")["local_command"], "custom");
}

#[test]
fn a_command_that_is_added_while_the_session_runs_is_found() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@say hi");
    host.turn();
    place.write(".claude/commands/new.md", "@say new\n");
    host.say("/new");
    let frames = host.turn();
    let changed = frames.iter().find(|frame| frame["subtype"] == "commands_changed").unwrap();
    assert!(changed["commands"].as_array().unwrap().iter().any(|command| command["name"] == "new"));
    assert_eq!(result(&frames), "new");
    // The change is also reported without a prompt.
    place.write(".claude/commands/newer.md", "---\nallowed-tools: [x\n---\n@say newer\n");
    let frames = host.until(|frame| frame["subtype"] == "commands_changed");
    assert!(frames[0]["content"].as_str().unwrap().contains("newer.md:3: not valid YAML: "), "{frames:#?}");
}

#[test]
fn errors_are_reported_with_file_and_line_and_the_rest_works() {
    let place = Place::new();
    place.write(".claude/commands/odd.md", "---\ndescription: Odd\nalowed-tools: Bash\nallowed-tools: [Bash(]\nuser-invocable: perhaps\n---\n@say odd\n");
    place.write(".claude/commands/open.md", "---\ndescription: Open\n@say open\n");
    place.write(".claude/commands/compact.md", "@say mine\n");
    place.write(".claude/skills/loud/SKILL.md", "---\nname: LOUD\ncontext: spoon\n---\n@say loud\n");
    let output = place.command(&["-p", "/odd"]).output().unwrap();
    let project = place.project().display().to_string();
    let stderr = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(stderr.trim_end(), @r#"
    /proj/.claude/skills/loud/SKILL.md:1: a skill needs a description, for the model to choose by
    /proj/.claude/skills/loud/SKILL.md:2: name must have at most 64 lower-case letters, digits and hyphens; the name of the folder is used
    /proj/.claude/skills/loud/SKILL.md:3: context must be fork or inline
    /proj/.claude/commands/compact.md:1: the built-in command of the same name is used; rename the file
    /proj/.claude/commands/odd.md:3: alowed-tools is not known here and is ignored
    /proj/.claude/commands/odd.md:4: allowed-tools has parentheses that do not match; quote an item that contains a comma: "Bash("
    /proj/.claude/commands/odd.md:5: user-invocable must be true or false
    /proj/.claude/commands/open.md:1: the front matter is never closed; end it with a line `---`
    "#);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "odd\n");
    let doctor = answer(&place, &[], "/doctor");
    assert!(doctor.contains("SKILL.md:2"), "{doctor}");
}

#[test]
fn every_built_in_command_works_or_names_the_alternative() {
    let place = Place::new();
    place.write("CLAUDE.md", "Be kind.\n");
    place.write(".claude/commands/hi.md", "---\ndescription: Say hi\n---\n@say hi\n");
    place.write_home(
        ".claude/settings.json",
        r#"{"permissions":{"allow":["Bash(ls:*)"]},"model":"scripted"}"#,
    );
    let mut host = place.start(&["--session-id", "6a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e53"]);
    host.say("@say something to remember");
    host.turn();
    let commands = host.ask(&json!({ "subtype": "initialize" }))["response"]["commands"].clone();
    let (project, home) = (place.project().display().to_string(), place.home().display().to_string());
    let mut reported = Vec::new();
    for command in commands.as_array().unwrap().iter().filter(|command| command["builtin"] == true) {
        let name = command["name"].as_str().unwrap();
        // These commands call the model or start a new session.
        if ["clear", "compact", "init", "review", "pr-comments", "release-notes", "security-review"]
            .contains(&name)
        {
            continue;
        }
        host.say(&format!("/{name}"));
        let frames = host.turn();
        let result = find(&frames, "result");
        assert_eq!((&result["local_command"], &result["num_turns"]), (&json!(name), &json!(0)));
        assert_eq!(find(&frames, "assistant")["message"]["model"], "<synthetic>");
        reported.push(format!("> /{name}\n{}", result["result"].as_str().unwrap()));
    }
    let reported = reported.join("\n\n").replace(&project, "/proj").replace(&home, "/home/ada");
    let is_fixed = |line: &&str| {
        !["Time in the model", "Version: ", "Context: about "].iter().any(|start| line.starts_with(start))
    };
    // The id of a prompt differs in each run.
    let reported: Vec<&str> =
        reported.lines().filter(is_fixed).map(|line| line.split("  @say").next().unwrap_or(line)).collect();
    let reported: Vec<&str> = reported
        .into_iter()
        .map(|line| if line.len() == 36 && line.matches('-').count() == 4 { "ID" } else { line })
        .collect();
    insta::assert_snapshot!(reported.join("\n"), @"
    > /add-dir
    Pass a directory: /add-dir DIRECTORY.

    > /agents
    Subagents are Markdown files in .claude/agents/ of the project, and in .claude/agents/ of your home directory for all projects. Ask the model to write one, or run the subcommand `agents` to list them.

    > /config
    Settings, in order of increasing precedence. Change them in their files.
    /home/ada/.claude/settings.json: model, permissions

    > /context
    Model: scripted

    > /cost
    Cost so far: $0.0000
    Tokens: 10 in, 12 out, 50 read from the cache, 100 written to it

    > /doctor
    No API key is set: the scripted model answers. Set ANTHROPIC_API_KEY to use another model.

    > /exit
    /exit isn't available in this environment: close stdin to end the session.

    > /export
    ## User

    @say something to remember

    ## Model

    something to remember



    > /help
    /add-dir <folder>: Add a folder to work in
    /agents: Show where subagents are defined
    /clear: Start a new conversation
    /compact [what to keep]: Summarize the conversation to free context
    /config: Show the settings and their sources
    /context: Show how much of the context window is used
    /cost: Show the cost of the session
    /doctor: Check the configuration for problems
    /exit: End the program that shows the conversation
    /export [file]: Export the conversation as text
    /help: List the commands
    /init [what matters]: Write a CLAUDE.md for this project
    /login: Show how to set the API key
    /mcp: List the MCP servers
    /memory: List the memory files
    /model [name]: Show or set the model
    /permissions: List the permission rules
    /plan [task]: Plan before making changes
    /pr-comments [pull request]: Read the comments of a pull request
    /release-notes [since]: Write release notes from the history
    /rename <title>: Rename the conversation
    /resume: List conversations to resume
    /review [what]: Review a change
    /rewind [prompt]: Restore files to their state before a prompt
    /security-review [what]: Review a change for security vulnerabilities
    /status: Show the status of the session
    /vim: Show where key bindings are set

    Of the user and the project:
    /hi: Say hi

    > /login
    This agent has no login. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway, in the environment of the agent.

    > /mcp
    There are no MCP servers.

    > /memory
    Memory files, in order of increasing precedence. Edit them with any editor; they are read when a session starts.
    /proj/CLAUDE.md (9 bytes)

    > /model
    Model: scripted
    Set another one with /model NAME, or the default one with /model default.

    > /permissions
    Mode: default
    allow Bash(ls:*) (userSettings)
    Change them in settings files, or with what the host answers when it is asked.

    > /plan
    Plan mode: nothing is changed until you approve a plan.

    > /rename
    Pass a title: /rename TITLE.

    > /resume
    There is no other conversation in this directory.

    > /rewind
    Restore files with /rewind ID. The most recent prompts:
    ID

    > /status
    Session: 6a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e53
    Model: scripted
    Key: none
    Permission mode: plan
    Working directory: /proj
    Sandbox: off
    Memory files: 1
    Hooks from settings: 0
    Commands and skills of user and project: 1

    > /vim
    Key bindings belong to the program that shows the conversation. Set them there.
    ");
}

#[test]
fn commands_that_change_something_change_it() {
    let place = Place::new();
    std::fs::create_dir(place.home().join("other")).unwrap();
    let mut host = place.start(&["--permission-mode", "acceptEdits"]);
    let mut say = |prompt: &str| {
        host.say(prompt);
        host.turn()
    };
    let frames = say("/rename The Great Refactoring");
    assert!(frames.iter().any(|frame| frame["subtype"] == "session_title_changed"));
    let frames = say("/plan");
    assert!(frames.iter().any(|frame| frame["permissionMode"] == "plan"));
    say("/plan @say planned");
    let other = place.home().join("other");
    let frames = say(&format!("/add-dir {}", other.display()));
    assert!(result(&frames).contains("may work in"), "{frames:#?}");
    let init = say("@say hi").remove(0);
    assert_eq!(init["additional_directories"], json!([other.display().to_string()]));
    assert!(result(&say("/add-dir /no/such/folder")).contains("can't be added"));
    say("/export talk.md");
    let talk = place.read("talk.md").unwrap();
    assert!(talk.contains("## User") && talk.contains("## Model") && talk.contains("planned"), "{talk}");
    assert!(result(&say("/export talk.md")).contains("can't be written"));
}

#[test]
fn files_are_taken_back_to_what_they_were_before_a_prompt() {
    let place = Place::new();
    let mut host = place.start(&["--permission-mode", "acceptEdits"]);
    let file = place.project().join("f.txt");
    host.say(&format!("@tool Write {}", json!({ "file_path": file, "content": "one" })));
    host.turn();
    host.say("/rewind");
    let listed = result(&host.turn());
    let id = listed
        .lines()
        .find(|line| line.contains("@tool Write"))
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .to_owned();
    host.say(&format!("/rewind {id}"));
    assert!(result(&host.turn()).contains("f.txt"));
    assert!(!file.exists());
}

#[test]
fn commands_of_the_agent_that_ask_the_model_ask_it() {
    let place = Place::new();
    let asked = [
        ("init", "CLAUDE.md"),
        ("review", "a change carefully"),
        ("pr-comments", "pull request"),
        ("release-notes", "release notes"),
        ("security-review", "security vulnerabilities"),
    ];
    let rules = asked
        .map(|(name, word)| format!("when prompt like \"*{word}*the old parser*\"\n@say received {name}\n"));
    place.write("script", &rules.join("\n"));
    let mut command =
        place.command(&["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]);
    command.env("AQUEDUCT_SCRIPT", "script");
    let mut host = Host::start(command);
    for (name, _) in asked {
        host.say(&format!("/{name} the old parser"));
        assert_eq!(result(&host.turn()), format!("received {name}"));
    }
}

#[test]
fn hosts_see_what_a_command_printed_and_the_figures_behind_it() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("/context");
    let frames = host.turn();
    let frame = find(&frames, "assistant");
    let text = frame["message"]["content"][0]["text"].as_str().unwrap();
    let printed = format!("<local-command-stdout>{text}</local-command-stdout>");
    assert_eq!(frame["local_command_source"], printed.as_str());
    assert_eq!(frame["local_command_run"], json!({ "command": "context", "args": "" }));
    let usage = &frame["context_usage"];
    let tokens = |value: &Value| value.as_u64().unwrap();
    let parts: u64 = usage["categories"].as_array().unwrap().iter().map(|part| tokens(&part["tokens"])).sum();
    assert_eq!(parts, tokens(&usage["raw_max_tokens"]));
    assert_eq!(find(&frames, "result")["local_command"], "context");
}
