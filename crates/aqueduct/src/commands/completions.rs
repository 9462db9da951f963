//! `aqueduct completions`: scripts for shells.

use std::process::ExitCode;

use clap::{Command, ValueEnum};
use clap_complete::{Generator, Shell};

use super::agent;
use crate::output;

/// Print a script that completes command lines in a shell
///
/// Packages install these scripts. After another kind of installation, write the script to where the shell looks for it, and
/// start a new shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Where to install it:
  bash   aqueduct completions bash > ~/.local/share/bash-completion/completions/aqueduct
         (needs the package bash-completion; without it: source <(aqueduct completions bash) in ~/.bashrc)
  zsh    aqueduct completions zsh > ~/.zfunc/_aqueduct
         (with fpath+=~/.zfunc before compinit in ~/.zshrc)
  fish   aqueduct completions fish > ~/.config/fish/completions/aqueduct.fish

Examples:
  aqueduct completions bash
  aqueduct completions zsh --program aqueduct-agent > ~/.zfunc/_aqueduct-agent

Exit code: 0; 2 if the arguments are wrong.")]
pub(crate) struct Args {
    /// The shell
    shell: CompletedShell,
    /// The program whose command lines are completed
    #[arg(long, value_name = "PROGRAM", default_value = "aqueduct")]
    program: CompletedProgram,
}

/// The shells for which scripts are tested.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum CompletedShell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CompletedProgram {
    Aqueduct,
    AqueductAgent,
}

/// `whole` is the command line of this program, with everything that it has.
pub(crate) fn run(args: &Args, whole: Command) -> anyhow::Result<ExitCode> {
    let (mut command, name) = match args.program {
        CompletedProgram::Aqueduct => (whole, "aqueduct"),
        CompletedProgram::AqueductAgent => (agent::described("aqueduct-agent"), "aqueduct-agent"),
    };
    command.set_bin_name(name);
    command.build();
    let shell = match args.shell {
        CompletedShell::Bash => Shell::Bash,
        CompletedShell::Zsh => Shell::Zsh,
        CompletedShell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    shell.try_generate(&command, &mut script)?;
    output::text(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
