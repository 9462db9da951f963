//! The facts: which files hold credentials, and which variables move them.

/// Where the files of a row are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CredentialLocation {
    /// In any folder.
    Anywhere,
    /// Directly in a home. Projects have files of the same name that hold no secrets.
    Home,
    /// In any folder that is not a working directory.
    Outside,
    /// Below the root of the file system.
    Root,
}

/// One group of files. A path that ends with a slash is a folder with everything in it; `*` matches any
/// text within one name.
pub(crate) struct CredentialRow {
    pub(crate) place: CredentialLocation,
    pub(crate) what: &'static str,
    /// With `|` between them.
    pub(crate) paths: &'static str,
}

const fn row(place: CredentialLocation, what: &'static str, paths: &'static str) -> CredentialRow {
    CredentialRow { place, what, paths }
}

/// The one table of credentials. `docs/permissions.md` lists it.
pub(crate) const TABLE: [CredentialRow; 21] = [
    row(
        CredentialLocation::Anywhere,
        "keys of SSH, GnuPG and password stores",
        ".ssh/|.gnupg/|.password-store/|.local/share/keyrings/|.local/share/kwalletd/|\
         Library/Keychains/",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of coding agents",
        ".credentials.json|.codex/auth.json|.gemini/oauth_creds.json|.config/github-copilot/",
    ),
    row(
        CredentialLocation::Anywhere,
        "secrets of Aqueduct",
        ".config/aqueduct/|.local/share/aqueduct/|.local/state/aqueduct/",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of code hosts",
        ".git-credentials|.config/git/credentials|.config/gh/|.config/hub|.config/glab-cli/|\
         .config/tea/",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of container tools",
        ".docker/config.json|.docker/contexts/|.dockercfg|.config/containers/auth.json|\
         containers/auth.json",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of cloud providers",
        ".aws/|.azure/|.config/gcloud/|.oci/|.config/doctl/|.aliyun/|.bluemix/|.config/hcloud/|\
         .config/linode-cli|.config/scw/|.fly/|.config/heroku/|.config/netlify/|.netlify/|\
         .vercel/auth.json|.local/share/com.vercel.cli/|.config/.wrangler/|.wrangler/config/|\
         .config/stripe/|.config/rclone/|.s3cfg|.boto|.databrickscfg|.snowflake/|\
         .pulumi/credentials.json|.terraform.d/credentials.tfrc.json|.terraformrc|.vault-token|\
         .config/op/|.config/sops/|.kaggle/|.config/ngrok/|.ngrok2/|application_default_credentials.json",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of clusters",
        ".kube/|.config/k9s/|.talos/|.config/helm/|.config/argocd/",
    ),
    row(
        CredentialLocation::Anywhere,
        "credentials of package registries",
        ".pypirc|.cargo/credentials|.cargo/credentials.toml|.gem/credentials|\
         .local/share/gem/credentials|.m2/settings.xml|.m2/settings-security.xml|.composer/auth.json|\
         .config/composer/auth.json|.nuget/NuGet/NuGet.Config|.config/NuGet/NuGet.Config|\
         .config/pypoetry/auth.toml|.config/hatch/|.huggingface/token|.cache/huggingface/token|\
         .config/configstore/",
    ),
    row(
        CredentialLocation::Home,
        "settings of package managers, which hold tokens",
        ".npmrc|.yarnrc|.yarnrc.yml|.config/pnpm/rc|.config/npm/npmrc|.gradle/gradle.properties|\
         .pip/pip.conf|.config/pip/pip.conf|.bundle/config|.condarc",
    ),
    row(
        CredentialLocation::Anywhere,
        "passwords for hosts and databases",
        ".netrc|_netrc|.pgpass|.my.cnf|.mylogin.cnf|.mongorc.js|.config/rclone.conf|.subversion/auth/",
    ),
    row(
        CredentialLocation::Anywhere,
        "a browser's or mail program's profile",
        ".mozilla/|.thunderbird/|.config/google-chrome/|.config/google-chrome-beta/|\
         .config/chromium/|.config/BraveSoftware/|.config/microsoft-edge/|.config/vivaldi/|\
         .config/opera/|snap/firefox/common/|snap/chromium/common/|.var/app/org.mozilla.firefox/|\
         .var/app/com.google.Chrome/|Library/Application Support/Google/Chrome/|\
         Library/Application Support/Firefox/|Library/Application Support/BraveSoftware/|\
         Library/Safari/|Library/Cookies/",
    ),
    row(
        CredentialLocation::Anywhere,
        "a password manager's data",
        ".config/Bitwarden/|.config/Bitwarden CLI/|.config/1Password/|.config/keepassxc/|.lastpass/",
    ),
    row(
        CredentialLocation::Home,
        "a history of commands, which may hold secrets",
        ".bash_history|.zsh_history|.zhistory|.histfile|.sh_history|.history|.python_history|\
         .psql_history|.mysql_history|.sqlite_history|.node_repl_history|.rediscli_history|\
         .mongo_history|.dbshell|.irb_history|.lesshst|.viminfo|.local/share/fish/fish_history|\
         .local/state/bash/history|.config/zsh/.zsh_history|.bash_sessions/|.zsh_sessions/",
    ),
    row(
        CredentialLocation::Home,
        "tokens of coding agents and their servers",
        ".claude.json|.claude/.credentials.json|.mcp.json|.config/openai/",
    ),
    row(CredentialLocation::Home, "variables that may hold secrets", ".env|.env.*|.envrc|.pam_environment"),
    row(
        CredentialLocation::Outside,
        "variables or keys of another project",
        ".env|.env.*|.envrc|.npmrc|.htpasswd|*.pem|*.key|*.p12|*.pfx|*.jks|*.keystore|*.kdbx|\
         *.tfstate|id_rsa*|id_dsa*|id_ecdsa*|id_ed25519*|credentials.json|secrets.json|secrets.yml|\
         secrets.yaml|service-account*.json|kubeconfig",
    ),
    row(
        CredentialLocation::Root,
        "the system's passwords and keys",
        "etc/shadow|etc/shadow-|etc/gshadow|etc/gshadow-|etc/master.passwd|etc/sudoers|\
         etc/sudoers.d/|etc/krb5.keytab|etc/ssh/ssh_host_*_key|etc/ssl/private/|etc/pki/tls/private/|\
         etc/letsencrypt/|etc/NetworkManager/system-connections/|etc/wpa_supplicant/|\
         etc/docker/key.json|etc/environment",
    ),
    row(
        CredentialLocation::Root,
        "secrets of clusters and services",
        "etc/kubernetes/|etc/rancher/|var/lib/rancher/|var/lib/kubelet/|var/lib/docker/|\
         var/lib/containers/|run/secrets/|var/run/secrets/|run/credentials/|run/user/",
    ),
    row(
        CredentialLocation::Root,
        "the environment, memory and open files of a process",
        "proc/*/environ|proc/*/mem|proc/*/maps|proc/*/smaps|proc/*/fd/|proc/*/map_files/|proc/*/auxv|\
         proc/*/root/|proc/*/cwd/|proc/kcore|dev/mem|dev/kmem|dev/port",
    ),
    row(
        CredentialLocation::Root,
        "the system's memory and disks",
        "dev/sd*|dev/nvme*|dev/vd*|dev/disk/|dev/mapper/|dev/dm-*",
    ),
    row(
        CredentialLocation::Root,
        "the system's keychain",
        "Library/Keychains/|private/var/db/|private/etc/master.passwd",
    ),
];

/// Variables that move a file of the table elsewhere, and the files below the folder they name; nothing for a
/// variable that names the file itself.
pub(super) const VARIABLES: [(&str, &[&str]); 26] = [
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
