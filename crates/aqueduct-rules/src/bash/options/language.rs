//! Toolchains of Rust, Go and Python.

use super::OperandKind::{Files, Local, Names, Never, Packages};
use super::Style::{Clusters, Dashes, Words};
use super::{KnownProgram, command, program};

const CARGO: &str = "-v -vv -q --verbose --quiet --color= --offline --locked --frozen -h";

const CARGO_BUILD: &str = "-p= --package= --workspace --all --exclude= --lib --bin= --bins --example= --examples --test= --tests \
    --bench= --benches --all-targets --doc -F= --features= --all-features --no-default-features -r --release --profile= -j= \
    --jobs= --keep-going --target= --no-run --no-fail-fast --message-format= --ignore-rust-version --timings --future-incompat-report \
    --unit-graph --build-plan --fix --allow-dirty --allow-staged --allow-no-vcs --edition --no-deps --document-private-items \
    --check -n --dry-run --broken-code";

const CARGO_PACKAGES: &str = "--dev --build --optional --no-optional --rename= --features= -F= --no-default-features --default-features \
    -p= --package= -n --dry-run --precise= --recursive --aggressive -w --workspace -i= --invert= -e= --edges= --depth= --prefix= \
    -d --duplicates --no-dedupe -f= --format= --all-features --target= --format-version= --no-deps --limit= --all --vers= \
    --ignore-rust-version --prune= --charset= --list";

const GO_BUILD: &str = "-v -x -n -a -race -msan -asan -cover -covermode= -coverpkg= -p= -tags= -trimpath -mod= -buildvcs= -work -json";

const GO_TEST: &str = "-coverprofile= -run= -skip= -bench= -benchmem -benchtime= -count= -cpu= -failfast -fullpath -list= -parallel= -short \
    -shuffle= -timeout= -fuzz= -fuzztime= -vet=";

const PYTEST: &str = "-p= -W= -k= -m= -q -qq -v -vv -vvv -x -s -l -ra -rA -rs -rf -rP -rx -rN --quiet --verbose --exitfirst --maxfail= \
    --tb= --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip --cache-show? --cache-clear --capture= \
    --show-capture= --no-header --no-summary --durations= --durations-min= --collect-only --co -n= --numprocesses= --dist= \
    --maxprocesses= --cov? --cov-report= --cov-branch --cov-append --no-cov --cov-fail-under= --timeout= --color= --code-highlight= \
    --strict --strict-markers --strict-config --runxfail --setup-show --setup-only --setup-plan --markers --fixtures --fixtures-per-test \
    --disable-warnings --disable-pytest-warnings --deselect= --ignore= --ignore-glob= --showlocals --no-showlocals --reruns= \
    --reruns-delay= --random-order --randomly-seed= --benchmark-only --benchmark-skip --asyncio-mode= --import-mode= --full-trace \
    --doctest-modules --snapshot-update -r= --verbosity= --trace-config --keep-duplicates --force-short-summary";

const RUFF: &str = "--fix --no-fix --fix-only --unsafe-fixes --no-unsafe-fixes --diff --check -w --watch --select= --ignore= \
    --extend-select= --extend-ignore= --fixable= --unfixable= --exclude= --extend-exclude= --line-length= --target-version= \
    --output-format= --show-fixes --statistics --show-files --show-settings --exit-zero --exit-non-zero-on-fix --no-cache -n \
    --preview --no-preview --quiet -q -v --verbose -s --silent --add-noqa --isolated --respect-gitignore --force-exclude --range= -e";

/// Whether words behind `--` are lints for clippy, settings for rustfmt, or words for a test or a program of the project.
pub(super) fn takes<'v>(
    command: &str,
    words: impl Iterator<Item = &'v str>,
    leaves: &dyn Fn(&str) -> bool,
) -> bool {
    let mut words = words;
    let is_lint = |word: &str| {
        let level = ["-D", "-W", "-A", "-F", "--deny", "--warn", "--allow", "--forbid", "--cap-lints"]
            .iter()
            .any(|level| word.starts_with(level));
        level || !word.starts_with(['-', '@'])
    };
    match command {
        "clippy" => words.all(is_lint),
        "fmt" => words.all(|word| {
            let known =
                ["--check", "--edition", "--config", "-l", "-v", "-q", "--color", "--files-with-diff"];
            (!word.starts_with('-') || known.contains(&word.split('=').next().unwrap_or_default()))
                && !leaves(word)
        }),
        "run" | "r" => true,
        _ => words.all(|word| !word.starts_with("--logfile")),
    }
}

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program(
        "cargo",
        Clusters,
        CARGO,
        &[
            command(
                "test|t|build|b|check|c|bench|clippy|doc|d|run|r|fix|nextest run|nextest",
                &[CARGO, CARGO_BUILD],
                Names,
            )
            .handing_over(),
            command("fmt", &[CARGO, "--check --all -p= --package= --message-format="], Names).handing_over(),
            command(
                "config|login|logout|owner|yank|publish|install|uninstall|vendor|generate|rustc|rustdoc",
                &[],
                Never,
            ),
            command(
                "",
                &[CARGO, CARGO_PACKAGES, "--release -r --doc --lib --bin --name= --edition="],
                Packages,
            ),
        ],
    ),
    program(
        "rustfmt",
        Clusters,
        "",
        &[command(
            "",
            &["--check --edition= --emit= --color= -l -v -q --files-with-diff --verbose --quiet"],
            Files,
        )],
    ),
    program(
        "go",
        Dashes,
        "",
        &[
            command("test", &[GO_BUILD, GO_TEST], Files),
            // What is built may be put anywhere in the working directories but in a protected place.
            command("build", &["-o=", GO_BUILD], Packages),
            command(
                "vet|list|doc|fmt|fix|clean|get|mod|work|version|install",
                &[
                    GO_BUILD,
                    "-u -d -t -m -json -f= -e -deps -compiled -export -find -all -short -src -cmd -c -modcache -cache -testcache -i -r -x -go= -compat=",
                ],
                Packages,
            ),
            command("run", &[GO_BUILD], Local).until_operand(1),
            command("env", &["-json -changed"], Names),
            command("generate|tool|bug|telemetry", &[], Never),
            command("", &[], Names),
        ],
    ),
    program("gofmt", Words, "", &[command("", &["-l -d -w -s -e -r="], Files)]),
    program(
        "golangci-lint",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-v --verbose --fix --fast --timeout= -E= --enable= -D= --disable= --enable-all --disable-all -p= --presets= --new --new-from-rev= --tests? --color= -j= --concurrency= --build-tags= --max-issues-per-linter= --max-same-issues=",
            ],
            Files,
        )],
    ),
    program("pytest py.test", Clusters, "", &[command("", &[PYTEST], Files)]),
    program("ruff", Words, "-q --quiet -v --verbose", &[command("", &[RUFF], Files)]),
    program(
        "mypy",
        Words,
        "",
        &[command(
            "",
            &[
                "--strict --ignore-missing-imports --no-error-summary --pretty --show-error-codes --show-error-context --show-column-numbers --show-traceback --tb --check-untyped-defs --disallow-untyped-defs --no-implicit-optional --warn-unused-ignores --warn-return-any --warn-unreachable --follow-imports= --exclude= --python-version= --platform= --no-incremental --namespace-packages --explicit-package-bases  -m= -p= --module= --package= -v --verbose --no-color-output --color-output --scripts-are-modules --disable-error-code= --enable-error-code=",
            ],
            Files,
        )],
    ),
    program(
        "black",
        Words,
        "",
        &[command(
            "",
            &[
                "--check --diff --color --no-color -l= --line-length= -t= --target-version= -q --quiet -v --verbose --fast --safe -S --skip-string-normalization -C --skip-magic-trailing-comma --preview --include= --exclude= --extend-exclude= --force-exclude= -W= --workers= --line-ranges=",
            ],
            Files,
        )],
    ),
    program(
        "flake8",
        Words,
        "",
        &[command(
            "",
            &[
                "--max-line-length= --max-complexity= --select= --ignore= --extend-ignore= --extend-select= --exclude= --extend-exclude= --count --statistics --show-source --exit-zero -q -v --verbose --quiet --format= --color= -j= --jobs= --per-file-ignores= --max-doc-length= --benchmark",
            ],
            Files,
        )],
    ),
    program(
        "isort",
        Words,
        "",
        &[command(
            "",
            &[
                "--check -c --check-only --diff --profile= -l= --line-length= -q --quiet -v --verbose --skip= --skip-glob= --atomic --color --only-modified --stdout -d",
            ],
            Files,
        )],
    ),
    program(
        "unittest",
        Words,
        "",
        &[command(
            "",
            &["-v --verbose -q --quiet -f --failfast -b --buffer -c --catch -k= --locals --durations="],
            Files,
        )],
    ),
];
