//! Values that stand on one line.

/// A text in quotes, with nothing but a comment behind it.
pub(super) fn quoted(text: &str) -> Result<String, String> {
    let (value, rest) = cut_quoted(text)?;
    nothing_behind(rest)?;
    Ok(value)
}

/// A list in brackets, with nothing but a comment behind it.
pub(super) fn flow_list(text: &str) -> Result<Vec<String>, String> {
    let mut rest = text.strip_prefix('[').unwrap_or(text).trim_start();
    let mut items = Vec::new();
    loop {
        if let Some(behind) = rest.strip_prefix(']') {
            nothing_behind(behind)?;
            return Ok(items);
        }
        let item = if rest.starts_with(['"', '\'']) {
            let (item, behind) = cut_quoted(rest)?;
            rest = behind.trim_start();
            item
        } else {
            let (item, behind) = cut_plain(rest, &[',', ']']).ok_or(OPEN)?;
            rest = behind;
            item
        };
        if !item.is_empty() {
            items.push(item);
        }
        if let Some(behind) = rest.strip_prefix(',') {
            rest = behind.trim_start();
        } else if !rest.starts_with(']') {
            return Err(OPEN.to_owned());
        }
    }
}

/// What is wrong with a list that goes on.
const OPEN: &str = "the list is not closed on its line; end it with `]`";

/// An item without quotes, up to what ends it. Commas and brackets inside parentheses are its own: rules have
/// them.
pub(super) fn cut_plain<'t>(text: &'t str, ends: &[char]) -> Option<(String, &'t str)> {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            end if depth == 0 && ends.contains(&end) => {
                return Some((text[..at].trim().to_owned(), &text[at..]));
            }
            _ => (),
        }
    }
    None
}

/// A text in quotes, and what follows it.
pub(super) fn cut_quoted(text: &str) -> Result<(String, &str), String> {
    let mut letters = text.char_indices();
    let Some((_, quote)) = letters.next() else { return Ok((String::new(), "")) };
    let mut value = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if quote == '"' => match letters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, same @ ('"' | '\\' | '/'))) => value.push(same),
                Some((_, other)) => return Err(format!("`\\{other}` in a text is not understood here")),
                None => break,
            },
            _ if letter == quote => {
                let behind = &text[at + quote.len_utf8()..];
                // Two single quotes are one of the text.
                if quote == '\'' && behind.starts_with('\'') {
                    letters.next();
                    value.push('\'');
                    continue;
                }
                return Ok((value, behind));
            }
            _ => value.push(letter),
        }
    }
    Err("the text in quotes is not closed on its line".to_owned())
}

fn nothing_behind(rest: &str) -> Result<(), String> {
    let rest = rest.trim();
    if rest.is_empty() || rest.starts_with('#') {
        return Ok(());
    }
    Err(format!("{rest:?} stands behind the value"))
}
