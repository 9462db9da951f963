//! What rules with a prefix cover of programs whose options are known, and what a host finds out about links.

use aqueduct_rules::{Behavior, Call, Context, Source, decide, paths};
use aqueduct_wire::json::Raw;
use proptest::prelude::*;
use serde_json::json;

use crate::world::{context, shell, with_rules};

fn allows(context: &Context, command: &str) -> bool {
    shell(context, command).behavior == Behavior::Allow
}

/// Everyday commands and the rule that covers each.
const EVERYDAY: &[(&str, &str)] = &[
    ("npm run test:*", "npm run test"),
    ("npm run test:*", "npm run test -- --watch=false path"),
    ("npm run test:*", "npm run test --silent"),
    ("npm run test:*", "npm run test src/foo.test.ts"),
    ("npm test:*", "npm test -- --coverage"),
    ("npm:*", "npm ci --prefer-offline --no-audit"),
    ("npm:*", "npm install --save-dev typescript@5 @types/node"),
    ("npm:*", "npm ls --depth=0"),
    ("npm:*", "npm --version"),
    ("npm --prefix web run test:*", "npm --prefix web run test"),
    ("pnpm:*", "pnpm -r test"),
    ("pnpm:*", "pnpm add -D vitest"),
    ("yarn:*", "yarn install --frozen-lockfile"),
    ("yarn:*", "yarn test --watch"),
    ("bun:*", "bun test --watch src"),
    ("cargo test:*", "cargo test -p foo --lib name -- --nocapture"),
    ("cargo:*", "cargo +nightly test --workspace --all-features"),
    ("cargo:*", "cargo build --release --target wasm32-unknown-unknown"),
    ("cargo:*", "cargo clippy --all-targets -- -D warnings"),
    ("cargo:*", "cargo add serde --features derive"),
    ("cargo test --manifest-path x/Cargo.toml:*", "cargo test --manifest-path x/Cargo.toml --lib"),
    ("go test:*", "go test ./... -run X -v -count=1"),
    ("go:*", "go vet ./..."),
    ("go:*", "go run ./cmd/server -addr :8080"),
    ("go:*", "go env GOPATH"),
    ("go:*", "go mod tidy"),
    ("pytest:*", "pytest -k x -q tests/"),
    ("pytest:*", "pytest -xvs tests/test_a.py::test_b --tb=short"),
    ("pytest:*", "pytest -n4 --cov=src --cov-report=term-missing"),
    ("python3 -m pytest:*", "python3 -m pytest -q --lf"),
    ("uv run pytest:*", "uv run pytest -k 'a and b'"),
    ("make:*", "make test -j4"),
    ("make:*", "make -j4 V=1 all install"),
    ("make:*", "make CC=clang-17"),
    ("mvn:*", "mvn -q -DskipTests package"),
    ("./gradlew:*", "./gradlew test --tests com.example.Foo"),
    ("dotnet test:*", "dotnet test --no-build -c Release"),
    ("npx tsc:*", "npx tsc --noEmit -p tsconfig.json"),
    ("npx eslint:*", "npx eslint . --ext .ts,.tsx --fix"),
    ("npx jest:*", "npx jest -t 'adds' --coverage src"),
    ("npx vitest:*", "npx vitest run src/a.test.ts"),
    ("prettier:*", "prettier --check src"),
    ("ruff:*", "ruff check . --fix"),
    ("docker:*", "docker run --rm -it -p 8080:80 image sh -c 'ls -v'"),
    ("docker:*", "docker compose up -d --build"),
    ("docker:*", "docker logs -f --tail 100 web"),
    ("docker build:*", "docker build -t app ."),
    ("kubectl get:*", "kubectl get pods -n default -o wide"),
    ("kubectl:*", "kubectl logs -f web -c app --tail=20"),
    ("curl:*", "curl -sSL -H 'Accept: application/json' https://example.com/a"),
    ("curl:*", "curl -X POST -d '{\"a\":\"/b\"}' localhost:8080/x"),
    ("ssh:*", "ssh -p 2222 -o ConnectTimeout=5 host uptime"),
    ("rsync:*", "rsync -avz --delete src/ out/"),
    ("tar:*", "tar czf out.tgz src"),
    ("tar:*", "tar -xzf out.tgz --strip-components=1"),
    ("sort:*", "sort -t, -k2,2n data.csv"),
    ("rg:*", "rg -n --hidden -g '*.rs' needle src"),
    ("fd:*", "fd -e rs -E target main"),
    ("awk:*", "awk -F, -v x=1 '{print $1, x}' data.csv"),
    ("find:*", "find . -name '*.rs' -mtime -7 -not -path './target/*' -print0"),
    ("jq:*", "jq -r '.a[]' data.json"),
    ("less:*", "less -N README.md"),
    ("terraform plan:*", "terraform plan -out=x -var a=b"),
    ("some-tool:*", "some-tool --any -thing=x"),
];

#[test]
fn everyday_commands_stay_allowed() {
    let asked: Vec<String> = EVERYDAY
        .iter()
        .filter_map(|(rule, command)| {
            let decision = shell(&with_rules("default", &[&format!("allow Bash({rule})")]), command);
            (decision.behavior != Behavior::Allow).then(|| format!("{rule}: {command}: {}", decision.reason))
        })
        .collect();
    assert!(asked.is_empty(), "{}", asked.join("\n"));
}

/// Ordinary commands of developers, with the rule that people give them, if they need one.
#[test]
fn ordinary_commands_stay_allowed() {
    let lines = include_str!("everyday.txt").lines().filter(|line| !line.starts_with('#'));
    let asked: Vec<String> = lines
        .filter_map(|line| {
            let (rule, command) = line.split_once('\t').expect("a rule and a command");
            let rule = (!rule.is_empty()).then(|| format!("allow Bash({rule})"));
            let context = with_rules("default", &rule.as_deref().into_iter().collect::<Vec<_>>());
            let decision = shell(&context, command);
            (decision.behavior != Behavior::Allow).then(|| format!("{line}: {}", decision.reason))
        })
        .collect();
    assert!(asked.is_empty(), "{}", asked.join("\n"));
}

/// Of several rules for a command the narrowest counts, in whatever order they are given.
#[test]
fn the_narrowest_rule_counts() {
    let mut rules = [
        "allow Bash(bundle:*)",
        "allow Bash(bundle exec rspec:*)",
        "allow Bash(npm:*)",
        "allow Bash(npm exec x)",
    ];
    for _ in 0..2 {
        let context = with_rules("default", &rules);
        for command in ["bundle install", "bundle exec rspec -fd", "npm ci", "npm exec x"] {
            assert!(allows(&context, command), "{command}");
        }
        for command in ["bundle exec sh", "bundle exec rspec -r ./x", "npm exec y"] {
            assert!(!allows(&context, command), "{command}");
        }
        rules.reverse();
    }
}

/// An exact rule covers its own text, whatever that is.
#[test]
fn exact_rules_cover_what_they_name() {
    for command in
        ["npm run test -script-shell=./x", "make -E all:", "cargo test --manifest-path x/Cargo.toml"]
    {
        assert!(allows(&with_rules("default", &[&format!("allow Bash({command})")]), command), "{command}");
    }
}

/// A rule offered for a command with an option that is not listed is one for exactly that command.
#[test]
fn what_exceeds_a_prefix_is_offered_by_its_text() {
    let offered = shell(&context(), "cargo test --manifest-path x/Cargo.toml").suggestions;
    let text = Raw::written(&offered).to_string();
    assert!(text.contains("cargo test --manifest-path x/Cargo.toml") && !text.contains('*'), "{text}");
}

/// A rule that names a credential, or a folder that holds nothing else, allows reading it. A broad one doesn't.
#[test]
fn credentials_are_read_where_a_rule_names_them() {
    let reads = |rules: &[&str], path: &str| {
        let input = json!({ "file_path": path });
        decide(&with_rules("default", rules), &Call::new("Read", &input)).behavior == Behavior::Allow
    };
    assert!(reads(&["allow Read(~/.docker/config.json)"], "~/.docker/config.json"));
    assert!(reads(&["allow Read(~/.aws/**)"], "~/.aws/config"));
    assert!(reads(&["allow Read(~/.ssh/config)"], "~/.ssh/config"));
    assert!(!reads(&["allow Read(~/.ssh/config)"], "~/.ssh/id_rsa"));
    assert!(!reads(&["allow Read(~/.config/**)"], "~/.config/gh/hosts.yml"));
    assert!(!reads(&["allow Read(~/.claude/**)"], "~/.claude/.credentials.json"));
    assert!(!reads(&["allow Read(~/.*/config.json)"], "~/.docker/config.json"));
    assert!(reads(&["allow Read(~/**)"], "~/notes.md"));
    let shell_reads = |rules: &[&str]| allows(&with_rules("default", rules), "cat ~/.docker/config.json");
    assert!(shell_reads(&["allow Read(~/.docker/config.json)"]));
    assert!(!shell_reads(&["allow Read(~/**)", "allow Bash"]));
}

/// A session in the home works there, and still asks about what is secret in it.
#[test]
fn a_home_as_the_working_directory_keeps_its_secrets() {
    let mut home =
        Context::new("/home/me").with_home("/home/me").with_credentials(["/home/me/keys", "/home/me"]);
    home.add_rules(Source::UserSettings, Behavior::Allow, ["Bash(tar:*)", "Read"]).expect("rules");
    for command in [
        "cat .npmrc",
        "cat .docker/config.json",
        "cat .config/gh/hosts.yml",
        "cat .n*",
        "head .bash_history",
        "grep -r token .",
        "grep -rn token .config",
        "rg token .config",
        "cat keys/a",
        "tar czf x.tgz .",
        "diff -N . empty",
    ] {
        assert!(!allows(&home, command), "{command}");
    }
    for command in ["cat notes.md", "ls -la", "cat proj/.npmrc", "grep -rn token proj", "cat *.md"] {
        assert!(allows(&home, command), "{command}");
    }
}

/// What xargs and diff are pointed at is allowed once the host has found that every link leads inside.
#[test]
fn links_that_the_host_has_followed() {
    let context = context();
    let allowed = |command: &str, reach: &str| {
        let input = json!({ "command": command });
        let call = Call::new("Bash", &input);
        let resolved: Vec<(String, String)> =
            paths(&context, &call).into_iter().map(|path| (path, reach.to_owned())).collect();
        decide(&context, &call.with_resolved(&resolved)).behavior == Behavior::Allow
    };
    for command in [
        "find docs -type l | xargs head",
        "find . -name '*.rs' | xargs grep needle",
        "find src -type f -print0 | xargs -0 wc -l",
        "fdfind . src | xargs head",
        "ls | xargs head",
        "diff -N docs empty",
        "diff -r a b",
        "grep -R needle docs",
        "rg -L needle docs",
    ] {
        assert!(!allows(&context, command), "{command}");
        assert!(allowed(command, "/proj/docs/"), "{command}");
        assert!(!allowed(command, "/home/me/.ssh/id_rsa"), "{command}");
        assert!(!allowed(command, "/"), "{command}");
    }
    for command in ["find docs -ls | xargs head", "ls -a | xargs head", "git ls-files | xargs head"] {
        assert!(!allowed(command, "/proj/docs/"), "{command}");
    }
}

/// What the host reports about an operand decides whether diff compares files or folders.
#[test]
fn a_folder_is_one_whatever_its_name() {
    let context = with_rules("default", &["allow Bash", "deny Read(./.env)"]);
    let allowed = |real: &str| {
        let input = json!({ "command": "diff -N x.d y.d" });
        let resolved = ["/proj/x.d", "/proj/y.d"].map(|path| (path.to_owned(), format!("{path}{real}")));
        decide(&context, &Call::new("Bash", &input).with_resolved(&resolved)).behavior == Behavior::Allow
    };
    assert!(allowed(""));
    assert!(!allowed("/"));
}

/// Options of several programs in groups: each with its value, if it has one.
fn groups() -> impl Strategy<Value = (&'static str, Vec<&'static str>)> {
    let programs: Vec<(&'static str, Vec<&'static str>)> = vec![
        (
            "cargo test",
            vec![
                "-p foo",
                "--lib",
                "name",
                "--manifest-path x",
                "--config=x",
                "-j 2",
                "-q",
                "--target a.json",
            ],
        ),
        (
            "npm run test",
            vec!["--silent", "path", "-script-shell=./x", "---prefix=x", "--if-present", "--loglevel silent"],
        ),
        ("make", vec!["-j4", "test", "-C sub", "-E x", "V=1", "SHELL=x", "-k", "--eval=x"]),
        ("pytest", vec!["-q", "-k x", "tests/", "-c x", "-p y", "--tb=short", "../t.py", "--rootdir=x"]),
        ("go test", vec!["-v", "-run X", "./...", "-exec ./x", "-C=sub", "-count=1", "/tmp/x"]),
        ("rsync", vec!["-av", "a", "b", "-e x", "--rsh=x", "--delete", "--exclude=x"]),
        ("sort", vec!["-n", "-k 2", "x", "-o y", "--output=y", "-u", "--files0-from=z"]),
        ("ssh", vec!["-v", "-p 22", "-oProxyCommand=x", "-F x", "-q"]),
        ("diff", vec!["-N", "-u", "a.txt", "docs", "--no-dereference", "-r", "/etc/passwd"]),
        ("grep", vec!["-n", "-d rec", "--dir=rec", "-e x", ".", "-i", "--include=y"]),
    ];
    prop::sample::select(programs).prop_flat_map(|(program, groups)| {
        let most = groups.len();
        (Just(program), prop::sample::subsequence(groups, 0..=most))
    })
}

fn rules_for(program: &str) -> Context {
    let mut context = context();
    context.add_rules(Source::UserSettings, Behavior::Allow, [format!("Bash({program}:*)")]).expect("rules");
    context.add_rules(Source::UserSettings, Behavior::Deny, ["Read(./.env)"]).expect("rules");
    context
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// The position of an option among the others and the operands makes no difference.
    #[test]
    fn the_order_of_options_never_widens((program, groups) in groups(), seed in any::<u64>()) {
        let context = rules_for(program);
        let mut mixed = groups.clone();
        let mut state = seed;
        for at in (1..mixed.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            mixed.swap(at, (state >> 33) as usize % (at + 1));
        }
        let text = |groups: &[&str]| std::iter::once(program).chain(groups.iter().copied()).collect::<Vec<_>>().join(" ");
        let (before, after) = (text(&groups), text(&mixed));
        prop_assert_eq!(allows(&context, &before), allows(&context, &after), "{} / {}", before, after);
    }

    /// A long option that is cut short never does more than the whole one.
    #[test]
    fn an_abbreviation_never_widens(
        (program, option) in prop::sample::select(vec![
            ("grep", "--directories=recurse x ."), ("grep", "--recursive x ."), ("grep", "--dereference-recursive x ."),
            ("sort", "--output=x y"), ("sort", "--files0-from=x"), ("sort", "--compress-program=x y"), ("wc", "--files0-from=x"),
            ("make", "--eval=x"), ("make", "--directory=x"), ("make", "--makefile=x"), ("make", "--jobs=4"),
            ("tar", "--to-command=x -xf a"), ("tar", "--files-from=x -cf a"), ("tar", "--use-compress-program=x -xf a"),
            ("npm run test", "--script-shell=x"), ("npm run test", "--prefix=x"), ("npm run test", "--userconfig=x"),
            ("diff", "--recursive docs empty"), ("diff", "--new-file docs empty"), ("diff", "--from-file=docs empty"),
            ("cargo test", "--manifest-path=x"), ("cargo test", "--config=x"), ("pytest", "--rootdir=x"), ("pytest", "--override-ini=x"),
            ("du", "--files0-from=x"), ("rsync", "--rsync-path=x a b:c"), ("rsync", "--files-from=x a b"),
        ]),
        cut in 1_usize..24,
        dashes in 1_usize..4,
    ) {
        let context = rules_for(program);
        let (name, rest) = option.split_once(['=', ' ']).unwrap_or((option, ""));
        let separator = if option.contains('=') { "=" } else { " " };
        let name = name.trim_start_matches('-');
        let name = &name[..cut.min(name.len())];
        let short = format!("{program} {}{name}{separator}{rest}", "-".repeat(dashes));
        let whole = format!("{program} {option}");
        if dashes == 2 || program.starts_with("npm") {
            prop_assert!(!allows(&context, &short) || allows(&context, &whole), "{short}");
        }
    }
}
