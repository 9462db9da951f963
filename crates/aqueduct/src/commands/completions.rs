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

/// The agent as a program of its own.
const AGENT: &str = "aqueduct-agent";

/// Its name in the functions of the script for bash, which clap_complete can't make for a program with a hyphen. The last
/// word of the lines that register them is the program.
const AGENT_IN_BASH: &str = "aqueduct_agent";

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
    let shell = match args.shell {
        CompletedShell::Bash => Shell::Bash,
        CompletedShell::Zsh => Shell::Zsh,
        CompletedShell::Fish => Shell::Fish,
    };
    let (mut command, name) = match (args.program, args.shell) {
        (CompletedProgram::Aqueduct, _) => (whole, "aqueduct"),
        (CompletedProgram::AqueductAgent, CompletedShell::Bash) => {
            (agent::described(AGENT_IN_BASH), AGENT_IN_BASH)
        }
        (CompletedProgram::AqueductAgent, _) => (agent::described(AGENT), AGENT),
    };
    command.set_bin_name(name);
    command.build();
    let mut script = Vec::new();
    shell.try_generate(&command, &mut script)?;
    let mut script = String::from_utf8(script)?;
    if name == AGENT_IN_BASH {
        script = script.replace(&format!(" {AGENT_IN_BASH}\n"), &format!(" {AGENT}\n"));
    }
    output::text(&script)?;
    Ok(ExitCode::SUCCESS)
}
