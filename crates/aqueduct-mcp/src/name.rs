/// What names of tools of servers begin with.
pub const PREFIX: &str = "mcp__";

/// The name by which the model and the rules know a tool, or people a prompt, of a server.
pub(crate) fn full(server: &str, name: &str) -> String {
    format!("{PREFIX}{}__{}", plain(server), plain(name))
}

/// A name with nothing in it that a model's API would refuse.
pub fn plain(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    name.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect()
}

/// What the names of files begin with that hold what a server sent.
pub(crate) fn of_file(server: &str) -> String {
    format!("mcp-{}", plain(server))
}

/// The name for people of a tool that no server has, by its full name.
pub fn shown_of_full(full: &str) -> String {
    let rest = full.strip_prefix(PREFIX).unwrap_or(full);
    shown(rest.split_once("__").map_or(rest, |(_, name)| name))
}

/// A tool's name for people: `get_weather` is `Get Weather`.
pub(crate) fn shown(name: &str) -> String {
    let words = name.split(['_', '-', '.', ' ']).filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        first + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{full, shown};

    #[test]
    fn names_have_only_what_an_api_takes() {
        assert_eq!(full("calc", "add"), "mcp__calc__add");
        assert_eq!(full("my server!", "a.b/ç"), "mcp__my_server___a_b__");
    }

    #[test]
    fn people_read_words() {
        assert_eq!(shown("echo"), "Echo");
        assert_eq!(shown("get_weather-now"), "Get Weather Now");
    }
}
