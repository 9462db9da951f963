//! Flags are stronger than variables, and those are stronger than the file.

use std::fs;

use super::served::{aqueduct, command};
use crate::run;
use crate::terminal::Place;

/// For each setting three values as they are printed, in the order of strength. The last two are given in quotes in
/// the file where they are texts.
const VALUES: &[(&str, [&str; 3])] = &[
    ("listen", ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"]),
    ("agent", ["builtin", "auto", "other"]),
    ("root", ["/flag", "/variable", "/file"]),
    ("data_dir", ["/flag", "/variable", "/file"]),
    ("idle", ["1m", "2m", "3m"]),
    ("name", ["flag", "variable", "file"]),
    ("allow_bypass", ["true", "false", "true"]),
    ("strict_decisions", ["true", "false", "true"]),
    ("trust_workspace", ["true", "false", "true"]),
    ("host", ["flag.example", "variable.example", "file.example"]),
    ("tls_cert", ["/flag", "/variable", "/file"]),
    ("tls_key", ["/flag", "/variable", "/file"]),
    ("insecure", ["false", "true", "false"]),
    ("token_scope", ["watch", "decide", "operate"]),
    ("no_pair", ["true", "false", "true"]),
    ("push", ["off", "events", "content"]),
    ("push_contact", ["mailto:flag@example.org", "https://variable.example", "mailto:file@example.org"]),
    ("push_loopback", ["true", "false", "true"]),
    ("max_clients", ["1", "2", "3"]),
    ("max_message", ["5KiB", "6KiB", "7KiB"]),
    ("max_queued", ["1", "2", "3"]),
    ("max_page", ["1", "2", "3"]),
    ("log", ["warn", "debug,hyper=off", "info,bridge=trace"]),
    ("log_format", ["json", "text", "json"]),
    ("log_file", ["/flag", "/variable", "/file"]),
    ("log_file_size", ["1KiB", "2KiB", "3KiB"]),
    ("log_file_count", ["1", "2", "3"]),
    ("otlp", ["http://127.0.0.1:1", "http://127.0.0.1:2", "env"]),
    ("otlp_signals", ["traces", "metrics", "traces"]),
];

fn in_toml(name: &str, value: &str) -> String {
    match name {
        "listen" | "root" | "host" | "otlp_signals" => format!("[\"{value}\"]"),
        "allow_bypass" | "strict_decisions" | "trust_workspace" | "insecure" | "no_pair"
        | "push_loopback" | "max_clients" | "max_queued" | "max_page" | "log_file_count" => value.to_owned(),
        _ => format!("\"{value}\""),
    }
}

#[test]
fn the_strongest_word_counts_for_every_setting() {
    let place = Place::new();
    let file = place.aside("config.toml");
    let text: String =
        VALUES.iter().map(|(name, values)| format!("{name} = {}\n", in_toml(name, values[2]))).collect();
    fs::write(&file, text).unwrap();
    // Every combination of sources.
    for mix in 0..8 {
        let [by_flag, by_variable, by_file] = [mix & 1 != 0, mix & 2 != 0, mix & 4 != 0];
        let mut command = command(&place, &["serve", "--print-config"]);
        if by_file {
            command.arg("--config").arg(&file);
        }
        for (name, values) in VALUES {
            if by_flag {
                command.arg(format!("--{}={}", name.replace('_', "-"), values[0]));
            }
            if by_variable {
                command.env(format!("AQUEDUCT_{}", name.to_uppercase()), values[1]);
            }
        }
        let left = run(&mut command);
        assert_eq!(left.code, 0, "{}", left.err);
        for (line, (name, values)) in VALUES.iter().enumerate() {
            let (value, origin) = match (by_flag, by_variable, by_file) {
                (true, ..) => (Some(values[0]), format!("--{}", name.replace('_', "-"))),
                (_, true, _) => (Some(values[1]), format!("AQUEDUCT_{}", name.to_uppercase())),
                (.., true) => (Some(values[2]), format!("{}:{}", file.display(), line + 1)),
                _ => (None, "default".to_owned()),
            };
            let found = left.out.lines().find(|line| {
                line.starts_with(&format!("{name} = ")) || line.starts_with(&format!("# {name} is not set"))
            });
            let found = found.unwrap_or_else(|| panic!("{name} is not printed:\n{}", left.out));
            assert!(found.ends_with(&format!("# {origin}")), "mix {mix}: {found}");
            if let Some(value) = value {
                assert!(
                    found.starts_with(&format!("{name} = {}", in_toml(name, value))),
                    "mix {mix}: {found}"
                );
            }
        }
    }
}

#[test]
fn what_is_printed_is_equivalent_as_a_file() {
    let place = Place::new();
    let file = place.home().join(".config/aqueduct/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(
        &file,
        "idle = \"1h30m\"\nroot = \"projects\"\n[agents.mine]\nprogram = \"~/bin/mine\"\n\
         arguments = [\"--api-key\", \"sk-hidden\", \"--fast\"]\nenvironment = { KEY = \"hidden-too\" }\n\
         label = \"My \\\"own\\\"\"\nprompt_tool = false\n",
    )
    .unwrap();
    let mut first = command(&place, &["serve", "--print-config", "--url", "https://box.example:8443"]);
    first.env("AQUEDUCT_TOKEN", "very-secret-token-0123456789");
    let first = run(&mut first);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(!first.out.contains("hidden-too") && !first.out.contains("sk-hidden"), "{}", first.out);
    assert!(!first.out.contains("very-secret"), "{}", first.out);
    let page = first.out.replace(place.home().canonicalize().unwrap().to_str().unwrap(), "/home/ada");
    let page = page
        .replace(place.home().to_str().unwrap(), "/home/ada")
        .replace(place.project().to_str().unwrap(), "/proj");
    // Where comments begin depends on how long paths are.
    let aligned = |line: &str| match line.rsplit_once(" # ") {
        Some((value, origin)) => format!("{} # {origin}", value.trim_end()),
        None => line.to_owned(),
    };
    insta::assert_snapshot!(page.lines().map(aligned).collect::<Vec<_>>().join("\n"));
    let again = place.aside("again.toml");
    fs::write(&again, &first.out).unwrap();
    let second = aqueduct(&place, &["serve", "--print-config", "--config", again.to_str().unwrap()]);
    assert_eq!(second.code, 0, "{}", second.err);
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.rsplit_once(" # ").map_or(line, |(value, _)| value).trim_end().to_owned())
            .collect()
    };
    assert_eq!(values(&second.out), values(&first.out));
}

#[test]
fn a_variable_names_the_file() {
    let place = Place::new();
    fs::write(place.project().join("own.toml"), "max_page = 7\n").unwrap();
    let mut command = command(&place, &["serve", "--print-config"]);
    let left = run(command.env("AQUEDUCT_CONFIG", "own.toml"));
    let file = place.project().join("own.toml");
    assert!(left.out.starts_with(&format!("# with {}\n", file.display())), "{}", left.out);
    assert!(left.out.contains("max_page = 7"), "{}", left.out);
}
