//! Commands for which no rule is offered, not even one for their exact text: a person who answers "always"
//! to one of them allows more than they expect.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Programs that run whatever they are given, remove it, or change what later commands mean. Versions at the
/// end of a name don't count.
const PROGRAMS: [&str; 18] = [
    "sh bash zsh dash ksh mksh fish csh tcsh ash rbash nu xonsh elvish pwsh powershell cmd",
    "node nodejs deno ruby perl php tclsh wish expect Rscript R osascript julia groovy jshell irb ghci iex",
    "ts-node tsx runghc swift scala erl elixir octave guile racket sbcl",
    "psql mysql mariadb sqlite3 mongo mongosh redis-cli sqlplus duckdb clickhouse-client dropdb dropuser",
    "sudo doas su runuser pkexec run0 systemd-run setpriv unshare nsenter chroot firejail bwrap fakeroot",
    "env xargs parallel timeout nice ionice nohup stdbuf time command builtin exec eval source . setsid flock",
    "taskset chrt prlimit setarch unbuffer script entr watch tmux screen busybox toybox",
    "strace ltrace valgrind gdb lldb perf",
    "npx pnpx bunx uvx nix-shell ssh mosh socat nc ncat netcat telnet ansible ansible-playbook",
    "vi vim nvim view ex ed emacs emacsclient nano",
    "find awk gawk mawk nawk sed",
    "at batch crontab init telinit shutdown reboot halt poweroff",
    "rm rmdir unlink shred srm rimraf trash trash-put del truncate",
    "dd wipefs diskutil fdisk sfdisk cfdisk gdisk parted",
    // The number or name of a process means another one tomorrow.
    "kill pkill killall skill xkill",
    "export declare typeset readonly local alias unalias unset set shopt trap enable hash let",
    "kexec insmod modprobe mount umount",
    "vsce goreleaser fastlane",
];

/// Beginnings of such names.
const BEGINNINGS: [&str; 5] = ["python", "pypy", "lua", "mkfs", "fsck"];

/// Commands of a program that run or remove whatever they are given, or show it to the world.
const COMMANDS: [(&str, &str); 39] = [
    (
        "npm",
        "exec x config set create init explore publish unpublish deprecate dist-tag owner access token login adduser",
    ),
    ("pnpm", "dlx exec create config publish"),
    ("yarn", "dlx exec node create config publish npm"),
    ("bun", "x create publish"),
    ("lerna", "exec run publish version"),
    ("pipx", "run runpip"),
    ("uv", "run tool publish"),
    ("poetry", "run shell config publish"),
    ("hatch", "run shell publish"),
    ("flit", "publish"),
    ("twine", "upload"),
    ("gem", "push yank owner exec"),
    ("mvn", "deploy"),
    ("gradle", "publish"),
    ("conda", "run config"),
    ("mamba", "run config"),
    ("micromamba", "run config"),
    ("nix", "run shell develop"),
    ("rustup", "run"),
    ("bundle", "exec config"),
    ("cargo", "publish yank owner login logout"),
    ("dotnet", "nuget exec script fsi"),
    (
        "docker",
        "run exec compose container create cp rm rmi image network system volume buildx swarm stack service node secret \
         plugin context login",
    ),
    (
        "podman",
        "run exec compose container create cp rm rmi image network system volume machine unshare pod login",
    ),
    ("kubectl", "exec delete run debug drain replace cp attach edit proxy config"),
    ("oc", "exec delete run debug drain replace cp attach edit proxy config rsh login"),
    (
        "git",
        "clean reset rm config difftool mergetool filter-branch filter-repo submodule bisect gc prune update-ref \
         symbolic-ref replace read-tree checkout-index fast-import credential send-email send-pack http-push",
    ),
    ("aws", "s3 s3api configure"),
    ("gh", "repo auth api secret ssh-key gpg-key extension alias config codespace"),
    ("glab", "repo auth api variable ssh-key alias config"),
    ("gcloud", "auth config"),
    ("terraform", "destroy apply state console import force-unlock taint untaint workspace login"),
    ("tofu", "destroy apply state console import force-unlock taint untaint workspace login"),
    ("pulumi", "destroy up state stack cancel config"),
    ("helm", "uninstall delete plugin rollback"),
    ("cdk", "deploy destroy"),
    ("vagrant", "destroy ssh provision"),
    ("heroku", "run config"),
    (
        "systemctl",
        "halt poweroff reboot kexec edit isolate rescue emergency suspend hibernate link set-environment \
         import-environment",
    ),
];

/// Programs that keep things elsewhere, or packages, with commands and options that remove them.
const KEEPERS: [&str; 4] = [
    "gh glab gcloud gsutil bq aws az doctl heroku fly flyctl vercel netlify firebase wrangler supabase railway",
    "docker podman nerdctl kubectl oc helm terraform tofu pulumi cdk sam serverless sls vagrant eksctl argocd flux",
    "minikube kind consul vault nomad etcdctl rclone mc s3cmd rsync",
    "brew apt apt-get dnf yum zypper pacman apk snap flatpak pip pip3 gem",
];

/// What removing is called there, alone or as a part of a word, as in `delete-table` and `pg:reset`.
const REMOVALS: &str =
    "delete del destroy remove rm rb terminate purge prune drop uninstall autoremove wipe reset";

/// Variables that decide which program or which code runs.
const LOADED: [&str; 10] =
    ["PATH", "LD_", "DYLD_", "BASH", "GIT_", "PYTHON", "PERL", "RUBY", "NODE_OPTIONS", "RUSTC"];

/// Ends and whole names of such variables.
const LOADED_ENDS: [&str; 8] = ["SHELL", "HOME", "IFS", "EDITOR", "VISUAL", "PAGER", "_WRAPPER", "OPTS"];

pub(super) fn lists(row: &str, name: &str) -> bool {
    row.as_bytes().split(|byte| *byte == b' ').any(|listed| listed == name.as_bytes())
}

/// The names in all rows. The long tables are asked about every command, so they are not walked each time.
fn names(rows: &'static [&'static str]) -> HashSet<&'static str> {
    rows.iter().flat_map(|row| row.split(' ')).collect()
}

/// The row of a table that belongs to a program.
pub(super) fn row(table: &[(&str, &'static str)], program: &str) -> &'static str {
    table.iter().find(|(listed, _)| *listed == program).map_or("", |(_, commands)| *commands)
}

/// Whether no rule is offered for a program, whatever it is given. `name` is without its folder.
pub(super) fn is_program(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| names(&PROGRAMS));
    NAMES.contains(name)
        || NAMES.contains(unversioned)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether a variable decides which program or which code runs.
pub(super) fn is_loaded(variable: &str) -> bool {
    variable == "ENV"
        || LOADED.iter().any(|beginning| variable.starts_with(beginning))
        || LOADED_ENDS.iter().any(|end| variable.ends_with(end))
}

/// Whether a program's command must not always be allowed.
pub(super) fn is_command(name: &str, rest: &[String]) -> bool {
    // Behind an option it is not known which word is the command.
    let commands = match rest.first() {
        Some(first) if !first.starts_with('-') => &rest[..1],
        _ => rest,
    };
    let never = row(&COMMANDS, name);
    let misleads = |word: &String| word.contains(['\'', '"', '\\', '$']);
    if !never.is_empty() && commands.iter().any(|word| lists(never, word) || misleads(word)) {
        return true;
    }
    let removal = |word: &String| {
        unquoted(word).split(['-', ':', '=']).any(|part| !part.is_empty() && lists(REMOVALS, part))
    };
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| names(&KEEPERS));
    if NAMES.contains(name) && rest.iter().any(removal) {
        return true;
    }
    match name {
        "make" | "gmake" => rest.iter().any(|word| reads_elsewhere(word)),
        "cmake" => rest.first().is_some_and(|word| word == "-E"),
        "git" => (0..commands.len()).any(|at| git_loses(&rest[at], &rest[at + 1..])),
        _ => false,
    }
}

fn unquoted(word: &str) -> Cow<'_, str> {
    if word.contains(['\'', '"', '\\']) { word.replace(['\'', '"', '\\'], "").into() } else { word.into() }
}

/// Options with which make reads another file than the project's own.
fn reads_elsewhere(word: &str) -> bool {
    let long = ["--file", "--makefile", "--directory", "--eval", "--include-dir"];
    let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    short.is_some_and(|rest| rest.contains(['f', 'C', 'I', 'E'])) || long.iter().any(|o| word.starts_with(o))
}

/// Whether a command of git throws work away, here or on another machine. Long options may be cut short.
fn git_loses(command: &str, words: &[String]) -> bool {
    let words: Vec<Cow<'_, str>> = words.iter().map(|word| unquoted(word)).collect();
    let options = || words.iter().take_while(|word| *word != "--").filter(|word| word.starts_with('-'));
    let has = |letters: &[char], long: &[&str]| {
        options().any(|word| match word.strip_prefix("--") {
            Some(name) => long.iter().any(|known| name.starts_with(known)),
            None => word.contains(letters),
        })
    };
    let mut operands = words.iter().filter(|word| !word.starts_with('-'));
    let names = |known: &str| words.first().is_some_and(|word| lists(known, word));
    match command {
        "push" => {
            has(&['f', 'd'], &["for", "de", "m", "pru"]) || operands.any(|word| word.starts_with(['+', ':']))
        }
        // A word behind the branch, or looks like a file, is a file whose changes are lost.
        "checkout" => {
            let is_file =
                |word: &Cow<'_, str>| word == "--" || (word.contains('.') && !word.starts_with('-'));
            let makes_branch = has(&['b'], &["or"]);
            has(&['f', 'B', 'p'], &["f", "ou", "the", "p"])
                || (!makes_branch && (words.iter().any(is_file) || operands.count() > 1))
        }
        "restore" => !has(&['S'], &["st"]) || has(&['W'], &["w"]),
        "switch" => has(&['f', 'C'], &["f", "di"]),
        "branch" => has(&['d', 'D', 'f', 'M', 'C'], &["de", "f"]),
        "tag" => has(&['d', 'f'], &["d", "f"]),
        "rebase" => has(&[], &["sk"]),
        "stash" => names("drop clear"),
        "worktree" => names("remove prune"),
        "remote" => names("remove rm set-url"),
        "reflog" => names("expire delete"),
        "lfs" => names("prune migrate"),
        _ => false,
    }
}
