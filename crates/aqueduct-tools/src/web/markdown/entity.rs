//! Characters by their names.

/// The longest name that is looked for.
const LONGEST: usize = 12;

/// What bytes 0x80 to 0x9F mean on pages that call themselves Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The names of U+00A0 to U+00FF, in their order.
const LATIN: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo",
    "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot",
    "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",
    "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute",
    "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
    "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave", "aacute", "acirc", "atilde",
    "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc",
    "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave",
    "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

/// Other names that pages use.
const NAMED: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("AMP", '&'),
    ("LT", '<'),
    ("GT", '>'),
    ("QUOT", '"'),
    ("num", '#'),
    ("lbrace", '{'),
    ("rbrace", '}'),
    ("lsqb", '['),
    ("rsqb", ']'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("bsol", '\\'),
    ("sol", '/'),
    ("colon", ':'),
    ("comma", ','),
    ("period", '.'),
    ("excl", '!'),
    ("equals", '='),
    ("dollar", '$'),
    ("percnt", '%'),
    ("commat", '@'),
    ("vert", '|'),
    ("verbar", '|'),
    ("NewLine", '\n'),
    ("Tab", '\t'),
    ("OElig", 'Œ'),
    ("oelig", 'œ'),
    ("Scaron", 'Š'),
    ("scaron", 'š'),
    ("Yuml", 'Ÿ'),
    ("fnof", 'ƒ'),
    ("circ", 'ˆ'),
    ("tilde", '˜'),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("dagger", '†'),
    ("Dagger", '‡'),
    ("bull", '•'),
    ("hellip", '…'),
    ("permil", '‰'),
    ("prime", '′'),
    ("Prime", '″'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("euro", '€'),
    ("trade", '™'),
    ("larr", '←'),
    ("uarr", '↑'),
    ("rarr", '→'),
    ("darr", '↓'),
    ("harr", '↔'),
    ("rArr", '⇒'),
    ("lArr", '⇐'),
    ("hArr", '⇔'),
    ("forall", '∀'),
    ("part", '∂'),
    ("exist", '∃'),
    ("empty", '∅'),
    ("nabla", '∇'),
    ("isin", '∈'),
    ("notin", '∉'),
    ("prod", '∏'),
    ("sum", '∑'),
    ("minus", '−'),
    ("radic", '√'),
    ("infin", '∞'),
    ("and", '∧'),
    ("or", '∨'),
    ("cap", '∩'),
    ("cup", '∪'),
    ("int", '∫'),
    ("asymp", '≈'),
    ("ne", '≠'),
    ("equiv", '≡'),
    ("le", '≤'),
    ("ge", '≥'),
    ("sub", '⊂'),
    ("sup", '⊃'),
    ("check", '✓'),
    ("star", '☆'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("Delta", 'Δ'),
    ("epsilon", 'ε'),
    ("theta", 'θ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("pi", 'π'),
    ("sigma", 'σ'),
    ("Sigma", 'Σ'),
    ("phi", 'φ'),
    ("omega", 'ω'),
    ("Omega", 'Ω'),
];

/// The text with the characters that its entities represent. What is no entity stays as it is.
pub(super) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match entity(&rest[1..]) {
            Some((decoded, length)) => {
                out.push(decoded);
                rest = &rest[1 + length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The character behind `&`, and how many bytes name it.
fn entity(text: &str) -> Option<(char, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix, before) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 2),
            None => (number, 10, 1),
        };
        let length = digits.bytes().take(LONGEST).take_while(|byte| (*byte as char).is_digit(radix)).count();
        if length == 0 {
            return None;
        }
        let decoded = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
        let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
        return Some((numbered(decoded), before + length + semicolon));
    }
    let length = text.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let name = &text[..length];
    if text.as_bytes().get(length) == Some(&b';') {
        return Some((named(name)?, length + 1));
    }
    // Without its semicolon only what pages have written since the beginning is meant.
    ["amp", "lt", "gt", "quot", "nbsp", "copy", "reg"]
        .iter()
        .find(|known| name == **known)
        .and_then(|known| Some((named(known)?, known.len())))
}

fn named(name: &str) -> Option<char> {
    let latin = || {
        let index = LATIN.iter().position(|known| *known == name)?;
        char::from_u32(0xa0 + index as u32)
    };
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, decoded)| *decoded).or_else(latin)
}

fn numbered(number: u32) -> char {
    match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9f => windows(number as u8),
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// What a byte means on pages that call themselves Latin-1.
fn windows(byte: u8) -> char {
    match byte.checked_sub(0x80).and_then(|index| WINDOWS.get(usize::from(index))) {
        Some(&meant) => meant,
        None => char::from(byte),
    }
}
