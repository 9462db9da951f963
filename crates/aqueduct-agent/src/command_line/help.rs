//! What `--help` prints.

use std::fmt::Write as _;

use super::flag::{FLAGS, FlagValue};

/// The help text.
pub fn help() -> String {
    let mut text = String::from(
        "A coding agent that any stream-json host can drive.\n\nUsage: aqueduct-agent [OPTIONS] [COMMAND] \
         [PROMPT]\n\nWith -p the prompt is the argument or the contents of stdin. With --input-format\n\
         stream-json, prompts and control requests are read from stdin, one JSON object per line.\n\n\
         Options:\n",
    );
    for flag in FLAGS.iter().filter(|flag| !flag.help.is_empty()) {
        let value = match &flag.takes {
            FlagValue::Nothing(_) => String::new(),
            FlagValue::Value(what, _) => format!(" <{what}>"),
            FlagValue::Maybe(what, _) => format!(" [{what}]"),
            FlagValue::Several(what, _) => format!(" <{what}>..."),
        };
        let short = if flag.names.len() > 1 { "" } else { "    " };
        let _ = writeln!(text, "  {short}{}{value}\n          {}", flag.names.join(", "), flag.help);
    }
    text.push_str("  -h, --help\n          Print help\n  -v, --version\n          Print the version\n");
    text.push_str("\nAccepted and ignored, because hosts pass them: ");
    let ignored: Vec<&str> = FLAGS
        .iter()
        .filter(|flag| flag.help.is_empty())
        .filter_map(|flag| flag.names.first().copied())
        .collect();
    text.push_str(&ignored.join(" "));
    text.push('\n');
    text.push_str(&crate::subcommand::overview());
    text
}
