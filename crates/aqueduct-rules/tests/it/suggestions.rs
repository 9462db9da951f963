//! What "always allow" offers.

use aqueduct_rules::{Behavior, Call, Operation, Rule, decide};

use crate::world::{input, shell, unmasked, with_rules};

fn rules_for(command: &str) -> Vec<String> {
    let decision = shell(&with_rules("default", &[]), command);
    let rules = decision.suggestions.iter().filter_map(|suggestion| match suggestion {
        Operation::AddRules { rules, .. } => Some(rules.iter().map(ToString::to_string)),
        _ => None,
    });
    rules.flatten().collect()
}

#[test]
fn the_narrowest_rule_that_covers_the_siblings() {
    for (command, rule) in [
        ("npm run test", "Bash(npm run *)"),
        ("npm", "Bash(npm)"),
        ("git commit -m x", "Bash(git commit *)"),
        ("git push origin main", "Bash(git push *)"),
        ("cargo build --release", "Bash(cargo build *)"),
        ("make", "Bash(make)"),
        ("pytest -x", "Bash(pytest -x)"),
        ("./build.sh fast", "Bash(./build.sh fast)"),
        ("git push --force", "Bash(git push --force)"),
        ("git push origin :old", "Bash(git push origin :old)"),
        ("make all", "Bash(make all)"),
        ("unknown sub arg", "Bash(unknown sub arg)"),
        ("curl https://example.com", "Bash(curl https://example.com)"),
        ("FOO=1 make", "Bash(FOO=1 make)"),
        ("chmod +x build.sh", "Bash(chmod +x build.sh)"),
    ] {
        assert_eq!(rules_for(command), [rule], "{command}");
    }
}

#[test]
fn no_rule_where_it_would_be_dangerous() {
    for command in [
        "bash -c ls",
        "sh x.sh",
        "python3 x.py",
        "node -e 1",
        "sudo make",
        "rm x",
        "xargs make",
        "env make",
        "eval make",
        "perl -e 1",
        "ssh host make",
        "echo $(make)",
        "make &",
        "(make)",
        "git -c a=b status",
        "find . -delete",
    ] {
        assert_eq!(rules_for(command), [""; 0], "{command}");
    }
}

#[test]
fn no_rule_for_what_runs_or_removes_anything() {
    let commands = "npx x; uvx x; bunx x; pnpm dlx x; yarn dlx x; npm exec x; npm x y; npm --prefix a exec x; \
        pipx run x; uv run x; poetry run x; conda run x; nix run x; rustup run stable x; bundle exec x; \
        docker run x; docker exec a b; docker compose up; podman run x; kubectl exec a; kubectl -n a exec b; \
        ltrace ls; strace ls; valgrind ls; unshare ls; pkexec ls; systemd-run ls; toybox ls; busybox ls; \
        expect x; gdb x; vim x; emacs x; nu x; xonsh x; julia x; lua5.4 x; pypy3 x; perl5.36 x; at now; batch; \
        crontab x; git config a b; git difftool; npm config set a b; make -f x; make -C x all; git clean -fd; \
        git reset --hard; git rm x; git branch -D x; git branch -d x; aws s3 ls; gh repo delete x; \
        gh auth token; terraform destroy; terraform apply; kubectl delete pod x; shutdown now; reboot; halt; \
        poweroff; diskutil list; mkfs.ext4 x; fdisk x; rimraf x; trash x; srm x; shred x; export PATH=x; \
        declare a=b; PATH=x make; LD_PRELOAD=x make; FOO=1 bash x; /usr/bin/npx x; 'npx' x";
    for command in commands.split("; ").map(str::trim) {
        assert_eq!(rules_for(command), [""; 0], "{command}");
    }
}

#[test]
fn no_folder_that_holds_too_much() {
    for (command, rules) in [
        ("cat ~/x", vec!["Read(//home/me/x)"]),
        ("cat ~/notes/x", vec!["Read(//home/me/notes/**)"]),
        ("cat /etc/hostname", vec!["Read(//etc/hostname)"]),
        ("cat /home/you/x", vec!["Read(//home/you/x)"]),
        ("ls /usr/include/sys", vec!["Read(//usr/include/**)"]),
        ("ls /", vec![]),
        ("ls /etc", vec![]),
        ("ls ~", vec![]),
        ("ls /home", vec![]),
        ("ls /home/you", vec![]),
        ("echo a > /x", vec![]),
        ("mkdir /x", vec![]),
        ("touch /etc/x", vec![]),
        ("touch /usr/lib/x/y", vec![]),
        ("touch ~/x", vec![]),
    ] {
        assert_eq!(rules_for(command), rules, "{command}");
    }
    let context = with_rules("default", &[]);
    for command in ["echo a > /x", "mkdir /x", "touch /etc/x", "rm -rf x", "touch ~/x", "ls /", "ls ~"] {
        assert_eq!(shell(&context, command).suggestions, [], "{command}");
    }
    for file in ["/x", "/etc/x", "/home/me/x", "/usr/local/lib/x", "/home/you/x", "/tmp/x"] {
        let input = input("Write", file);
        assert_eq!(decide(&context, &Call::new("Write", &input)).suggestions, [], "{file}");
    }
}

/// Rules are one way to allow a call, directories and the mode together another. Each offered way suffices.
#[test]
fn every_suggestion_for_the_calls_of_the_table_suffices() {
    let mut context = with_rules("default", &[]);
    let lines = include_str!("decisions.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(set) = line.strip_prefix("== ") {
            let mut parts = set.split("; ");
            let mode = parts.next().expect("a mode");
            context = with_rules(mode, &parts.collect::<Vec<_>>());
            continue;
        }
        let mut fields = line.splitn(3, ' ').skip(1);
        let tool = fields.next().expect("a tool");
        let input = input(tool, &unmasked(fields.next().unwrap_or_default()));
        let call = Call::new(tool, &input);
        let is_rule = |suggestion: &Operation| matches!(suggestion, Operation::AddRules { .. });
        let (rules, others): (Vec<_>, Vec<_>) =
            decide(&context, &call).suggestions.into_iter().partition(is_rule);
        for way in [rules, others].iter().filter(|way| !way.is_empty()) {
            let mut after = context.clone();
            way.iter().for_each(|suggestion| after.apply(suggestion).expect("applied"));
            assert_eq!(decide(&after, &call).behavior, Behavior::Allow, "{line}: {way:?}");
            for suggestion in way {
                let Operation::AddRules { rules, .. } = suggestion else { continue };
                for rule in rules {
                    assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Ok(rule), "{line}");
                }
            }
        }
    }
}

#[test]
fn credentials_are_asked_whatever_is_allowed() {
    let context = with_rules("default", &["allow Read(~/**)", "allow Read"]);
    let of = |file: &str| decide(&context, &Call::new("Read", &input("Read", file))).behavior;
    assert_eq!(of("/home/me/.ssh/id_rsa"), Behavior::Ask);
    assert_eq!(of("~/.netrc"), Behavior::Ask);
    assert_eq!(of("/home/me/notes"), Behavior::Allow);
}

#[test]
fn climbing_out_of_what_may_be_a_link_is_asked() {
    let rules = ["allow Read", "allow Edit", "deny Read(secret/**)", "deny Edit(secret/**)"];
    for mode in ["default", "acceptEdits", "bypassPermissions"] {
        let context = with_rules(mode, &rules);
        for (tool, file) in
            [("Edit", "linkdir/../advout/out.txt"), ("Write", "lsub/../key"), ("Read", "lsub/../key")]
        {
            let input = input(tool, file);
            let call = Call::new(tool, &input);
            assert_eq!(decide(&context, &call).behavior, Behavior::Ask, "{mode} {tool} {file}");
            let paths = aqueduct_rules::paths(&context, &call);
            assert_eq!(paths.last(), Some(&format!("/proj/{file}")));
            let resolved = |real: &str| [(format!("/proj/{file}"), real.to_owned())];
            let at = |real| decide(&context, &call.clone().with_resolved(&resolved(real))).behavior;
            assert_eq!(at("/proj/secret/key"), Behavior::Deny, "{mode} {tool} {file}");
            assert_eq!(at("/proj/plain/key"), Behavior::Allow, "{mode} {tool} {file}");
        }
    }
}

#[test]
fn what_is_suggested_is_enough() {
    for command in [
        "npm run test",
        "npm",
        "git commit -m x && git push",
        "make; just",
        "touch new",
        "touch /tmp/x",
        "cat /etc/hostname",
        "ls > out",
        "make > /tmp/log",
        "mkdir a && make",
        "cat /etc/hosts | grep x",
        "FOO=1 make",
        "mv a b",
    ] {
        let context = with_rules("default", &[]);
        let decision = shell(&context, command);
        assert_eq!(decision.behavior, Behavior::Ask, "{command}");
        assert!(!decision.suggestions.is_empty(), "{command}");
        let mut after = context;
        decision.suggestions.iter().for_each(|suggestion| after.apply(suggestion).expect("applied"));
        let again = shell(&after, command);
        assert_eq!(again.behavior, Behavior::Allow, "{command}: {}", again.reason);
    }
    for (tool, subject) in [
        ("Read", "/etc/hostname"),
        ("Write", "/proj/a"),
        ("Write", "/tmp/d/a"),
        ("WebFetch", "https://a.b"),
        ("Skill", "x"),
        ("mcp__a__b", ""),
    ] {
        let mut context = with_rules("default", &[]);
        let input = input(tool, subject);
        let decision = decide(&context, &Call::new(tool, &input));
        decision.suggestions.iter().for_each(|suggestion| context.apply(suggestion).expect("applied"));
        assert_eq!(decide(&context, &Call::new(tool, &input)).behavior, Behavior::Allow, "{tool} {subject}");
    }
}

#[test]
fn nothing_is_suggested_for_protected_places() {
    let context = with_rules("default", &[]);
    for command in ["touch .git/x", "echo x > .bashrc", "cat .ssh/id_ed25519", "rm -rf ~"] {
        assert_eq!(shell(&context, command).suggestions, [], "{command}");
    }
}

#[test]
fn rules_that_would_match_nothing_are_errors() {
    for rule in ["Bash(:*)", "Bash( )", "Bash())", "bash(rm:*)", "BASH", "Bash(rm:*)Bash(ls)", "Bash( :*)"] {
        assert!(Rule::parse(rule).is_err(), "{rule}");
        let context = with_rules("default", &["allow Bash", &format!("deny {rule}")]);
        assert_eq!(shell(&context, "ls").behavior, Behavior::Ask, "{rule}");
    }
    for content in ["echo )", "a)(b", "a\\)", "(a)", "a (b) c", "\\)(\\"] {
        let rule = Rule::with_content("Bash", content);
        assert_eq!(Rule::parse(&rule.to_string()), Ok(rule.clone()), "{rule}");
    }
}

#[test]
fn patterns_of_searching_tools_are_paths_too() {
    let of = |rules: &[&str], tool: &str, field: &str, pattern: &str| {
        let input = serde_json::json!({ "pattern": "x", field: pattern });
        decide(&with_rules("default", rules), &Call::new(tool, &input)).behavior
    };
    for pattern in ["/etc/**", "../**", "src/../../x", "*/../../x", "~/.ssh/*", "~you/*", "{/etc,a}/*"] {
        assert_eq!(of(&[], "Glob", "pattern", pattern), Behavior::Ask, "{pattern}");
        assert_eq!(of(&[], "Grep", "glob", pattern), Behavior::Ask, "{pattern}");
    }
    for pattern in ["**/*.rs", "src/*", "*.{ts,tsx}", "/proj/src/**"] {
        assert_eq!(of(&[], "Glob", "pattern", pattern), Behavior::Allow, "{pattern}");
        assert_eq!(of(&[], "Grep", "glob", pattern), Behavior::Allow, "{pattern}");
    }
    let rules = ["deny Read(.env)", "deny Read(conf/key)", "deny Read(//etc/**)"];
    for pattern in [".env", "**/.e*", ".env,x", "{.env,x}", "key", "a,key", "conf/k*", "**/key"] {
        assert_eq!(of(&rules, "Grep", "glob", pattern), Behavior::Ask, "{pattern}");
    }
    assert_eq!(of(&rules, "Glob", "pattern", "/etc/**"), Behavior::Deny);
    assert_eq!(of(&rules[..1], "Grep", "glob", "**/*.rs"), Behavior::Allow);
    assert_eq!(of(&rules[..1], "Grep", "glob", "*.rs, *.toml"), Behavior::Allow);
}
