use proptest::prelude::*;

use super::*;
use crate::terminal::width;

const NARROW: MarkdownLayout = MarkdownLayout { width: 40, links: false };

/// What a terminal gets of a text that comes in these pieces.
fn streamed<'t>(pieces: impl IntoIterator<Item = &'t str>, layout: MarkdownLayout) -> Vec<String> {
    let mut stream = MarkdownStream::new(layout);
    let mut lines: Vec<String> = pieces.into_iter().flat_map(|piece| stream.push(piece)).collect();
    lines.extend(stream.finish());
    lines
}

/// The lines with their sequences by name.
fn named(lines: &[String]) -> String {
    let text = lines.join("\n");
    let names = [
        ("\x1b[0m", "⟩"),
        ("\x1b[1m", "⟨bold "),
        ("\x1b[1;4m", "⟨title "),
        ("\x1b[1;3m", "⟨bold italic "),
        ("\x1b[1;36m", "⟨bold code "),
        ("\x1b[2m", "⟨dim "),
        ("\x1b[3m", "⟨italic "),
        ("\x1b[4m", "⟨link "),
        ("\x1b[9m", "⟨struck "),
        ("\x1b[36m", "⟨code "),
    ];
    names.iter().fold(text, |text, (sequence, name)| text.replace(sequence, name))
}

/// The lines without sequences.
fn bare(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('\x1b') {
        out.push_str(before);
        rest = match behind.strip_prefix("]8;;") {
            Some(link) => link.split_once("\x1b\\").map_or("", |(_, rest)| rest),
            None => behind.split_once('m').map_or("", |(_, rest)| rest),
        };
    }
    out + rest
}

const PAGE: &str = "\
# A title

A paragraph with **bold**, *italic*, ~~struck~~ and `code`, which is longer than a line of this terminal.
Hard  \nbreak.

## A section
- one
- two with `x`
  1. first
  2. second

     with more
- [x] done
- [ ] open

3. three
4. four

> A quote
> of two lines
>
> and more

```rust
fn main() {
    println!(\"a line that is longer than the terminal is wide\");
}
```

| Name | Size |
|:-----|-----:|
| a    | 1    |
| **b** | 1000 |

See [the docs](https://example.org/docs), <https://example.org> and ![a cat](cat.png).

---
The end <b>really</b>.
";

#[test]
fn a_page_is_laid_out() {
    insta::assert_snapshot!(named(&streamed([PAGE], NARROW)), @r#"
    ⟨title A title⟩

    A paragraph with ⟨bold bold⟩, ⟨italic italic⟩, ⟨struck struck⟩
    and ⟨code code⟩, which is longer than a line of
    this terminal. Hard
    break.

    ⟨bold A section⟩
    • one
    • two with ⟨code x⟩
      1. first
      2. second

         with more
    • ☑ done
    • ☐ open

    3. three
    4. four

    ⟨dim │ ⟩A quote of two lines
    ⟨dim │ ⟩
    ⟨dim │ ⟩and more

    ⟨code   fn main() {⟩
    ⟨code       println!("a line that is longer than the terminal is wide");⟩
    ⟨code   }⟩

    ⟨bold Name⟩⟨dim  │ ⟩⟨bold Size⟩
    ⟨dim ─────┼─────⟩
    a   ⟨dim  │ ⟩   1
    ⟨bold b⟩   ⟨dim  │ ⟩1000

    See ⟨link the docs⟩ ⟨dim (https://example.org/docs)⟩,
    ⟨link https://example.org⟩ and image: a cat
    ⟨dim (cat.png)⟩.

    ⟨dim ────────────────────────────────────────⟩
    The end <b>really</b>.
    "#);
}

#[test]
fn lines_come_as_soon_as_they_are_complete() {
    let mut stream = MarkdownStream::new(NARROW);
    assert_eq!(named(&stream.push("# Title")), "");
    assert_eq!(stream.open_line(), "# Title");
    assert_eq!(named(&stream.push("\nSome ")), "⟨title Title⟩");
    assert_eq!(named(&stream.push("text\nof two lines\n")), "");
    assert_eq!(stream.open_line(), "of two lines");
    assert_eq!(named(&stream.push("\n- one\n")), "Some text of two lines");
    assert_eq!(named(&stream.push("- two\n  more\n")), "\n• one");
    assert_eq!(named(&stream.push("\n```\na\nb")), "• two more\n\n⟨code   a⟩");
    assert_eq!(stream.open_line(), "b");
    assert_eq!(named(&stream.push("c\n```\n")), "⟨code   bc⟩");
    assert_eq!(named(&stream.push("\n| a | b |\n|---|---|\n| 1 | 2 |\n")), "");
    assert_eq!(named(&stream.push("\n")), "\n⟨bold a⟩⟨dim  │ ⟩⟨bold b⟩\n⟨dim ──┼──⟩\n1⟨dim  │ ⟩2");
    assert_eq!(named(&stream.push("last")), "");
    assert_eq!(named(&stream.finish()), "\nlast");
    assert_eq!(named(&stream.push("next")), "");
    assert_eq!(named(&stream.finish()), "next", "a text of its own");
}

#[test]
fn wide_characters_and_sequences_of_them_wrap() {
    let lines =
        streamed(["日本語の文章は空白がありませんから、どこでも折り返します。とても長い行。"], NARROW);
    assert_eq!(lines, ["日本語の文章は空白がありませんから、どこ", "でも折り返します。とても長い行。"]);
    let family = "👩‍👩‍👧‍👦".repeat(21);
    let lines = streamed([family.as_str()], NARROW);
    assert_eq!(lines.iter().map(|line| width(line)).collect::<Vec<_>>(), [40, 2]);
    let accents = "e\u{301}".repeat(41);
    let lines = streamed([accents.as_str()], NARROW);
    assert_eq!(lines.iter().map(|line| width(line)).collect::<Vec<_>>(), [40, 1]);
}

#[test]
fn a_table_that_is_too_wide_is_wrapped_or_listed() {
    let wide = "| Option | What it does |\n|---|---|\n| `--quiet` | shows only the last words of the run and nothing else |\n";
    insta::assert_snapshot!(named(&streamed([wide], NARROW)), @r"
    ⟨bold Option⟩ ⟨dim  │ ⟩⟨bold What it does⟩
    ⟨dim ────────┼───────────────────────────────⟩
    ⟨code --quiet⟩⟨dim  │ ⟩shows only the last words of
           ⟨dim  │ ⟩the run and nothing else
    ");
    let many = "|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n|long text here|long text here|long text here|long text here|long text here|long|\n";
    insta::assert_snapshot!(named(&streamed([many], NARROW)), @r"
    ⟨bold a:⟩ long text here
    ⟨bold b:⟩ long text here
    ⟨bold c:⟩ long text here
    ⟨bold d:⟩ long text here
    ⟨bold e:⟩ long text here
    ⟨bold f:⟩ long
    ");
}

#[test]
fn nothing_of_the_model_is_obeyed() {
    let hostile = "a\x1b[2Jb \u{9b}1m `c\x1b]0;x\x07` \u{202e}d\r\n\n\
        ```\n\x1b[1A\x1b[2K\n```\n\n\
        [click\x1b[8m](https://example.org/\x1b]8;;evil) [x](<javascript:alert(1)>) &#27;[2J &#x9b;2J\n\n\
        <a href=\"\x1b[2J\">\n\n| \x1b[2J | b |\n|---|---|\n| &#27;c | d |\n\n[ref]: \x1b[2J\n";
    for links in [false, true] {
        let lines = streamed([hostile], MarkdownLayout { links, ..NARROW });
        for line in &lines {
            assert!(!bare(line).chars().any(char::is_control), "{line:?}");
            for sequence in line.split('\x1b').skip(1) {
                let is_ours = sequence.starts_with("]8;;")
                    || sequence == "\\"
                    || sequence.starts_with('\\')
                    || sequence.split_once('m').is_some_and(|(codes, _)| {
                        codes
                            .strip_prefix('[')
                            .is_some_and(|codes| codes.chars().all(|c| c.is_ascii_digit() || c == ';'))
                            && !codes.contains('J')
                    });
                assert!(is_ours, "{line:?}");
            }
        }
        assert!(!lines.join("").contains("]8;;javascript"), "{lines:?}");
    }
}

#[test]
fn a_link_shows_where_it_leads() {
    let linked = |text: &str| named(&streamed([text], MarkdownLayout { width: 100, links: true }));
    assert_eq!(
        linked("[the docs](https://example.org)"),
        "\x1b]8;;https://example.org\x1b\\⟨link the docs⟩\x1b]8;;\x1b\\"
    );
    let other = linked("[https://bank.example](https://evil.example)");
    assert!(other.ends_with("⟨dim (https://evil.example)⟩"), "{other}");
    assert_eq!(linked("[a](file:///etc/passwd)"), "⟨link a⟩ ⟨dim (file:///etc/passwd)⟩");
}

#[test]
fn long_texts_are_not_held_back() {
    let mut stream = MarkdownStream::new(NARROW);
    let line = "word ".repeat(20) + "\n";
    let mut shown = 0;
    for _ in 0..10_000 {
        shown += stream.push(&line).len();
    }
    assert!(shown > 20_000, "a paragraph without an end is written before it ends: {shown}");
    let mut stream = MarkdownStream::new(NARROW);
    stream.push("```\n");
    for _ in 0..10_000 {
        assert_eq!(stream.push("code\n").len(), 1);
    }
}

proptest! {
    #[test]
    fn the_pieces_make_no_difference(
        text in "(#|-|\\*|`|```|>|\\||1\\.| |\n|\n\n|a|word|é|日|---|\\[a\\]|\\(b\\)|<b>|\t|~~|\\[x\\]: y|\r\n){0,60}",
        ends in prop::collection::vec(0usize..80, 0..6),
    ) {
        let mut ends: Vec<usize> = ends.into_iter().map(|at| text.floor_char_boundary(at)).collect();
        ends.push(text.len());
        ends.sort_unstable();
        let mut start = 0;
        let pieces: Vec<&str> = ends.iter().map(|&end| &text[std::mem::replace(&mut start, end)..end]).collect();
        let whole = streamed([text.as_str()], NARROW);
        let in_pieces = streamed(pieces, NARROW);
        prop_assert_eq!(named(&in_pieces), named(&whole), "{:?}", text);
        for line in &whole {
            prop_assert!(!bare(line).chars().any(char::is_control), "{:?}", line);
        }
    }
}
