//! A slow and simple reader of JSON that loses nothing: what the fast one is compared with.

use std::collections::BTreeMap;

/// A value as it was written: digits of numbers, code units of strings, the last of duplicate names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Exact {
    Word(String),
    Number(String),
    Text(Vec<u16>),
    List(Vec<Exact>),
    Object(BTreeMap<Vec<u16>, Exact>),
}

/// Reads a text that is known to be JSON.
pub(crate) fn exact(text: &str) -> Exact {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    let value = value(&chars, &mut at);
    space(&chars, &mut at);
    assert_eq!(at, chars.len(), "something follows the value in {text}");
    value
}

fn space(chars: &[char], at: &mut usize) {
    while *at < chars.len() && " \t\r\n".contains(chars[*at]) {
        *at += 1;
    }
}

fn value(chars: &[char], at: &mut usize) -> Exact {
    space(chars, at);
    match chars[*at] {
        '"' => Exact::Text(text(chars, at)),
        '[' => {
            let mut items = Vec::new();
            members(chars, at, ']', |chars, at| items.push(value(chars, at)));
            Exact::List(items)
        }
        '{' => {
            let mut object = BTreeMap::new();
            members(chars, at, '}', |chars, at| {
                let name = text(chars, at);
                space(chars, at);
                assert_eq!(chars[*at], ':');
                *at += 1;
                object.insert(name, value(chars, at));
            });
            Exact::Object(object)
        }
        _ => {
            let start = *at;
            while *at < chars.len() && !",]} \t\r\n".contains(chars[*at]) {
                *at += 1;
            }
            let token: String = chars[start..*at].iter().collect();
            if token.starts_with(|c: char| c.is_ascii_alphabetic()) {
                Exact::Word(token)
            } else {
                Exact::Number(token)
            }
        }
    }
}

fn members(chars: &[char], at: &mut usize, end: char, mut one: impl FnMut(&[char], &mut usize)) {
    *at += 1;
    space(chars, at);
    while chars[*at] != end {
        one(chars, at);
        space(chars, at);
        if chars[*at] == ',' {
            *at += 1;
            space(chars, at);
        }
    }
    *at += 1;
}

fn text(chars: &[char], at: &mut usize) -> Vec<u16> {
    let mut units = Vec::new();
    *at += 1;
    while chars[*at] != '"' {
        if chars[*at] != '\\' {
            units.extend(chars[*at].encode_utf16(&mut [0; 2]).iter());
            *at += 1;
            continue;
        }
        let code = chars[*at + 1];
        *at += 2;
        units.push(match code {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let digits: String = chars[*at..*at + 4].iter().collect();
                *at += 4;
                u16::from_str_radix(&digits, 16).unwrap()
            }
            other => other as u16,
        });
    }
    *at += 1;
    units
}
