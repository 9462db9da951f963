//! Files: settings that can be read, folders that can be written to, a shell.

use std::path::{Path, PathBuf};

use aqueduct_os::privacy::check_folder;
use aqueduct_os::regular_file::check_writable_folder;

use super::DoctorContext;
use super::check::DoctorCheck;
use crate::commands::rules;
use crate::explained::explained;

/// How many errors in settings are reported.
const MOST_ERRORS: usize = 20;

pub(super) fn check(environment: &DoctorContext, data: Option<&Path>) -> Vec<DoctorCheck> {
    let mut checks = settings(&environment.cwd);
    let home = "set HOME, or CLAUDE_CONFIG_DIR and XDG_DATA_HOME";
    checks.push(match &environment.config {
        Some(config) => folder("transcripts", &config.join("projects")),
        None => DoctorCheck::fail("transcripts", "no home folder to store them in", home),
    });
    checks.push(match data {
        Some(data) => private_folder("data", data),
        None => DoctorCheck::fail("data", "no home folder to store it in", home),
    });
    checks.push(shell(environment));
    checks
}

/// Settings files, with their errors.
fn settings(cwd: &Path) -> Vec<DoctorCheck> {
    let errors = match rules::settings_errors(cwd) {
        Ok(errors) => errors,
        Err(error) => {
            return vec![DoctorCheck::fail(
                "settings",
                explained(&error),
                "make the file readable, or move it away",
            )];
        }
    };
    if errors.is_empty() {
        return vec![DoctorCheck::ok("settings", "all settings files that are there can be read")];
    }
    let next = "fix it; `aqueduct rules list` shows what is in effect";
    errors.into_iter().take(MOST_ERRORS).map(|error| DoctorCheck::warn("settings", error, next)).collect()
}

/// Whether files can be made in a folder, which may have to be made first. Nothing is written to find out.
fn folder(subject: &'static str, path: &Path) -> DoctorCheck {
    let shown = path.display();
    let Some(there) = existing(path) else {
        return DoctorCheck::fail(subject, format!("{shown} can't be made"), "see whether the path is right");
    };
    if !there.is_dir() {
        let found = format!("{shown} can't be used: {} is not a folder", there.display());
        return DoctorCheck::fail(subject, found, format!("move {} away", there.display()));
    }
    match check_writable_folder(&there) {
        Ok(()) if there == path => DoctorCheck::ok(subject, format!("{shown} can be written to")),
        Ok(()) => DoctorCheck::ok(subject, format!("{shown} is not there yet and can be made")),
        Err(error) => {
            let found = format!("{} can't be written to: {error}", there.display());
            DoctorCheck::fail(
                subject,
                found,
                format!("let its owner allow it: chmod u+w {0}, or chown {0}", there.display()),
            )
        }
    }
}

/// The same for a folder that no other user may access, once it exists.
fn private_folder(subject: &'static str, path: &Path) -> DoctorCheck {
    match path.is_dir().then(|| check_folder(path)) {
        Some(Err(error)) => {
            let hint = error.hint().unwrap_or_else(|| "check the folder".to_owned());
            DoctorCheck::fail(subject, error.to_string(), format!("{hint}, then start the bridge again"))
        }
        _ => folder(subject, path),
    }
}

/// The folder itself, or the nearest one above it that is there.
fn existing(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|path| path.symlink_metadata().is_ok()).map(Path::to_owned)
}

/// The shell in which the built-in agent runs commands.
fn shell(environment: &DoctorContext) -> DoctorCheck {
    match environment.places.program_named("bash") {
        Some(bash) => {
            DoctorCheck::ok("shell", format!("{} runs the commands of the built-in agent", bash.display()))
        }
        None => DoctorCheck::fail(
            "shell",
            "bash is not on PATH: the built-in agent can't run commands",
            "install bash",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::check::CheckStatus;

    #[test]
    fn folders_are_there_or_can_be_made() {
        let world = tempfile::tempdir().unwrap();
        std::fs::write(world.path().join("file"), "").unwrap();
        let status = |path: &str| folder("data", &world.path().join(path)).status;
        assert_eq!(status(""), CheckStatus::Ok);
        assert_eq!(status("a/b/c"), CheckStatus::Ok);
        assert!(!world.path().join("a").exists(), "looking makes nothing");
        assert_eq!(status("file/below"), CheckStatus::Fail);
    }

    #[test]
    fn a_folder_that_others_have_access_to_is_refused_for_data() {
        let world = tempfile::tempdir().unwrap();
        let data = world.path().join("data");
        assert_eq!(private_folder("data", &data).status, CheckStatus::Ok, "it is made for this user alone");
        std::fs::create_dir(&data).unwrap();
        for (mode, status) in [(0o755, CheckStatus::Fail), (0o700, CheckStatus::Ok)] {
            std::fs::set_permissions(&data, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(private_folder("data", &data).status, status, "{mode:o}");
        }
    }
}
