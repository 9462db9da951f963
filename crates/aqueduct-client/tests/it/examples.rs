//! Every public function is in an example: of the documentation, or a program.

use std::fs;
use std::path::Path;

/// The texts of all Rust files in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false if path.extension().is_some_and(|extension| extension == "rs") => {
            vec![fs::read_to_string(path).unwrap()]
        }
        false => Vec::new(),
    });
    texts.collect()
}

/// The code in the documentation of a source.
fn documented(source: &str) -> String {
    let mut code = String::new();
    let mut is_code = false;
    for line in source.lines().map(str::trim) {
        // Examples of typed hooks are made by a macro, of such a text each.
        if line.contains("\"call.") || line.contains("= call.") {
            code += line;
        }
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else { continue };
        match text.trim_start().starts_with("```") {
            true => is_code = !is_code,
            false if is_code => code = code + text + "\n",
            false => {}
        }
    }
    code
}

/// The names of the public functions of a source, those of the table of controls included.
fn functions(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let names = code.lines().map(str::trim).filter_map(|line| {
        let public =
            ["pub fn ", "pub async fn ", "pub const fn "].iter().find_map(|start| line.strip_prefix(start));
        let control = line.ends_with('=') || line.contains(" = HostRequest::");
        public.or((control && line.contains(") -> ")).then_some(line))
    });
    names.filter_map(|rest| rest.split(['(', '<']).next()).filter(|name| !name.starts_with('$')).collect()
}

/// Whether a function is called or named.
fn is_used(code: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        let is_called = !is_part(before) && after == Some('(') && !code[..at].ends_with("fn ");
        is_called || matches!(before, Some('.' | ':')) && !is_part(after)
    })
}

#[test]
fn every_public_function_is_in_an_example() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources_of_crate = sources(&crate_folder.join("src"));
    let mut code = sources(&crate_folder.join("examples")).concat();
    sources_of_crate.iter().for_each(|source| code += &documented(source));
    let functions: Vec<&str> = sources_of_crate.iter().flat_map(|source| functions(source)).collect();
    assert!(functions.len() > 300, "only {} functions were found", functions.len());
    let missing: Vec<&&str> = functions.iter().filter(|name| !is_used(&code, name)).collect();
    assert!(missing.is_empty(), "these are in no example: {missing:?}");
    assert!(!is_used(&code, "no_such_function"));
}
