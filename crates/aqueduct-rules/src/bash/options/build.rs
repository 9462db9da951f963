//! Build tools.

use super::OperandKind::{Files, Names, Never, Targets, Words as Plain};
use super::Style::{Clusters, Words};
use super::{KnownProgram, command, program};

const MAKE: &str = "-j? -k -s -B -n -q -i -w -d -p -r -R -S -t -v -l? -O? --jobs? --keep-going --silent --quiet \
    --always-make --dry-run --just-print --recon --question --ignore-errors --print-directory --no-print-directory \
    --debug? --trace --no-builtin-rules --no-builtin-variables --touch --load-average? --output-sync? --no-silent \
    --warn-undefined-variables --print-data-base --no-keep-going --stop";

const MVN: &str = "-q -B -o -U -X -e -ntp -am -amd -fae -ff -fn -N -T= -pl= --quiet --batch-mode --offline \
    --update-snapshots --debug --errors --no-transfer-progress --also-make --fail-at-end --fail-fast --fail-never \
    --non-recursive --threads= --projects= -DskipTests? -DskipITs? -Dtest? -Dit.test? -DfailIfNoTests? \
    -Dmaven.test.skip? -Dsurefire.failIfNoSpecifiedTests? -V --show-version -v";

const GRADLE: &str = "-q -i -d -w -s -S --quiet --info --debug --warn --stacktrace --full-stacktrace --offline \
    --parallel --no-parallel --daemon --no-daemon --build-cache --no-build-cache --configuration-cache \
    --no-configuration-cache --continue --rerun-tasks --refresh-dependencies --dry-run -m --console= --scan --no-scan \
    -x= --exclude-task= --tests= --fail-fast --rerun --max-workers= --profile --status --stop --warning-mode= -v \
    --all --watch-fs --no-watch-fs";

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program("make gmake", Clusters, "", &[command("", &[MAKE], Targets)]),
    program("ninja", Clusters, "", &[command("", &["-j= -k= -l= -n -v -d= --verbose --quiet"], Targets)]),
    program(
        "cmake",
        Words,
        "",
        &[command(
            "",
            &["-S= -B= -DCMAKE_BUILD_TYPE? --build --target= -t= -j? --parallel? --config= --clean-first --verbose -v --list-presets? -N -L -LA -LAH"],
            Files,
        )],
    ),
    program(
        "ctest",
        Words,
        "",
        &[command(
            "",
            &["-V -VV --verbose --extra-verbose --output-on-failure -j= --parallel= -R= -E= -L= -LE= -N --show-only -C= \
               --build-config= --tests-regex= --exclude-regex= --label-regex= --label-exclude= --timeout= --stop-on-failure \
               --rerun-failed --repeat= --progress -Q --quiet --schedule-random --no-tests= --preset="],
            Files,
        )],
    ),
    program(
        "just",
        Clusters,
        "",
        &[command("", &["-n -q -v -l -u --dry-run --quiet --verbose --list --unsorted --summary --yes --color= --show= -s= --evaluate --variables --groups"], Plain)],
    ),
    program("task", Clusters, "", &[command("", &["-l -a -n -s -v -f -p --list --list-all --dry --silent --verbose --force --parallel --status --summary"], Plain)]),
    program("mvn mvnw", Words, "", &[command("", &[MVN], Targets)]),
    program("gradle gradlew", Words, "", &[command("", &[GRADLE], Names)]),
    program(
        "dotnet",
        Clusters,
        "--info --list-sdks --list-runtimes -h",
        &[
            command("exec|script|fsi|msbuild|nuget|tool|new|dev-certs|user-secrets|watch|vstest|dotnet-exec", &[], Never),
            command(
                "build|test|restore|clean|publish|pack|run|format|list|add|remove|sln",
                &["--project= -c= --configuration= -f= --framework= -r= --runtime= -v= --verbosity= --no-build --no-restore --nologo \
                   --no-incremental --filter= -t --list-tests --blame --blame-crash --blame-hang --collect= --force \
                   --self-contained? --no-dependencies --interactive --launch-profile= --no-launch-profile --os= --arch= \
                   --verify-no-changes --severity= --include-prerelease --outdated --deprecated --vulnerable -n="],
                Files,
            )
            .handing_over(),
            command("", &[], Never),
        ],
    ),
    program(
        "bazel bazelisk",
        Words,
        "",
        &[
            command("run", &["--config= -c= --compilation_mode= --verbose_failures"], Names).handing_over(),
            command(
                "",
                &["--config= -c= --compilation_mode= --test_output= --test_filter= --verbose_failures --keep_going -k --jobs= \
                   --cache_test_results= --runs_per_test= --nocache_test_results -t --output= --noshow_progress --curses= --color="],
                Names,
            ),
        ],
    ),
];

/// Whether a word is a goal of a well-known plugin of Maven, which does no more than its phases do.
pub(super) fn is_plain_goal(word: &str) -> bool {
    const GOALS: &str = "dependency:tree dependency:analyze dependency:resolve spring-boot:run compiler:compile surefire:test \
        failsafe:integration-test versions:display-dependency-updates spotless:check spotless:apply checkstyle:check";
    GOALS.split_ascii_whitespace().any(|known| known == word)
}

/// Whether a variable given to make is one that runs nothing: verbosity, and which well-known compiler is
/// used.
pub(super) fn is_plain_variable(name: &str, value: &str) -> bool {
    const COMPILERS: &str = "cc gcc clang c99 c11 tcc icc cl c++ g++ clang++ icpc";
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    match name {
        "V" | "VERBOSE" | "Q" | "DEBUG" | "RELEASE" | "CI" | "JOBS" | "ARCH" | "PROFILE" | "BUILD_TYPE"
        | "NO_COLOR" => plain,
        "CC" | "CXX" => {
            let name = value.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
            COMPILERS.split(' ').any(|known| known == name)
        }
        _ => false,
    }
}
