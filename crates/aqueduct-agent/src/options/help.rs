//! What `--help` prints.

use std::fmt::Write as _;

use super::flag::{FLAGS, Takes};

/// The help text.
pub fn help() -> String {
    let mut text = String::from(
        "A coding agent that any stream-json host can drive.\n\n\
         Usage: aqueduct-agent [OPTIONS] [COMMAND] [PROMPT]\n\n\
         With -p the prompt is the argument or what stdin holds. With --input-format stream-json\n\
         prompts and control requests come on stdin, a JSON object a line.\n\nOptions:\n",
    );
    for flag in FLAGS.iter().filter(|flag| !flag.help.is_empty()) {
        let value = match &flag.takes {
            Takes::Nothing(_) => String::new(),
            Takes::Value(what, _) => format!(" <{what}>"),
            Takes::Maybe(what, _) => format!(" [{what}]"),
            Takes::Several(what, _) => format!(" <{what}>..."),
        };
        let short = if flag.names.len() > 1 { "" } else { "    " };
        let _ = writeln!(text, "  {short}{}{value}\n          {}", flag.names.join(", "), flag.help);
    }
    text.push_str("  -h, --help\n          This text\n  -v, --version\n          The version\n");
    text.push_str("\nTaken and ignored, because hosts pass them: ");
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
