//! How many columns text takes on a terminal, and text cut to a number of columns.
//!
//! Text is cut between grapheme clusters: a family emoji or a letter with its accents is kept or left out as a whole.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A text's columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that fits, with `…` where something is missing.
pub(crate) fn fit(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut taken = 1;
    for cluster in text.graphemes(true) {
        taken += width(cluster);
        if taken > room {
            break;
        }
        out.push_str(cluster);
    }
    out.push('…');
    out
}

/// The end of a text that fits, with `…` in place of the rest: the end of a path identifies it.
pub(crate) fn fit_end(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut start = text.len();
    let mut taken = 1;
    for (at, cluster) in text.grapheme_indices(true).rev() {
        taken += width(cluster);
        if taken > room {
            break;
        }
        start = at;
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts and their columns.
    const TEXTS: &[(&str, usize)] = &[
        ("plain", 5),
        ("日本語", 6),
        ("e\u{301}", 1),
        ("ที่นี่", 2),
        ("\u{1112}\u{1161}\u{11ab}", 2),
        ("👩‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("🇩🇪", 2),
        ("❤️", 2),
        ("✅", 2),
        ("⏳", 2),
        ("│ …", 3),
    ];

    #[test]
    fn columns_are_those_of_unicode() {
        for (text, columns) in TEXTS {
            assert_eq!(width(text), *columns, "{text}");
        }
    }

    #[test]
    fn texts_are_cut_by_columns() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdefg", 6), "abcde…");
        assert_eq!(fit("日本語日本語", 6), "日本…");
        assert_eq!(fit_end("/home/ada/src", 8), "…ada/src");
        assert_eq!(fit_end("日本語日本語", 6), "…本語");
    }

    #[test]
    fn clusters_are_not_split() {
        for (cluster, columns) in TEXTS.iter().skip(4).take(5) {
            let text = cluster.repeat(3);
            assert_eq!(fit(&text, 3 * columns), text);
            assert_eq!(fit(&text, 2 * columns), format!("{cluster}…"), "{cluster}");
            assert_eq!(fit_end(&text, 2 * columns), format!("…{cluster}"), "{cluster}");
        }
    }
}
