//! Pages and their Markdown.

use proptest::prelude::*;

use super::{Links, to_markdown};

/// Links relative to `https://site.example/`, or to the base that the page declares.
struct Site(String);

impl Links for Site {
    fn set_base(&mut self, href: &str) {
        self.0 = href.to_owned();
    }

    fn resolve(&self, href: &str) -> Option<String> {
        let is_whole = href.contains("://") || href.starts_with("mailto:");
        Some(if is_whole { href.to_owned() } else { format!("{}{}", self.0, href.trim_start_matches('/')) })
    }
}

fn convert(html: &str) -> String {
    to_markdown(html, &mut Site("https://site.example/".to_owned()), 1 << 20)
}

#[test]
fn a_page_with_everything() {
    insta::assert_snapshot!(convert(
        r##"<!doctype html><!-- no --><html><head><title>A &amp; B</title><style>p { color: red }</style>
        <script>if (a < b) { document.write("<p>no</p>") }</script><meta name="x"></head><body>
        <nav><a href="/">Home</a> <a href="#here">Here</a> <a href="javascript:no()">Do</a></nav>
        <h1>The <em>title</em></h1>
        <p>One   <b>bold </b>word, <i>two</i>&nbsp;words,<br>a line &lt;end&gt; &copy; &#8212; &#x201c;q&#x201d; &unknown;
        <p>Next, unclosed, with <code>code</code>, <code>a `tick`</code> and a <a href="docs/a.html?x=1&amp;y=2">link <b>bold</b></a>.
        <ul><li>one<li>two<ul><li>deep<ol start="3"><li>third</li><li>fourth</li></ol></li></ul></li><li><p>para</p><p>more</p></li></ul>
        <ol><li>first</li><li>second</li></ol>
        <blockquote><p>quoted</p><blockquote>twice</blockquote><pre>in
a quote</pre></blockquote>
        <pre class="x"><code class="language-rust hl">
fn main() {
    println!("<b>{}</b>", `x`);   <span class="c">// no</span>
}
</code></pre>
        <table><caption>Numbers</caption><thead><tr><th>a</th><th>b|c</th></tr></thead>
        <tbody><tr><td>1</td><td><p>two</p><p>2</p></td></tr><tr><td><ul><li>x</li><li>y</li></ul><td>z</table>
        <hr><img src="a.png" alt="A picture"><img src="b.png"><img alt="">
        <div hidden>no</div><div style="display: none">no<p>no</div><span aria-hidden="true">no</span><noscript>no</noscript>
        <svg><title>no</title></svg><template><p>no</p></template><select><option>no</select>
        <dl><dt>term<dd>meaning<dt>other<dd>thing</dl>
        <a href="https://other.example/"><div><h3>Card</h3><p>text</p></div></a>
        <p>The end.</body></html>"##
    ), @r###"
    A & B

    [Home](https://site.example/) Here Do

    # The *title*

    One **bold** word, *two* words,
    a line <end> © — “q” &unknown;

    Next, unclosed, with `code`, `` a `tick` `` and a [link **bold**](https://site.example/docs/a.html?x=1&y=2).

    - one
    - two
      - deep
        3. third
        4. fourth
    - para

      more

    1. first
    2. second

    > quoted
    >
    > > twice
    >
    > ```
    > in
    > a quote
    > ```

    ```rust
    fn main() {
        println!("{}", `x`);   // no
    }
    ```

    Numbers

    | a | b\|c |
    | --- | --- |
    | 1 | two 2 |
    | x y | z |

    ---

    ![A picture]

    term
    meaning

    other
    thing

    ### [Card](https://other.example/)

    text

    The end.
    "###);
}

#[test]
fn what_is_broken_is_read_all_the_same() {
    let cases = [
        ("", ""),
        ("plain", "plain"),
        ("a < b && c > d <3 <", "a < b && c > d <3 <"),
        ("<", "<"),
        ("</", "</"),
        ("<!", ""),
        ("<!-->x", "x"),
        ("<!-- open", ""),
        ("<p", ""),
        ("<p title='", ""),
        ("<p title=\"a>b\">x", "x"),
        ("<script>never ends", ""),
        ("<script>a</scriptx></script>b", "b"),
        ("<SCRIPT>a</ScRiPt >b", "b"),
        ("<b>x</p></i></b>y", "**x**y"),
        ("<b><i>x</b>y</i>", "***x***y"),
        ("<a href=x>y", "[y](https://site.example/x)"),
        ("<a href=x></a>y", "y"),
        ("<a href='a b'>y</a>", "y"),
        ("<base href='https://b.example/c/'><a href=x>y</a>", "[y](https://b.example/c/x)"),
        ("<li>alone", "- alone"),
        ("<td>alone", "alone"),
        ("<ul><li></li><li>x</li></ul>", "- x"),
        ("<div hidden>a<div>b</div>c</div>d", "d"),
        ("<div><p hidden>a</div>b", "b"),
        ("<table><tr><td>a<div>b</table>c", "| a b |\n| --- |\n\nc"),
        ("<table><tr><td>a<table><tr><td>b<td>c</table>d</table>e", "| a b c d |\n| --- |\n\ne"),
        ("<pre>a<pre>b</pre>c</pre>d", "```\nabc\n```\n\nd"),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<h2>a<br>b</h2>c", "## a b\n\nc"),
        ("é<é>é", "é<é>é"),
        ("a&#0;b&#xD800;c&#x80;d", "a\u{fffd}b\u{fffd}c€d"),
        ("\u{1b}[31mred\u{7}", "[31mred"),
        ("&amp;lt; &ampx &lt &notit;", "&lt; &ampx < &notit;"),
    ];
    for (html, markdown) in cases {
        assert_eq!(convert(html), markdown, "{html:?}");
    }
}

#[test]
fn deep_pages_and_long_ones_come_to_an_end() {
    for piece in [
        "<div>",
        "<ul><li>x",
        "<blockquote>x",
        "<b>x ",
        "<table><tr><td>x",
        "<a href=x>y",
        "</div>",
        "<!--",
        "&",
        "<pre>`",
    ] {
        let html = piece.repeat(100_000);
        let markdown = to_markdown(&html, &mut Site(String::new()), 1 << 20);
        assert!(markdown.len() <= (1 << 20) + html.len(), "{piece}: {}", markdown.len());
    }
    assert!(convert(&"<p>word ".repeat(1_000_000)).len() < (1 << 20) + 100);
}

/// Text that looks like a page, more or less.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z<>&;/!\"'= -]{0,12}",
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<ul>",
            "<ol start=7>",
            "<li>",
            "</li>",
            "</ul>",
            "<table>",
            "<tr>",
            "<td>",
            "<th>",
            "</tr>",
            "</table>",
            "<pre>",
            "</pre>",
            "<code>",
            "</code>",
            "<b>",
            "</b>",
            "<a href=/x>",
            "</a>",
            "<blockquote>",
            "</blockquote>",
            "<h3>",
            "</h3>",
            "<br>",
            "<hr>",
            "<div hidden>",
            "</div>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "&amp;",
            "&#9;",
            "\n",
            "`",
            "|",
            "é",
            "<img alt='a b'>",
            "<base href=q>",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_a_page(html in any::<String>()) {
        let markdown = convert(&html);
        prop_assert!(markdown.len() <= 64 * html.len() + 64);
    }

    #[test]
    fn any_soup_is_a_page(html in soup()) {
        let markdown = convert(&html);
        prop_assert!(markdown.len() <= 64 * html.len() + 64, "{} of {}", markdown.len(), html.len());
        prop_assert!(!markdown.contains("<script"));
    }

    #[test]
    fn plain_words_stay(words in prop::collection::vec("[a-zA-Z0-9.,]{1,10}", 0..30)) {
        prop_assert_eq!(convert(&words.join(" \n ")), words.join(" "));
    }
}
