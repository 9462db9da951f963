//! Package managers and tools of JavaScript.

use super::OperandKind::{Files, Local, Names, Never, Packages, Scripts};
use super::Style::{Clusters, Words};
use super::{KnownProgram, command, program};

/// Npm reads any word with a dash as a setting, with any number of dashes and cut short, so only these spellings
/// count.
const NPM: &str = "-s --silent -q --quiet -d -dd -ddd --verbose --loglevel= --color? --no-color --if-present \
    --foreground-scripts --ignore-scripts --offline --prefer-offline --no-update-notifier --no-progress --json --no-fund \
    --no-audit --timing -v";

const NPM_PACKAGES: &str = "-D --save-dev -S --save -E --save-exact -O --save-optional --save-peer --no-save -P --save-prod \
    --production --omit= --include= --legacy-peer-deps --strict-peer-deps --force -f --dry-run --long -l --depth= --all -a \
    -p --parseable --package-lock-only --no-package-lock --no-optional --audit-level= --only= -g --global --tag= \
    --prefer-dedupe --engine-strict --access=";

const PNPM: &str = "-s --silent --reporter= --if-present --stream --color --no-color --aggregate-output --parallel \
    --no-bail --bail --offline --prefer-offline --ignore-scripts --json --loglevel=";

const PNPM_PACKAGES: &str = "-D --save-dev -P --save-prod -O --save-optional -E --save-exact --save-peer -L --latest \
    --frozen-lockfile --no-frozen-lockfile --force --lockfile-only --prod --dev --no-optional --long --depth= --parseable -g \
    --global --fix-lockfile --shamefully-hoist --strict-peer-dependencies";

const YARN: &str = "-s --silent --verbose --json --no-progress --non-interactive --frozen-lockfile --immutable --offline \
    --prefer-offline --ignore-scripts --ignore-engines --ignore-optional --pure-lockfile --production? --prod --check-files \
    --check-cache --force -D --dev -P --peer -O --optional -E --exact -T --tilde -C --caret -A --all --pattern= --watch \
    --coverage --fix --mode= --inline-builds --watchAll? --ci";

const JEST: &str = "-t= --testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns= --watch \
    --watchAll? --coverage? --collectCoverage? --ci -i --runInBand -w= --maxWorkers= -b --bail? --verbose? --silent? -u \
    --updateSnapshot -o --onlyChanged --onlyFailures -f --changedSince= --findRelatedTests --runTestsByPath --listTests \
    --passWithNoTests --no-coverage --no-cache --clearCache --detectOpenHandles --forceExit --expand -e --json --color \
    --colors --no-color --testTimeout= --showConfig --logHeapUsage --randomize --seed= --shard= --notify? --errorOnDeprecated \
    --selectProjects= --showSeed";

const VITEST: &str = "-t= --testNamePattern= -u --update --run --watch? -w? --coverage? --coverage.enabled? --silent? --bail= \
    --reporter= --ui? --no-color --color --passWithNoTests --allowOnly --dangerouslyIgnoreUnhandledErrors --shard= --changed? \
    --sequence.seed= --testTimeout= --hookTimeout= --retry= --maxWorkers= --minWorkers= --no-file-parallelism \
    --hideSkippedTests --logHeapUsage --typecheck? --exclude= --related --clearScreen? --printConsoleTrace --project=";

const ESLINT: &str = "--fix --fix-dry-run --fix-type= --ext= --quiet --max-warnings= --color --no-color --cache --no-inline-config \
    -f= --format= --report-unused-disable-directives --no-error-on-unmatched-pattern --debug --ignore-pattern= --no-ignore -v \
    --no-warn-ignored --pass-on-no-patterns --exit-on-fatal-error --stats";

const TSC: &str = "--noEmit? --watch -w --pretty? --strict? --skipLibCheck? --listFiles? --listFilesOnly --showConfig --incremental? \
    --diagnostics? --extendedDiagnostics? --traceResolution? --noEmitOnError? --explainFiles? --force -f --dry -d --verbose -v \
    --target= -t= --module= -m= --moduleResolution= --jsx= --lib= --esModuleInterop? --allowJs? --checkJs? \
    --resolveJsonModule? --noUnusedLocals? --noUnusedParameters? --isolatedModules? --preserveWatchOutput? -p= --project=";

const PRETTIER: &str = "--check -c --write -w --list-different -l --no-color --color --log-level= --loglevel= --ignore-unknown -u \
    --no-error-on-unmatched-pattern --single-quote --no-semi --tab-width= --print-width= --use-tabs --trailing-comma= \
    --prose-wrap= --end-of-line= --stdin-filepath= --cache --no-cache --debug-check --no-editorconfig";

/// Whether a name is a tool that package managers run by its name alone.
pub(super) fn is_tool(name: &str) -> bool {
    matches!(name, "jest" | "vitest" | "mocha" | "eslint" | "prettier" | "tsc")
}

/// Programs of the machine that package managers run where no script has the name.
const ON_MACHINE: &str = "sh|bash|zsh|dash|ksh|ash|fish|csh|tcsh|env|sudo|su|doas|xargs|parallel|nohup|nice|timeout|setsid|node|nodejs|python|python2|python3|perl|ruby|php|lua|osascript|pwsh|awk|gawk|mawk|sed|find|mv|cp|ln|dd|tee|touch|mkdir|rmdir|chmod|chown|truncate|shred|kill|killall|pkill|curl|wget|ssh|scp|sftp|rsync|nc|ncat|socat|telnet|git|gh|docker|podman|kubectl|make|gcc|cc|clang|go|cargo|rustc|java|npx|npm|yarn|pip|pip3|uv|cat|head|tail|less|more|tar|zip|unzip|gzip|openssl|gpg|vim|vi|nano|crontab|systemctl|open|xdg-open|tmux|screen|strace|gdb|script|expect|busybox|ls|echo|printf|grep|eval|source";

/// Whether a word names such a program.
pub(super) fn is_on_machine(word: &str) -> bool {
    word == "rm" || ON_MACHINE.split('|').any(|known| known == word)
}

/// Whether a reporter is one that vitest brings; another name is a module that is loaded.
pub(super) fn is_reporter(name: &str) -> bool {
    matches!(
        name,
        "default" | "basic" | "verbose" | "dot" | "json" | "tap" | "tap-flat" | "hanging-process" | "tree"
    )
}

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program(
        "npm",
        Words,
        NPM,
        &[
            command("run|run-script|rum|urn|test|t|tst|start|stop|restart", &[NPM], Names).handing_over(),
            command(
                "exec|x|init|create|innit|explore|config|c|set|edit|link|ln|token|login|adduser|add-user|profile|access|owner|\
                 hook|set-script|shrinkwrap|unstar|star|team|org|pkg|install-test|it|install-ci-test|cit|sit|clean-install-test",
                &[],
                Never,
            ),
            command(
                "install|i|add|ci|clean-install|uninstall|un|unlink|remove|rm|r|update|up|upgrade|outdated|ls|list|ll|la|view|v|\
                 info|show|why|explain|audit|pack|version|fund|root|prefix|bin|search|s|find|se|doctor|prune|dedupe|ddp|rebuild|rb|\
                 ping|whoami|help|docs|home|repo|bugs|issues|diff|query|sbom|cache|dist-tag|dist-tags|deprecate|publish|unpublish|\
                 completion|get",
                &[NPM, NPM_PACKAGES],
                Packages,
            ),
            // Npm takes the beginning of a command's name for the command.
            command("", &[], Never),
        ],
    ),
    program(
        "pnpm",
        Words,
        "-r --recursive --silent -s --offline --no-color --color",
        &[
            command(ON_MACHINE, &[], Never),
            command("dlx|exec|create|config|c|set|env|setup|patch|patch-commit|link|ln|x|deploy|server|store|self-update", &[], Never),
            command("install|i|add|remove|rm|uninstall|un|update|up|upgrade|list|ls|outdated|why|audit|prune|fetch|import|rebuild|root|bin", &["-r --recursive", PNPM, PNPM_PACKAGES], Packages),
            command("", &["-r --recursive", PNPM], Names).handing_over(),
        ],
    ),
    program(
        "yarn",
        Words,
        "-s --silent --verbose --json --offline",
        &[
            command("dlx|exec|node|create|config|set|link|unlink|plugin|npm|policies|global|unplug|patch|patch-commit|import|login|\
                 workspace|workspaces", &[], Never),
            command("", &[YARN], Names).handing_over(),
        ],
    ),
    program(
        "bun",
        Words,
        "--silent",
        &[
            command("x|create|c|exec|repl|link|unlink|pm|upgrade|publish|-e|--eval|-p|--print", &[], Never),
            command("test", &["-t= --test-name-pattern= --watch --coverage --bail? --timeout= --only --todo -u --update-snapshots --rerun-each= --silent"], Files),
            command("install|i|add|a|remove|rm|update|outdated", &["-d -D --dev --save --production -p -E --exact --frozen-lockfile --force --dry-run --no-save --silent --verbose --no-progress --optional --ignore-scripts -g --global"], Packages),
            command("run", &["--silent --if-present --bun -b"], Scripts).until_operand(1),
            command("", &["--silent --watch --hot"], Files).until_operand(1),
        ],
    ),
    program(
        "deno",
        Words,
        "-q --quiet",
        &[
            command("run|eval|repl|install|uninstall|compile|serve|jupyter|x|add|upgrade|task|bench", &[], Never),
            command("test|check|lint|fmt|doc|info|cache", &["--check? --fail-fast? --filter= --parallel --watch? --quiet -q --no-run --shuffle? --coverage? --doc --json --fix --no-check? --ignore= --reporter= --unstable --no-prompt --trace-leaks"], Local).handing_over(),
            command("", &["-V"], Names),
        ],
    ),
    program("jest", Clusters, "", &[command("", &[JEST], Files)]),
    program(
        "vitest",
        Clusters,
        "",
        &[command("", &[VITEST], Files)],
    ),
    program(
        "mocha",
        Clusters,
        "",
        &[command("", &["-g= --grep= -f= --fgrep= -i --invert -b --bail -w --watch -t= --timeout= --retries= -j= --jobs= -p --parallel --forbid-only --forbid-pending --exit -c --color -C --no-color --colors --recursive --sort --dry-run --check-leaks --full-trace -s= --slow= --diff --no-diff"], Files)],
    ),
    program("eslint", Words, "", &[command("", &[ESLINT], Files)]),
    program("prettier", Words, "", &[command("", &[PRETTIER], Files)]),
    program("tsc", Words, "", &[command("", &[TSC], Files)]),
];
