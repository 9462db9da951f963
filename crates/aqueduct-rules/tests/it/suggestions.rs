//! What "always allow" offers.

use aqueduct_rules::{Behavior, Call, Rule, decide};
use aqueduct_wire::permission::PermissionUpdate;

use crate::world::{input, repositories, shell, unmasked, with_rules};

fn rules_for(command: &str) -> Vec<String> {
    let decision = shell(&with_rules("default", &[]), command);
    let rules = decision.suggestions.iter().filter_map(|suggestion| match suggestion {
        PermissionUpdate::AddRules(update) => Some(update.rules.iter().map(ToString::to_string)),
        _ => None,
    });
    rules.flatten().collect()
}

#[test]
fn a_command_that_is_measured_or_limited_is_offered_by_its_text() {
    for (command, rules) in [
        ("time make", &["Bash(time make)"][..]),
        ("time npm test", &["Bash(time npm test)"]),
        ("timeout 5 npm test", &["Bash(timeout 5 npm test)"]),
        ("timeout 30s cargo test --all", &["Bash(timeout 30s cargo test --all)"]),
        ("nice make -j4", &["Bash(nice make -j4)"]),
        ("nice -n 5 cargo build", &["Bash(nice -n 5 cargo build)"]),
        ("nohup npm start", &["Bash(nohup npm start)"]),
        ("timeout 5 nice make", &["Bash(timeout 5 nice make)"]),
        ("export X=1 && npm run build", &["Bash(export X=1)", "Bash(npm run *)"]),
        ("export X=1 && make", &["Bash(export X=1)", "Bash(make)"]),
        ("export A=1 B=2; make", &["Bash(export A=1 B=2)", "Bash(make)"]),
        ("make > /tmp/out.txt", &["Bash(make)", "Edit(//tmp/out.txt)"]),
        ("make 2>&1 | tee /tmp/log", &["Bash(make)", "Bash(tee /tmp/log)", "Edit(//tmp/log)"]),
    ] {
        assert_eq!(rules_for(command), rules, "{command}");
    }
    for command in [
        "timeout 5 bash x",
        "nice python3 x.py",
        "time rm -rf x",
        "nohup sudo make",
        "timeout -s KILL 5 make",
        "timeout $N make",
        "nice",
        "time",
        "timeout 5",
        "timeout 5 timeout 5 sh",
        "export PATH=x && make",
        "export LD_PRELOAD=x && make",
        "export X=$(id) && make",
        "export X=$Y && make",
        "export -f x && make",
        "export && make",
        "export EDITOR=vi && make",
        "export 'X=1' && make",
    ] {
        assert_eq!(rules_for(command), [""; 0], "{command}");
    }
}

#[test]
fn the_narrowest_rule_that_covers_the_siblings() {
    for (command, rule) in [
        ("npm run test", "Bash(npm run *)"),
        ("npm", "Bash(npm)"),
        ("git commit -m x", "Bash(git commit *)"),
        ("git commit -m x --amend", "Bash(git commit -m x --amend)"),
        ("git push origin main", "Bash(git push origin main)"),
        ("git push -u origin main", "Bash(git push -u origin main)"),
        ("git pull --rebase", "Bash(git pull --rebase)"),
        ("git checkout -b new", "Bash(git checkout -b new)"),
        ("git checkout -b new origin/main", "Bash(git checkout -b new origin/main)"),
        ("git checkout -b release-1.2", "Bash(git checkout -b release-1.2)"),
        ("git checkout main", "Bash(git checkout main)"),
        ("git switch main", "Bash(git switch main)"),
        ("git restore --staged src", "Bash(git restore --staged src)"),
        ("git stash", "Bash(git stash)"),
        ("git stash pop", "Bash(git stash pop)"),
        ("git tag v1", "Bash(git tag v1)"),
        ("git rebase main", "Bash(git rebase main)"),
        ("git -C src fetch", "Bash(git -C src fetch)"),
        ("docker build .", "Bash(docker build .)"),
        ("podman logs web", "Bash(podman logs *)"),
        ("kubectl get pods", "Bash(kubectl get pods)"),
        ("kubectl apply -f x.yaml", "Bash(kubectl apply -f x.yaml)"),
        ("gh pr merge 5", "Bash(gh pr merge 5)"),
        ("gh pr create --title 'Remove x; reset y'", "Bash(gh pr create --title 'Remove x; reset y')"),
        ("terraform plan", "Bash(terraform plan)"),
        ("systemctl restart web", "Bash(systemctl restart web)"),
        ("brew install jq", "Bash(brew install jq)"),
        ("cargo build --release", "Bash(cargo build *)"),
        ("make", "Bash(make)"),
        ("pytest -x", "Bash(pytest -x)"),
        ("./build.sh fast", "Bash(./build.sh fast)"),
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

/// What throws work away, or what can't be called back, is asked every time.
#[test]
fn no_rule_for_what_is_lost_or_published() {
    let commands = "git push --force; git push -f; git push --force-with-lease; git push origin +main; \
        git push origin :old; git push --delete origin x; git push -d origin x; git push --mirror; \
        git push \"--force\"; git -C src push --force; git --no-pager push -uf origin main; git checkout -- .; \
        git checkout .; git checkout src/a.rs; git checkout -f main; git checkout HEAD file; git checkout -B main; \
        git restore src; git restore --staged --worktree src; git switch --discard-changes main; git switch -f x; \
        git switch -C main; git branch -M x; git branch --force x y; git tag -d v1; git tag -f v1; \
        git stash drop; git stash clear; git rebase --skip; git worktree remove x; git remote set-url origin x; \
        git reflog expire --all; git update-ref -d x; git gc; npm publish; npm dist-tag add x; pnpm publish; \
        cargo publish; cargo owner --add x; twine upload x; gem push x; mvn deploy; uv publish; \
        docker image prune; docker network rm x; docker volume rm x; podman pod rm x; kubectl config view; \
        kubectl drain x; helm uninstall x; helm rollback x; terraform apply; terraform workspace delete x; \
        terraform force-unlock 1; gh release delete v1; gh issue delete 5; gh run delete 5; gh api x; \
        aws ec2 terminate-instances --instance-ids i; aws dynamodb delete-table --table-name t; \
        gcloud compute instances delete x; heroku pg:reset; rsync -a --delete a b; rclone purge x:y; \
        systemctl isolate rescue.target; systemctl reboot; brew uninstall jq; apt-get purge x; pip uninstall x; \
        kill 123; pkill node; killall node; truncate -s 0 x; psql -f x.sql; sqlite3 a.db; redis-cli flushall; \
        dropdb x; ansible-playbook x.yml; FOO=1 git push --force; FOO=1 docker rm x";
    for command in commands.split("; ").map(str::trim) {
        assert_eq!(rules_for(command), [""; 0], "{command}");
    }
}

#[test]
fn rules_come_first_then_directories_then_the_mode() {
    let kinds = |tool: &str, subject: &str| {
        let input = input(tool, subject);
        let decision = decide(&with_rules("default", &[]), &Call::new(tool, &input));
        let kind = |suggestion: &PermissionUpdate<'_>| match suggestion {
            PermissionUpdate::AddRules(_) => "rules",
            PermissionUpdate::AddDirectories(_) => "directory",
            PermissionUpdate::SetMode(_) => "mode",
            _ => "other",
        };
        decision.suggestions.iter().map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds("Bash", "touch a"), ["rules", "mode"]);
    assert_eq!(kinds("Bash", "touch /tmp/d/a"), ["rules", "directory", "mode"]);
    assert_eq!(kinds("Bash", "make"), ["rules"]);
    assert_eq!(kinds("Write", "/tmp/d/a"), ["directory", "mode"]);
    assert_eq!(kinds("Write", "/proj/a"), ["mode"]);
    assert_eq!(kinds("Read", "/etc/hostname"), ["rules"]);
}

/// Users do not read a hundred rules before they answer.
#[test]
fn nothing_is_offered_for_more_than_a_person_reads() {
    let many: Vec<String> = (0..40).map(|number| format!("tool{number}")).collect();
    assert_eq!(shell(&with_rules("default", &[]), &many.join("; ")).suggestions, []);
    assert_eq!(rules_for(&many[..10].join("; ")).len(), 10);
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
        let repositories = repositories(&context, &call);
        let call = call.with_repositories(&repositories);
        let is_rule = |suggestion: &PermissionUpdate<'_>| matches!(suggestion, PermissionUpdate::AddRules(_));
        let (rules, others): (Vec<_>, Vec<_>) =
            decide(&context, &call).suggestions.into_iter().partition(is_rule);
        for way in [rules, others].iter().filter(|way| !way.is_empty()) {
            let mut after = context.clone();
            way.iter().for_each(|suggestion| after.apply(suggestion).expect("applied"));
            assert_eq!(decide(&after, &call).behavior, Behavior::Allow, "{line}: {way:?}");
            for suggestion in way {
                let PermissionUpdate::AddRules(update) = suggestion else { continue };
                for rule in &update.rules {
                    assert_eq!(Rule::parse(&rule.to_string()), Rule::try_from(rule), "{line}");
                    assert!(Rule::try_from(rule).is_ok(), "{line}");
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
