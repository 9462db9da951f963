//! Files that hold credentials. Reading one is asked whatever a broad rule, a working directory or plan mode
//! allows; only a rule that names it allows it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::glob::{Token, intersect, matches_tokens, tokens};
use crate::path;
use crate::pattern::folded;

/// Where the files of a row are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In any folder.
    Anywhere,
    /// Directly in a home. Projects have files of the same name that hold no secrets.
    Home,
    /// In any folder that is not a working directory.
    Outside,
    /// Below the root of the file system.
    Root,
}

/// One group of files. A path that ends with a slash is a folder with everything in it; `*` stands for any
/// text within one name.
pub(crate) struct Row {
    pub(crate) place: Place,
    pub(crate) what: &'static str,
    pub(crate) paths: &'static [&'static str],
}

const fn row(place: Place, what: &'static str, paths: &'static [&'static str]) -> Row {
    Row { place, what, paths }
}

/// The one table of credentials. `docs/permissions.md` lists it.
pub(crate) const TABLE: [Row; 21] = [
    row(
        Place::Anywhere,
        "keys of SSH, GnuPG and password stores",
        &[
            ".ssh/",
            ".gnupg/",
            ".password-store/",
            ".local/share/keyrings/",
            ".local/share/kwalletd/",
            "Library/Keychains/",
        ],
    ),
    row(
        Place::Anywhere,
        "credentials of coding agents",
        &[".credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".config/github-copilot/"],
    ),
    row(
        Place::Anywhere,
        "secrets of Aqueduct",
        &[".config/aqueduct/", ".local/share/aqueduct/", ".local/state/aqueduct/"],
    ),
    row(
        Place::Anywhere,
        "credentials of code hosts",
        &[
            ".git-credentials",
            ".config/git/credentials",
            ".config/gh/",
            ".config/hub",
            ".config/glab-cli/",
            ".config/tea/",
        ],
    ),
    row(
        Place::Anywhere,
        "credentials of container tools",
        &[
            ".docker/config.json",
            ".docker/contexts/",
            ".dockercfg",
            ".config/containers/auth.json",
            "containers/auth.json",
        ],
    ),
    row(
        Place::Anywhere,
        "credentials of cloud providers",
        &[
            ".aws/",
            ".azure/",
            ".config/gcloud/",
            ".oci/",
            ".config/doctl/",
            ".aliyun/",
            ".bluemix/",
            ".config/hcloud/",
            ".config/linode-cli",
            ".config/scw/",
            ".fly/",
            ".config/heroku/",
            ".config/netlify/",
            ".netlify/",
            ".vercel/auth.json",
            ".local/share/com.vercel.cli/",
            ".config/.wrangler/",
            ".wrangler/config/",
            ".config/stripe/",
            ".config/rclone/",
            ".s3cfg",
            ".boto",
            ".databrickscfg",
            ".snowflake/",
            ".pulumi/credentials.json",
            ".terraform.d/credentials.tfrc.json",
            ".terraformrc",
            ".vault-token",
            ".config/op/",
            ".config/ngrok/",
            ".ngrok2/",
            "application_default_credentials.json",
        ],
    ),
    row(
        Place::Anywhere,
        "credentials of clusters",
        &[".kube/", ".config/k9s/", ".talos/", ".config/helm/", ".config/argocd/"],
    ),
    row(
        Place::Anywhere,
        "credentials of package registries",
        &[
            ".pypirc",
            ".cargo/credentials",
            ".cargo/credentials.toml",
            ".gem/credentials",
            ".local/share/gem/credentials",
            ".m2/settings.xml",
            ".m2/settings-security.xml",
            ".composer/auth.json",
            ".config/composer/auth.json",
            ".nuget/NuGet/NuGet.Config",
            ".config/NuGet/NuGet.Config",
            ".config/pypoetry/auth.toml",
            ".config/hatch/",
            ".huggingface/token",
            ".cache/huggingface/token",
            ".config/configstore/",
        ],
    ),
    row(
        Place::Home,
        "settings of package managers, which hold tokens",
        &[
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".config/pnpm/rc",
            ".config/npm/npmrc",
            ".gradle/gradle.properties",
            ".pip/pip.conf",
            ".config/pip/pip.conf",
            ".bundle/config",
            ".condarc",
        ],
    ),
    row(
        Place::Anywhere,
        "passwords for hosts and databases",
        &[
            ".netrc",
            "_netrc",
            ".pgpass",
            ".my.cnf",
            ".mylogin.cnf",
            ".mongorc.js",
            ".config/rclone.conf",
            ".subversion/auth/",
        ],
    ),
    row(
        Place::Anywhere,
        "a browser's or mail program's profile",
        &[
            ".mozilla/",
            ".thunderbird/",
            ".config/google-chrome/",
            ".config/google-chrome-beta/",
            ".config/chromium/",
            ".config/BraveSoftware/",
            ".config/microsoft-edge/",
            ".config/vivaldi/",
            ".config/opera/",
            "snap/firefox/common/",
            "snap/chromium/common/",
            ".var/app/org.mozilla.firefox/",
            ".var/app/com.google.Chrome/",
            "Library/Application Support/Google/Chrome/",
            "Library/Application Support/Firefox/",
            "Library/Application Support/BraveSoftware/",
            "Library/Safari/",
            "Library/Cookies/",
        ],
    ),
    row(
        Place::Anywhere,
        "a password manager's data",
        &[
            ".config/Bitwarden/",
            ".config/Bitwarden CLI/",
            ".config/1Password/",
            ".config/keepassxc/",
            ".lastpass/",
        ],
    ),
    row(
        Place::Home,
        "a history of commands, which may hold secrets",
        &[
            ".bash_history",
            ".zsh_history",
            ".zhistory",
            ".histfile",
            ".sh_history",
            ".history",
            ".python_history",
            ".psql_history",
            ".mysql_history",
            ".sqlite_history",
            ".node_repl_history",
            ".rediscli_history",
            ".mongo_history",
            ".dbshell",
            ".irb_history",
            ".lesshst",
            ".viminfo",
            ".local/share/fish/fish_history",
            ".local/state/bash/history",
            ".config/zsh/.zsh_history",
            ".bash_sessions/",
            ".zsh_sessions/",
        ],
    ),
    row(
        Place::Home,
        "tokens of coding agents and their servers",
        &[".claude.json", ".mcp.json", ".config/openai/"],
    ),
    row(Place::Home, "variables that may hold secrets", &[".env", ".env.*", ".envrc", ".pam_environment"]),
    row(
        Place::Outside,
        "variables or keys of another project",
        &[
            ".env",
            ".env.*",
            ".envrc",
            ".npmrc",
            ".htpasswd",
            "*.pem",
            "*.key",
            "*.p12",
            "*.pfx",
            "*.jks",
            "*.keystore",
            "*.kdbx",
            "*.tfstate",
            "id_rsa*",
            "id_dsa*",
            "id_ecdsa*",
            "id_ed25519*",
            "credentials.json",
            "secrets.json",
            "secrets.yml",
            "secrets.yaml",
            "service-account*.json",
            "kubeconfig",
        ],
    ),
    row(
        Place::Root,
        "the system's passwords and keys",
        &[
            "etc/shadow",
            "etc/shadow-",
            "etc/gshadow",
            "etc/gshadow-",
            "etc/master.passwd",
            "etc/sudoers",
            "etc/sudoers.d/",
            "etc/krb5.keytab",
            "etc/ssh/ssh_host_*_key",
            "etc/ssl/private/",
            "etc/pki/tls/private/",
            "etc/letsencrypt/",
            "etc/NetworkManager/system-connections/",
            "etc/wpa_supplicant/",
            "etc/docker/key.json",
            "etc/environment",
        ],
    ),
    row(
        Place::Root,
        "secrets of clusters and services",
        &[
            "etc/kubernetes/",
            "etc/rancher/",
            "var/lib/rancher/",
            "var/lib/kubelet/",
            "var/lib/docker/",
            "var/lib/containers/",
            "run/secrets/",
            "var/run/secrets/",
            "run/credentials/",
            "run/user/",
        ],
    ),
    row(
        Place::Root,
        "the environment, memory and open files of a process",
        &[
            "proc/*/environ",
            "proc/*/mem",
            "proc/*/maps",
            "proc/*/smaps",
            "proc/*/fd/",
            "proc/*/map_files/",
            "proc/*/auxv",
            "proc/*/root/",
            "proc/*/cwd/",
            "proc/kcore",
            "dev/mem",
            "dev/kmem",
            "dev/port",
        ],
    ),
    row(
        Place::Root,
        "the system's memory and disks",
        &["dev/sd*", "dev/nvme*", "dev/vd*", "dev/disk/", "dev/mapper/", "dev/dm-*"],
    ),
    row(
        Place::Root,
        "the system's keychain",
        &["Library/Keychains/", "private/var/db/", "private/etc/master.passwd"],
    ),
];

/// Variables that move a file of the table elsewhere, and the files below the folder they name; nothing for a
/// variable that names the file itself. Hosts pass what they lead to in [`crate::Context::with_credentials`].
pub const VARIABLES: [(&str, &[&str]); 26] = [
    ("CLAUDE_CONFIG_DIR", &[".credentials.json", ".claude.json"]),
    ("AQUEDUCT_DATA_DIR", &[""]),
    ("XDG_DATA_HOME", &["aqueduct", "keyrings", "kwalletd"]),
    ("XDG_STATE_HOME", &["aqueduct"]),
    (
        "XDG_CONFIG_HOME",
        &["aqueduct", "gh", "glab-cli", "gcloud", "containers/auth.json", "git/credentials", "rclone", "op"],
    ),
    ("GH_CONFIG_DIR", &[""]),
    ("GLAB_CONFIG_DIR", &[""]),
    ("DOCKER_CONFIG", &["config.json", "contexts"]),
    ("REGISTRY_AUTH_FILE", &[""]),
    ("KUBECONFIG", &[""]),
    ("AWS_SHARED_CREDENTIALS_FILE", &[""]),
    ("AWS_CONFIG_FILE", &[""]),
    ("AWS_WEB_IDENTITY_TOKEN_FILE", &[""]),
    ("GOOGLE_APPLICATION_CREDENTIALS", &[""]),
    ("CLOUDSDK_CONFIG", &[""]),
    ("AZURE_CONFIG_DIR", &[""]),
    ("CARGO_HOME", &["credentials", "credentials.toml"]),
    ("NPM_CONFIG_USERCONFIG", &[""]),
    ("npm_config_userconfig", &[""]),
    ("PIP_CONFIG_FILE", &[""]),
    ("NETRC", &[""]),
    ("PGPASSFILE", &[""]),
    ("GNUPGHOME", &[""]),
    ("PASSWORD_STORE_DIR", &[""]),
    ("HISTFILE", &[""]),
    ("BOTO_CONFIG", &[""]),
];

/// A path of the table, taken apart.
struct Known {
    place: Place,
    what: &'static str,
    names: Vec<Name>,
    /// Whether everything below it is meant.
    folder: bool,
}

enum Name {
    Literal(String),
    Wild(Vec<Token>),
}

struct Index {
    all: Vec<Known>,
    /// Paths that begin with this name.
    by_name: HashMap<String, Vec<usize>>,
    /// Paths that begin with a wildcard.
    wild: Vec<usize>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { all: Vec::new(), by_name: HashMap::new(), wild: Vec::new() };
    for (row, path) in TABLE.iter().flat_map(|row| row.paths.iter().map(move |path| (row, path))) {
        let path_folded = folded(path.trim_end_matches('/'));
        let names: Vec<Name> = path_folded.split('/').map(name).collect();
        let at = index.all.len();
        match names.first() {
            Some(Name::Literal(first)) => index.by_name.entry(first.clone()).or_default().push(at),
            _ => index.wild.push(at),
        }
        index.all.push(Known { place: row.place, what: row.what, names, folder: path.ends_with('/') });
    }
    index
});

fn name(text: &str) -> Name {
    if text.contains('*') { Name::Wild(tokens(text)) } else { Name::Literal(text.to_owned()) }
}

fn is_wild(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

impl Name {
    /// Whether it is this component of a path, which may be a wildcard itself.
    fn is(&self, component: &str, glob: bool) -> bool {
        if !glob || !is_wild(component) {
            return match self {
                Name::Literal(text) => text == component,
                Name::Wild(pattern) => matches_tokens(pattern, component.chars()),
            };
        }
        // Wildcards of the shell don't match a leading dot.
        match self {
            Name::Literal(text) => {
                (!text.starts_with('.') || component.starts_with('.'))
                    && matches_tokens(&tokens(component), text.chars())
            }
            Name::Wild(pattern) => intersect(pattern, &tokens(component)),
        }
    }

    fn is_hidden(&self) -> bool {
        match self {
            Name::Literal(text) => text.starts_with('.'),
            Name::Wild(pattern) => pattern.first() == Some(&Token::Char('.')),
        }
    }
}

/// What the machine adds to the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) home: Option<&'a str>,
    pub(crate) working: &'a [String],
    /// More files and folders that hold credentials, as absolute paths.
    pub(crate) more: &'a [String],
}

/// What an absolute path holds, if it holds credentials. With `glob`, whether wildcards in it may stand for one
/// that does.
pub(crate) fn held(path: &str, glob: bool, machine: Machine<'_>) -> Option<&'static str> {
    let clean = folded(path);
    let components: Vec<&str> = clean.split('/').filter(|component| !component.is_empty()).collect();
    let glob = glob && is_wild(&clean);
    let index = &*INDEX;
    let outside = || !machine.working.iter().any(|directory| path::is_within(path, directory));
    let fits = |known: &Known, at: usize| {
        let length = known.names.len();
        let rest = &components[at..];
        let enough = if known.folder { rest.len() >= length } else { rest.len() == length };
        // In a project, a wildcard is not taken for a plain name that a home may have.
        let guessed = glob && is_wild(components[at]) && !known.names[0].is_hidden() && !outside();
        enough
            && !guessed
            && match known.place {
                Place::Anywhere => true,
                Place::Home => is_home(&components[..at], glob, machine.home),
                Place::Outside => outside(),
                Place::Root => at == 0,
            }
            && known.names.iter().zip(rest).all(|(name, component)| name.is(component, glob))
    };
    for at in 0..components.len() {
        let named = index.by_name.get(components[at]).map_or(&[][..], Vec::as_slice);
        let candidates = named.iter().chain(&index.wild).map(|known| &index.all[*known]);
        let found = if glob && is_wild(components[at]) {
            index.all.iter().find(|known| fits(known, at))
        } else {
            candidates.into_iter().find(|known| fits(known, at))
        };
        if let Some(known) = found {
            return Some(known.what);
        }
    }
    let moved = machine.more.iter().any(|place| path::is_within(path, place));
    moved.then_some("credentials, as the environment says")
}

/// Whether a folder may have files of the table somewhere below it. Of names that a search passes over because
/// they are hidden, `hidden` says whether they count.
pub(crate) fn may_be_below(folder: &str, hidden: bool, machine: Machine<'_>) -> bool {
    let homes = ["/root", "/home", "/Users", "/var/root"];
    let holds = |place: &str| path::is_within(place, folder);
    if homes.iter().any(|home| holds(home)) || machine.home.is_some_and(holds) {
        return true;
    }
    if machine.more.iter().any(|place| holds(place)) {
        return true;
    }
    let clean = folded(folder);
    let components: Vec<&str> = clean.split('/').filter(|component| !component.is_empty()).collect();
    if matches!(components.as_slice(), ["home" | "users", _]) {
        return true;
    }
    // The end of the folder's path is the beginning of a path of the table.
    INDEX.all.iter().any(|known| {
        let longest = components.len().min(known.names.len() - 1);
        (1..=longest).any(|length| {
            let at = components.len() - length;
            let (above, below) = known.names.split_at(length);
            let placed = match known.place {
                Place::Anywhere => true,
                Place::Home => is_home(&components[..at], false, machine.home),
                Place::Outside => false,
                Place::Root => at == 0,
            };
            placed
                && above.iter().zip(&components[at..]).all(|(name, component)| name.is(component, false))
                && (hidden || !below.iter().any(Name::is_hidden))
        })
    })
}

/// Whether these components name a home: the user's, or another's by the usual places.
fn is_home(components: &[&str], glob: bool, home: Option<&str>) -> bool {
    let like = |component: &str, name: &str| {
        component == name || glob && is_wild(component) && matches_tokens(&tokens(component), name.chars())
    };
    let usual = match components {
        [one] => like(one, "root"),
        [one, _] => like(one, "home") || like(one, "users") || like(one, "var"),
        _ => false,
    };
    usual
        || home.is_some_and(|home| {
            let home = folded(home);
            let names: Vec<&str> = home.split('/').filter(|name| !name.is_empty()).collect();
            names.len() == components.len()
                && names.iter().zip(components).all(|(name, component)| like(component, name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine<'static> {
        static WORKING: LazyLock<Vec<String>> = LazyLock::new(|| vec!["/home/me/proj".to_owned()]);
        static MORE: LazyLock<Vec<String>> = LazyLock::new(|| vec!["/srv/aqueduct".to_owned()]);
        Machine { home: Some("/home/me"), working: &WORKING, more: &MORE }
    }

    fn holds(path: &str) -> bool {
        held(path, false, machine()).is_some()
    }

    #[test]
    fn files_of_the_table() {
        for path in [
            "/home/me/.ssh/id_rsa",
            "/home/me/.SSH/config",
            "/mnt/backup/me/.aws/credentials",
            "/home/me/.claude/.credentials.json",
            "/home/me/.config/gh/hosts.yml",
            "/home/me/.config/aqueduct/environment",
            "/home/me/.docker/config.json",
            "/home/me/.npmrc",
            "/root/.bash_history",
            "/home/other/.env",
            "/home/me/other/.env.production",
            "/etc/shadow",
            "/proc/self/environ",
            "/proc/1/fd/3",
            "/srv/aqueduct/tokens.json",
        ] {
            assert!(holds(path), "{path}");
        }
        for path in [
            "/home/me/proj/.npmrc",
            "/home/me/proj/.env",
            "/home/me/proj/src/a.key",
            "/home/me/.docker/daemon.json",
            "/home/me/.config/htop/htoprc",
            "/home/me/.cargo/config.toml",
            "/etc/hostname",
            "/proc/self/status",
            "/home/me/.gitconfig",
        ] {
            assert!(!holds(path), "{path}");
        }
    }

    #[test]
    fn wildcards_that_may_stand_for_one() {
        let may = |path| held(path, true, machine()).is_some();
        for path in [
            "/home/me/.n*",
            "/home/me/.*/id_rsa",
            "/home/*/.npmrc",
            "/home/me/.docker/*",
            "/etc/sha*",
            "/proc/*/env*",
        ] {
            assert!(may(path), "{path}");
        }
        for path in ["/home/me/proj/*", "/home/me/proj/src/*.rs", "/home/me/proj/.e*"] {
            assert!(!may(path), "{path}");
        }
    }

    #[test]
    fn folders_that_may_hold_some() {
        for folder in [
            "/",
            "/home",
            "/home/me",
            "/home/me/.config",
            "/home/me/.docker",
            "/home/me/.local/share",
            "/etc",
            "/srv",
            "/home/you",
        ] {
            assert!(may_be_below(folder, true, machine()), "{folder}");
        }
        for folder in ["/home/me/proj", "/home/me/proj/src", "/usr/share", "/home/me/.config/htop"] {
            assert!(!may_be_below(folder, true, machine()), "{folder}");
        }
        assert!(may_be_below("/home/me/.config", false, machine()));
        assert!(!may_be_below("/home/me/.claude", false, machine()));
    }
}
