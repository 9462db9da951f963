//! Package managers and test runners of Python, Ruby, PHP and Swift.

use super::OperandKind::{Files, Names, Never, Packages, Tasks, Words as Plain};
use super::Style::{Clusters, Words};
use super::{KnownProgram, command, program};

const PIP: &str = "-r= --requirement= -c= --constraint= -U --upgrade -e= --editable= --user --no-deps --pre -q --quiet -v --verbose \
    --no-cache-dir --force-reinstall --break-system-packages --dry-run --no-build-isolation --only-binary= --no-binary= \
    --prefer-binary --progress-bar= --upgrade-strategy= --no-input --disable-pip-version-check --no-warn-script-location -I \
    --ignore-installed --require-hashes --no-index -y --yes --outdated -o --format= --local -l --not-required -f --files \
    --all --uptodate --exclude=";

const UV: &str = "-q --quiet -v --verbose --offline --no-cache -n --frozen --locked --no-sync --all-extras --extra= --group= --dev \
    --no-dev --all-groups --only-group= --only-dev --no-group= --upgrade -U --upgrade-package= -P= --isolated --no-color --color= \
    --no-progress --package= --all-packages --no-editable --exact --inexact --check --dry-run --universal --no-install-project \
    --seed --optional= --bounds= --depth= --invert --prune= --no-dedupe --outdated --format= --no-hashes --no-header --wheel --sdist";

const BUNDLE: &str = "-j= --jobs= -q --quiet --verbose --retry= --local --frozen --deployment --without= --with= --full-index \
    --redownload --force --no-cache --no-prune --parseable --porcelain --strict --minor --major --patch --pre --all --group= -g= \
    --name-only --paths --dry-run --conservative --add-platform= --update? -v --skip-install";

const RSPEC: &str = "-e= --example= -E= --example-matches= -t= --tag= -f= --format= -c -b -w -p --backtrace --color --colour --no-color \
    --force-color --fail-fast? --no-fail-fast --order= --seed= --only-failures -n --next-failure --bisect? --dry-run --profile? \
    -P= --pattern= --exclude-pattern= --warnings --failure-exit-code= -v";

const RUBOCOP: &str = "-a -A -l -x -D -d -E -S -F -P -f= --format= --autocorrect --auto-correct --autocorrect-all --only= --except= \
    --parallel --no-parallel --fail-fast --debug --display-cop-names --fail-level= --lint --safe --color --no-color -L \
    --list-target-files --display-only-failed --display-style-guide --extra-details -V";

const COMPOSER: &str = "-q -v -n --quiet --verbose --no-interaction --ansi --no-ansi --profile --no-cache --no-plugins --no-scripts \
    --dev --no-dev -o --optimize --optimize-autoloader --classmap-authoritative --prefer-dist --prefer-source --prefer-stable \
    --prefer-lowest --no-progress --dry-run -w -W --with-dependencies --with-all-dependencies --no-update --no-install --no-audit \
    --ignore-platform-reqs --ignore-platform-req= --strict --no-check-all --no-check-publish --no-check-lock --direct -D --outdated \
    --latest -l --all -a --tree -t --installed -i --locked --platform -p --format= -f= --minor-only -m --abandoned= --timeout= \
    --list --lock --root-reqs --apcu-autoloader";

const PHPUNIT: &str = "--filter= --testsuite= --group= --exclude-group= --stop-on-failure --stop-on-error --stop-on-defect --testdox \
    --colors? --debug --verbose -v --no-coverage --list-tests --list-groups --list-suites --do-not-cache-result --order-by= \
    --random-order --repeat= --no-progress --display-deprecations --display-warnings --display-errors --fail-on-warning \
    --fail-on-risky --random-order-seed= --no-output --no-results";

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program(
        "pip pip3",
        Clusters,
        "-q --quiet -v --verbose --no-color --disable-pip-version-check --no-input --isolated -V",
        &[
            command(
                "install|download|wheel|list|show|freeze|check|uninstall|index|cache|inspect|hash|help|debug",
                &[PIP],
                Packages,
            ),
            command("", &[], Never),
        ],
    ),
    program(
        "uv",
        Clusters,
        "-q --quiet -v --verbose --offline --no-cache -n --no-color --color= -V",
        &[
            command("run", &[UV, "-m= --module="], Names).until_operand(1),
            command(
                "sync|lock|add|remove|tree|export|venv|build|version|init|pip install|pip list|pip freeze|pip show|pip check|\
                 pip compile|pip sync|pip uninstall|pip tree|python list|python find|cache clean|cache dir|cache prune|help",
                &[UV, PIP],
                Packages,
            ),
            command("", &[], Never),
        ],
    ),
    program(
        "tox",
        Clusters,
        "",
        &[command(
            "",
            &["-e= -q -v -p= --parallel? -r --recreate -l --listenvs --notest --skip-pkg-install -f= -m= --no-list-dependencies -a"],
            Plain,
        )
        .handing_over()],
    ),
    program(
        "nox",
        Clusters,
        "",
        &[command(
            "",
            &["-s= -e= --session= --sessions= -l --list -r -R --reuse-existing-virtualenvs -k= --keywords= -t= --tags= -p= --python= \
               -v --verbose -x --stop-on-first-error --no-install --pythons="],
            Plain,
        )
        .handing_over()],
    ),
    program(
        "bundle bundler",
        Clusters,
        "-v",
        &[
            command(
                "install|i|update|check|list|ls|outdated|show|info|add|remove|lock|clean|version|licenses|platform|doctor|cache",
                &[BUNDLE],
                Packages,
            ),
            // The beginning of a command's name is taken for the command.
            command("", &[], Never),
        ],
    ),
    program("rspec", Clusters, "", &[command("", &[RSPEC], Files)]),
    program("rubocop standardrb", Clusters, "", &[command("", &[RUBOCOP], Files)]),
    program(
        "rake",
        Clusters,
        "",
        &[command(
            "",
            &["-n -q -s -v -t -T? -D? -W? -P -A -m -j= -B -V --dry-run --quiet --silent --verbose --trace? --tasks? --describe? --where? \
               --prereqs --all --jobs? --multitask --build-all"],
            Tasks,
        )],
    ),
    program(
        "composer",
        Clusters,
        "-q -v -n --quiet --verbose --no-interaction --ansi --no-ansi --no-cache --no-plugins --no-scripts -V",
        &[
            command(
                "install|i|update|u|upgrade|require|r|remove|rm|dump-autoload|dumpautoload|validate|show|info|outdated|licenses|why|\
                 why-not|depends|prohibits|audit|check-platform-reqs|status|suggests|search|bump|diagnose|fund|about|list|help",
                &[COMPOSER],
                Packages,
            ),
            command(
                "run-script|run|test|tests|lint|check|format|fix|build|start|analyse|analyze|stan|phpstan|cs|cs-fix|cs-check",
                &[COMPOSER],
                Names,
            )
            .handing_over(),
            // The beginning of a command's name is taken for the command.
            command("", &[], Never),
        ],
    ),
    program("phpunit pest", Words, "", &[command("", &[PHPUNIT], Files)]),
    program(
        "swift",
        Words,
        "",
        &[
            command(
                "test|build|package",
                &["--filter= --skip= --parallel -v --verbose -q --quiet -c= --configuration= --product= --target= \
                   --enable-code-coverage --list-tests --build-tests --show-bin-path -j= --jobs= --num-workers= --skip-build"],
                Plain,
            ),
            command("run", &["-v --verbose -q --quiet -c= --configuration= --skip-build --product="], Plain).until_operand(1),
            command("", &[], Never),
        ],
    ),
];

/// Whether a formatter is one that the program brings; another name is a class or a file that is loaded.
pub(super) fn is_own_formatter(name: &str) -> bool {
    const OWN: &str = "progress p documentation doc d json j html h failures f simple s clang c emacs e github files fi offenses o \
        quiet q worst w tap t junit ju pacman pa autogenconf a markdown m fuubar fu";
    OWN.split_ascii_whitespace().any(|known| known == name)
}

/// Whether a variable given to rake is one that names tests or an environment.
pub(super) fn is_task_variable(name: &str) -> bool {
    matches!(
        name,
        "TEST" | "SPEC" | "VERBOSE" | "RAILS_ENV" | "RACK_ENV" | "VERSION" | "STEP" | "SEED" | "CI"
    )
}
