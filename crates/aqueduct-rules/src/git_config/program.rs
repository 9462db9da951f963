//! Settings that make git run programs.

use super::parse::{GitSetting, parse};
use crate::repository::{Program, When};

/// What matters in a configuration file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    /// A setting that names a program; one that runs at any time before one that is called for.
    pub program: Option<Program>,
    /// The remotes with their addresses.
    pub remotes: Vec<(String, String)>,
    /// Where hooks are, if a setting defines it.
    pub hooks: Option<String>,
    /// Where the work tree is, if a setting defines it.
    pub work_tree: Option<String>,
    /// Whether object names are SHA-256.
    pub is_sha256: bool,
}

/// Looks through the text of a configuration file. What can't be read counts as naming a program.
pub fn inspect(text: &str) -> Inspection {
    let mut found = Inspection::default();
    let settings = match parse(text) {
        Ok(settings) => settings,
        Err(error) => {
            found.add(format!("what can't be read: {error}"), When::Anytime);
            return found;
        }
    };
    for setting in &settings {
        let value = setting.value.as_deref().unwrap_or_default();
        match (setting.section.as_str(), setting.name.as_str()) {
            ("core", "hookspath") => found.hooks = Some(value.to_owned()),
            ("core", "worktree") => found.work_tree = Some(value.to_owned()),
            ("extensions", "objectformat") => found.is_sha256 |= value.eq_ignore_ascii_case("sha256"),
            ("remote", "url" | "pushurl") if !setting.subsection.is_empty() => {
                found.remotes.push((setting.subsection.clone(), value.to_owned()));
            }
            _ => {}
        }
        if let Some(when) = runs(setting, value) {
            found.add(name(setting), when);
        }
    }
    // A word that is not a remote's name is an address.
    let is_remote = |value: &str| found.remotes.iter().any(|(name, _)| name == value);
    let leads_astray = |setting: &&GitSetting| {
        let value = setting.value.as_deref().unwrap_or_default();
        let names = match setting.section.as_str() {
            "branch" => matches!(setting.name.as_str(), "remote" | "pushremote"),
            "remote" => setting.name == "pushdefault",
            _ => false,
        };
        names && value != "." && !is_remote(value) && !is_network(value)
    };
    if let Some(setting) = settings.iter().find(leads_astray).map(name) {
        found.add(setting, When::Anytime);
    }
    found
}

impl Inspection {
    /// Notes a program, unless a worse one is known.
    pub fn add(&mut self, setting: String, when: When) {
        if self.program.as_ref().is_none_or(|known| known.when < when) {
            self.program = Some(Program { setting, when });
        }
    }
}

/// The setting as people write it.
fn name(setting: &GitSetting) -> String {
    let GitSetting { section, subsection, name, .. } = setting;
    if subsection.is_empty() { format!("{section}.{name}") } else { format!("{section}.{subsection}.{name}") }
}

/// Settings of the section `core` that name no program. Unknown ones are taken to name one.
const CORE: &str = "abbrev attributesfile autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar \
    commentstring commitgraph compression createobject deltabasecachelimit disambiguate eol excludesfile filemode \
    filesreflocktimeout fscache fsmonitorhookversion fsync fsyncmethod fsyncobjectfiles hidedotfiles ignorecase \
    ignorestat logallrefupdates longpaths loosecompression lockfilepid maxtreedepth multipackindex notesref \
    packedgitlimit packedgitwindowsize packedrefstimeout precomposeunicode preferjumpserver preloadindex protecthfs \
    protectntfs quotepath repositoryformatversion restrictinheritedhandles safecrlf sharedrepository sparsecheckout \
    sparsecheckoutcone splitindex symlinks trustctime unsetenvvars untrackedcache usereplacerefs warnambiguousrefs \
    whitespace worktree hookspath";

/// Names that settings of programs have, in whatever section.
const PROGRAM_SETTINGS: &str = "askpass clean cmd command driver editor exec helper hook pager process program smudge textconv \
    tunnel vcs";

/// Helpers that come with git or its packages, by the name that settings call them.
const HELPERS: &str = "cache store osxkeychain manager manager-core libsecret gnome-keyring wincred oauth";

/// The filters that git-lfs installs.
const LFS: [&str; 6] = [
    "git-lfs clean -- %f",
    "git-lfs smudge -- %f",
    "git-lfs smudge --skip -- %f",
    "git-lfs filter-process",
    "git-lfs filter-process --skip",
    "",
];

fn lists(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

fn is_boolean(value: &str) -> bool {
    let words = ["true", "false", "yes", "no", "on", "off", "1", "0", ""];
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether an address leads to another machine by a protocol of git's own.
pub fn is_network(address: &str) -> bool {
    let schemes = ["https://", "http://", "ssh://", "git://", "git+ssh://", "ssh+git://"];
    if let Some(rest) = schemes.iter().find_map(|scheme| address.strip_prefix(scheme)) {
        return !rest.is_empty() && !rest.starts_with('-') && !rest.contains("@-");
    }
    if address.contains("://") {
        return false;
    }
    // `user@host:path`; one letter before the colon is a drive.
    let Some((host, path)) = address.split_once(':') else { return false };
    let spelled = |c: char| c.is_ascii_alphanumeric() || "-._@".contains(c);
    host.len() > 1
        && host.chars().all(spelled)
        && !host.starts_with(['-', '.', '@'])
        && !host.contains("@-")
        && !path.is_empty()
        && !path.starts_with([':', '-'])
}

/// When the program runs that a setting names, if it names one.
fn runs(setting: &GitSetting, value: &str) -> Option<When> {
    use When::{Anytime, CalledFor};
    let named = !setting.subsection.is_empty();
    let key = setting.name.as_str();
    match (setting.section.as_str(), key) {
        ("core", "fsmonitor") => (!is_boolean(value)).then_some(Anytime),
        ("core", "editor" | "pager" | "askpass" | "sshcommand") => Some(CalledFor),
        ("core", _) if named || !lists(CORE, key) => Some(Anytime),
        ("core", _) => None,
        ("pager", _) => (!is_boolean(value)).then_some(CalledFor),
        ("alias", _) => value.starts_with('!').then_some(CalledFor),
        ("credential", "helper") => (!value.is_empty() && !lists(HELPERS, value)).then_some(CalledFor),
        ("include" | "includeif", _) => Some(Anytime),
        ("filter", "clean" | "smudge" | "process") => {
            (!LFS.contains(&value) || setting.subsection != "lfs").then_some(Anytime)
        }
        ("diff", "external" | "command" | "textconv") => Some(Anytime),
        ("lfs", _) if named => (setting.subsection.starts_with("extension")
            || setting.subsection.starts_with("customtransfer"))
        .then_some(Anytime),
        ("lfs", "standalonetransferagent") => Some(Anytime),
        ("hook" | "trailer", "command" | "cmd") => Some(Anytime),
        ("uploadpack", "packobjectshook") => Some(Anytime),
        ("remote", "uploadpack" | "receivepack" | "vcs") => Some(Anytime),
        ("remote", "url" | "pushurl") => leads_to_program(value).then_some(Anytime),
        ("url", "insteadof" | "pushinsteadof") => {
            (!is_network_prefix(&setting.subsection)).then_some(Anytime)
        }
        ("protocol", "allow") => (!matches!(value, "never" | "user")).then_some(Anytime),
        ("submodule", "update") => value.starts_with('!').then_some(Anytime),
        ("submodule", "url") => leads_to_program(value).then_some(Anytime),
        ("init", "templatedir") | ("web" | "help", "browser") => Some(CalledFor),
        ("browser" | "man" | "difftool" | "mergetool" | "guitool", "cmd" | "path") => Some(CalledFor),
        ("sendemail", "smtpserver" | "sendmailcmd" | "tocmd" | "cccmd" | "headercmd") => Some(CalledFor),
        ("gpg", key) => (key.ends_with("program") || key.ends_with("command")).then_some(CalledFor),
        ("interactive", "difffilter") | ("sequence", "editor") => Some(CalledFor),
        (_, key) if lists(PROGRAM_SETTINGS, key) => Some(CalledFor),
        _ => None,
    }
}

/// Whether an address makes git run a helper, or a repository that is named relative to another.
fn leads_to_program(address: &str) -> bool {
    let helper = address.split_once("::").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    let unknown_scheme = address.contains("://") && !is_network(address) && !address.starts_with("file://");
    let is_path = !address.contains("://") && !is_network(address);
    helper || unknown_scheme || is_path && !address.starts_with('/') && !address.is_empty()
}

/// Whether what an address is made to begin with leads to another machine.
fn is_network_prefix(base: &str) -> bool {
    let whole = ["https://", "http://", "ssh://", "git://"];
    !base.contains("::") && (whole.contains(&base) || is_network(base) || is_network(&format!("{base}x")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Option<(String, When)> {
        inspect(text).program.map(|program| (program.setting, program.when))
    }

    #[test]
    fn everyday_configurations_name_no_program() {
        let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            \tlogallrefupdates = true\n\tfsmonitor = true\n\thooksPath = .husky/_\n\
            [remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
            \tpromisor = true\n\tpartialclonefilter = blob:none\n\
            [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\temail = a@b.c\n\
            [filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n\
            [submodule \"x\"]\n\tactive = true\n\turl = https://example.com/x.git\n[credential]\n\thelper = store\n\
            [alias]\n\tst = status\n[pager]\n\tlog = false\n[url \"ssh://git@example.com/\"]\n\
            \tinsteadOf = https://example.com/\n[branch \"a\"]\n\tremote = .\n[gitflow \"branch\"]\n\tmaster = main\n";
        let found = inspect(text);
        assert_eq!(found.program, None);
        assert_eq!(found.hooks.as_deref(), Some(".husky/_"));
        assert_eq!(found.remotes, [("origin".to_owned(), "git@github.com:a/b.git".to_owned())]);
    }

    #[test]
    fn programs_that_run_at_any_time() {
        for text in [
            "[core]\nfsmonitor=./x",
            "[CORE]\nFsMonitor = \"\\\"sh\\\" x\"",
            "[core]\nnew-setting=x",
            "[core \"x\"]\neditor2=y",
            "[filter \"x\"]\nclean=y",
            "[filter \"lfs\"]\nsmudge=./git-lfs smudge",
            "[filter \"lfsx\"]\nclean=git-lfs clean -- %f",
            "[diff]\nexternal=x",
            "[diff \"x\"]\ntextconv=y",
            "[diff \"x\"]\ncommand=y",
            "[include]\npath=x",
            "[includeIf \"gitdir:~/\"]\npath=x",
            "[remote \"o\"]\nuploadpack=x",
            "[remote \"o\"]\nvcs=x",
            "[remote \"o\"]\nurl=ext::sh -c x",
            "[remote \"o\"]\nurl=./sub/bare.git",
            "[remote \"o\"]\nurl=C:\\x",
            "[remote \"o\"]\nurl=foo://x/y",
            "[remote \"o\"]\nurl=ssh://-oProxyCommand=x/y",
            "[url \"ext::x \"]\ninsteadOf=https://",
            "[url \"./sub/\"]\npushInsteadOf=https://a/",
            "[protocol \"ext\"]\nallow=always",
            "[trailer \"x\"]\ncommand=y",
            "[submodule \"x\"]\nupdate=!y",
            "[branch \"main\"]\nremote=./sub/bare.git",
            "[remote]\npushDefault=sub",
            "[lfs \"extension.x\"]\nclean=y",
            "[hook \"x\"]\ncommand=y",
            "[core.x]\nfsmonitor=y",
            "not a setting",
        ] {
            assert_eq!(program(text).map(|(_, when)| when), Some(When::Anytime), "{text}");
        }
    }

    #[test]
    fn programs_that_are_called_for() {
        for text in [
            "[core]\nsshCommand=ssh -i x",
            "[core]\neditor=vi",
            "[core]\npager=less",
            "[pager]\nlog=less",
            "[alias]\nx=!y",
            "[credential]\nhelper=!x",
            "[credential \"https://a\"]\nhelper=/x",
            "[gpg]\nprogram=x",
            "[gpg \"ssh\"]\ndefaultKeyCommand=x",
            "[merge \"x\"]\ndriver=y",
            "[sequence]\neditor=x",
            "[tar \"x\"]\ncommand=y",
            "[anything]\ncommand=y",
        ] {
            assert_eq!(program(text).map(|(_, when)| when), Some(When::CalledFor), "{text}");
        }
        let both = "[core]\neditor=vi\n[diff]\nexternal=x\n[gpg]\nprogram=y";
        assert_eq!(program(both), Some(("diff.external".to_owned(), When::Anytime)));
    }
}
