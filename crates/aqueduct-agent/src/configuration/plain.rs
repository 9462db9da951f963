/// A settings text as plain JSON: comments and commas behind the last item become spaces. People write both.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where the last comma is that nothing but white space follows.
    let mut comma = None;
    let mut rest = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(next) = rest.next() {
        match (next, rest.peek()) {
            ('"', _) => {
                comma = None;
                out.push('"');
                let mut escaped = false;
                for inside in rest.by_ref() {
                    out.push(inside);
                    if inside == '"' && !escaped {
                        break;
                    }
                    escaped = inside == '\\' && !escaped;
                }
            }
            ('/', Some('/')) => {
                for inside in rest.by_ref() {
                    if inside == '\n' {
                        out.push('\n');
                        break;
                    }
                }
            }
            ('/', Some('*')) => {
                let mut last = ' ';
                rest.next();
                for inside in rest.by_ref() {
                    if last == '*' && inside == '/' {
                        break;
                    }
                    // Lines keep their numbers.
                    if inside == '\n' {
                        out.push('\n');
                    }
                    last = inside;
                }
                out.push(' ');
            }
            (',', _) => {
                // A comma without an item before it is an error and is kept.
                let before = out.trim_end().chars().next_back();
                comma = Some(out.len()).filter(|_| !matches!(before, None | Some('{' | '[' | ',' | ':')));
                out.push(',');
            }
            ('}' | ']', _) => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(next);
            }
            _ => {
                if !next.is_whitespace() {
                    comma = None;
                }
                out.push(next);
            }
        }
    }
    out
}
