//! Commands that only read, and the options that make each of them do more.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{git, sed};
use crate::shell::ShellWord;

/// What the operands of a reading command are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOperands {
    /// Files and folders that it reads.
    Paths,
    /// A pattern, then files and folders.
    PatternThenPaths,
    /// Files and folders of which it shows no more than that they exist.
    Names,
    /// Text.
    Data,
    /// At most this many, of plain text.
    AtMost(usize),
}

/// Which options leave a command harmless.
#[derive(Debug, Clone, Copy)]
enum HarmlessOptions {
    Any,
    None,
    /// All but these; a short one is found inside a cluster as well.
    Except(&'static [&'static str]),
    /// Only these letters (`#` represents digits) and these long options, with a space between them.
    Only(&'static str, &'static str),
}

struct ReadingCommand {
    names: &'static [&'static str],
    /// `None` for programs that are known to read what they are given and are not safe without a rule.
    options: Option<HarmlessOptions>,
    operands: ReadOperands,
}

const fn reader(
    names: &'static [&'static str],
    options: HarmlessOptions,
    operands: ReadOperands,
) -> ReadingCommand {
    ReadingCommand { names, options: Some(options), operands }
}

const fn unsafe_reader(names: &'static [&'static str], operands: ReadOperands) -> ReadingCommand {
    ReadingCommand { names, options: None, operands }
}

const GREP_LONG: &str = "after-context before-context binary-files byte-offset color colour context count exclude \
    exclude-dir extended-regexp files-with-matches files-without-match fixed-strings ignore-case \
    include invert-match line-buffered line-number line-regexp max-count no-filename no-messages \
    null only-matching perl-regexp quiet recursive regexp silent text with-filename word-regexp \
    basic-regexp file exclude-from";

const RG_LONG: &str = "after-context before-context case-sensitive color context count count-matches files-with-matches \
    files-without-match fixed-strings follow glob heading hidden ignore-case invert-match json \
    line-number max-count max-depth no-heading no-ignore no-line-number only-matching quiet regexp \
    smart-case stats trim type type-list type-not version with-filename word-regexp";

const FD_LONG: &str = "absolute-path case-sensitive color exclude extension fixed-strings follow full-path glob hidden \
    ignore-case max-depth max-results min-depth no-ignore print0 type";

static READERS: [ReadingCommand; 45] = [
    reader(
        &[
            "cat", "head", "tail", "nl", "tac", "cut", "paste", "comm", "cmp", "stat", "od", "hexdump",
            "fold", "fmt", "expand", "unexpand", "rev", "column", "ls",
        ],
        HarmlessOptions::Any,
        ReadOperands::Paths,
    ),
    reader(&["diff"], HarmlessOptions::Any, ReadOperands::Paths),
    reader(&["strings"], HarmlessOptions::Any, ReadOperands::Paths),
    // A list of files to read may name any.
    reader(&["wc"], HarmlessOptions::Except(&["--files0-from"]), ReadOperands::Paths),
    reader(
        &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"],
        HarmlessOptions::Except(&["-c", "--check"]),
        ReadOperands::Paths,
    ),
    reader(
        &["grep", "egrep", "fgrep"],
        HarmlessOptions::Only("abcefhilmnoqrsvwxzABCDEFGHILPRTUZ#", GREP_LONG),
        ReadOperands::PatternThenPaths,
    ),
    reader(
        &["rg"],
        HarmlessOptions::Only("cefghilnoqstuvwxABCFHILST#", RG_LONG),
        ReadOperands::PatternThenPaths,
    ),
    reader(
        &["fd", "fdfind"],
        HarmlessOptions::Only("tdeEHIaLpgsiF0u#", FD_LONG),
        ReadOperands::PatternThenPaths,
    ),
    reader(
        &["sort"],
        HarmlessOptions::Only(
            "bcCdfghimMnrRsuVzS",
            "batch-size check human-numeric-sort ignore-case numeric-sort parallel reverse stable \
            unique version-sort zero-terminated buffer-size",
        ),
        ReadOperands::Paths,
    ),
    reader(&["uniq"], HarmlessOptions::Only("cdui", ""), ReadOperands::Paths),
    reader(&["base64"], HarmlessOptions::Only("diD", "decode ignore-garbage"), ReadOperands::Paths),
    reader(
        &["file"],
        HarmlessOptions::Only(
            "bhikLnNrv0",
            "brief mime mime-type mime-encoding keep-going dereference no-dereference no-pad raw extension \
            no-buffer print0 version",
        ),
        ReadOperands::Paths,
    ),
    reader(&["echo"], HarmlessOptions::Any, ReadOperands::Data),
    reader(&["printf"], HarmlessOptions::Except(&["-v"]), ReadOperands::Data),
    reader(&["test", "[", "[["], HarmlessOptions::Except(&["-v", "-R"]), ReadOperands::Data),
    reader(
        &["tr", "seq", "sleep", "expr", "which", "type", "pgrep"],
        HarmlessOptions::Any,
        ReadOperands::Data,
    ),
    reader(&["basename", "dirname", "realpath", "readlink"], HarmlessOptions::Any, ReadOperands::Names),
    reader(&["df"], HarmlessOptions::Except(&["--files0-from"]), ReadOperands::Names),
    reader(&["du"], HarmlessOptions::Except(&["--files0-from", "--exclude-from", "-X"]), ReadOperands::Paths),
    reader(
        &["tree"],
        HarmlessOptions::Only("adfLIPCDFJXQqNpugshHirtS#", "dirsfirst gitignore noreport prune du inodes"),
        ReadOperands::Paths,
    ),
    reader(&["true", "false"], HarmlessOptions::Any, ReadOperands::AtMost(0)),
    reader(
        &["pwd", "whoami", "uptime", "arch", "nproc", "groups"],
        HarmlessOptions::None,
        ReadOperands::AtMost(0),
    ),
    reader(
        &["uname", "free", "locale", "cal"],
        HarmlessOptions::Only("asrnmpiovhbkgt#", ""),
        ReadOperands::AtMost(0),
    ),
    reader(&["id"], HarmlessOptions::Only("ugnGr", ""), ReadOperands::AtMost(1)),
    reader(&["hostname"], HarmlessOptions::Only("fiIsd", ""), ReadOperands::AtMost(0)),
    reader(&["lsof"], HarmlessOptions::Except(&["-r", "+r", "-D"]), ReadOperands::Data),
    reader(&["netstat"], HarmlessOptions::Only("anri", ""), ReadOperands::AtMost(0)),
    reader(&["ss"], HarmlessOptions::Only("tulnpas46", ""), ReadOperands::AtMost(0)),
    reader(&["ifconfig"], HarmlessOptions::None, ReadOperands::AtMost(1)),
    reader(&["help"], HarmlessOptions::None, ReadOperands::Data),
    reader(&["history"], HarmlessOptions::None, ReadOperands::AtMost(1)),
    reader(&["man"], HarmlessOptions::Only("kfw", ""), ReadOperands::Data),
    reader(&["ps"], HarmlessOptions::Only("efAp", ""), ReadOperands::AtMost(1)),
    reader(
        &["date"],
        HarmlessOptions::Only("uRIdr", "date utc universal rfc-3339 rfc-email reference"),
        ReadOperands::Data,
    ),
    reader(
        &["jq"],
        HarmlessOptions::Only(
            "rceMCSsnja",
            "raw-output compact-output exit-status monochrome-output color-output sort-keys slurp \
            null-input join-output ascii-output arg argjson args tab indent",
        ),
        ReadOperands::PatternThenPaths,
    ),
    reader(&["cd"], HarmlessOptions::None, ReadOperands::Paths),
    reader(&["node"], HarmlessOptions::None, ReadOperands::AtMost(0)),
    reader(&["python", "python3"], HarmlessOptions::None, ReadOperands::AtMost(0)),
    reader(&["ip"], HarmlessOptions::None, ReadOperands::AtMost(1)),
    reader(&["docker"], HarmlessOptions::Any, ReadOperands::Data),
    reader(&["git"], HarmlessOptions::Any, ReadOperands::Paths),
    reader(&["sed"], HarmlessOptions::Any, ReadOperands::PatternThenPaths),
    reader(&["find"], HarmlessOptions::Any, ReadOperands::Paths),
    unsafe_reader(
        &["awk", "gawk", "mawk", "nawk", "zgrep", "bzgrep", "xzgrep", "rgrep", "ag", "ack", "ugrep", "ug"],
        ReadOperands::PatternThenPaths,
    ),
    unsafe_reader(
        &[
            "xxd", "less", "more", "bat", "zcat", "cksum", "sum", "shuf", "iconv", "base32", "split",
            "csplit", "gzip", "bzip2", "xz", "zstd", "source", ".", "vim", "vi", "nano", "emacs", "code",
        ],
        ReadOperands::Paths,
    ),
];

/// Whether a program that reads its operands may do more with them: an editor, a compressor, awk.
pub(crate) fn may_write(program: &str) -> bool {
    row(program).is_some_and(|reader| reader.options.is_none())
}

/// Whether a program is known to read, and never to run its words.
pub(crate) fn never_runs(program: &str) -> bool {
    const MAY_RUN: [&str; 7] = ["docker", "node", "python", "python3", "man", "history", "git"];
    let reads = row(program).is_some_and(|reader| reader.options.is_some());
    (reads && !MAY_RUN.contains(&program)) || matches!(program, "awk" | "gawk" | "mawk" | "nawk")
}

/// What the operands of a program are, if it is known to read.
pub(crate) fn operands(program: &str) -> Option<ReadOperands> {
    row(program).map(|reader| reader.operands)
}

/// The table by name; commands of a hundred kilobytes look into it thousands of times.
static BY_NAME: LazyLock<HashMap<&str, &ReadingCommand>> = LazyLock::new(|| {
    READERS.iter().flat_map(|reader| reader.names.iter().map(move |name| (*name, reader))).collect()
});

fn row(program: &str) -> Option<&'static ReadingCommand> {
    BY_NAME.get(program).copied()
}

/// Whether a command only reads, whatever it is pointed at. The words must all be known.
pub(crate) fn is_safe(words: &[ShellWord<'_>]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let program = first.value.as_ref();
    let values: Vec<&str> = rest.iter().map(|word| word.value.as_ref()).collect();
    let Some(reader) = row(program) else { return false };
    let Some(options) = reader.options else { return false };
    match program {
        "git" => git::is_reading(&values),
        "sed" => sed::is_reading(&values),
        "find" => find_is_reading(&values),
        "docker" => matches!(values.first(), Some(&("ps" | "images" | "logs" | "inspect"))),
        "python" | "python3" => values == ["--version"],
        "node" => values == ["--version"] || values == ["-v"],
        "ip" => values == ["addr"],
        // A page that is named with a path is a file like any other.
        "man" => options_are(options, &values) && !values.iter().any(|value| value.contains('/')),
        // Where `-` leads is not known.
        "cd" => options_are(options, &values) && !values.contains(&"-"),
        // A second operand would be written to.
        "uniq" => options_are(options, &values) && operands_of(&values).count() == 0,
        "ps" => {
            options_are(options, &values) && operands_of(&values).all(|word| word == "aux" || is_number(word))
        }
        "printf" => options_are(options, &values) && printf_only_prints(&values),
        "test" | "[" | "[[" => options_are(options, &values) && compares_numbers(&values),
        // A file of further words may name any file.
        "strings" => !values.iter().any(|value| value.starts_with('@')),
        "history" => options_are(options, &values) && operands_of(&values).all(is_number),
        "date" => options_are(options, &values) && date_only_shows(&values),
        "jq" => options_are(options, &values) && jq_only_reads(&values),
        _ => {
            let few = match reader.operands {
                ReadOperands::AtMost(most) => operands_of(&values).count() <= most,
                _ => true,
            };
            few && options_are(options, &values)
        }
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// After `--` anything is an operand, so it counts as one itself.
fn operands_of<'a>(values: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    values.iter().copied().filter(|value| !value.starts_with('-') || matches!(*value, "-" | "--"))
}

/// `%n` sets a variable. It is looked for in every word, since options may precede the format.
pub(crate) fn printf_only_prints(values: &[&str]) -> bool {
    let flags = |c: char| c.is_ascii_digit() || " #+-'*.$hlLjztq".contains(c);
    let sets =
        |value: &&str| value.split('%').skip(1).any(|after| after.trim_start_matches(flags).starts_with('n'));
    // Some shells evaluate the numbers they print.
    let evaluates = |value: &&str| value.contains('[') && value.contains(['$', '`']);
    !values.iter().any(|value| sets(value) || evaluates(value))
}

/// Whether numbers alone are compared as numbers: anything else is evaluated first.
fn compares_numbers(values: &[&str]) -> bool {
    let is_signed = |word: &str| is_number(word.strip_prefix('-').unwrap_or(word));
    values.iter().enumerate().all(|(at, value)| {
        !matches!(*value, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge")
            || (at > 0 && is_signed(values[at - 1]) && values.get(at + 1).is_some_and(|word| is_signed(word)))
    })
}

fn options_are(options: HarmlessOptions, values: &[&str]) -> bool {
    // A `--` may be the value of an option, so what follows it is looked at as well.
    let given = values.iter().filter(|value| **value != "--");
    let mut given = given.filter(|value| value.len() > 1 && value.starts_with(['-', '+']));
    match options {
        HarmlessOptions::Any => true,
        HarmlessOptions::None => !given.any(|value| value.starts_with('-')),
        HarmlessOptions::Except(unsafe_ones) => {
            !given.any(|value| unsafe_ones.iter().any(|bad| is_option(value, bad)))
        }
        HarmlessOptions::Only(letters, long) => {
            given.filter(|value| value.starts_with('-')).all(|value| match value.strip_prefix("--") {
                Some(name) => {
                    let name = name.split('=').next().unwrap_or_default();
                    long.split(' ').any(|known| known == name)
                }
                None => value[1..]
                    .chars()
                    .all(|c| letters.contains(c) || (c.is_ascii_digit() && letters.contains('#'))),
            })
        }
    }
}

/// Whether a word is this option, with or without a value, alone or in a cluster of short ones. Long
/// options can be cut short.
pub(crate) fn is_option(word: &str, option: &str) -> bool {
    if let Some(long) = option.strip_prefix("--") {
        let Some(given) = word.strip_prefix("--") else { return false };
        let given = given.split('=').next().unwrap_or_default();
        return !given.is_empty() && long.starts_with(given);
    }
    if option.starts_with('+') {
        return word.starts_with(option);
    }
    let single = option.len() == 2;
    let named = if single { word } else { word.split('=').next().unwrap_or_default() };
    named == option
        || (single && word.starts_with('-') && !word.starts_with("--") && word.contains(&option[1..]))
}

/// Things `find` can do besides finding.
pub(crate) const FIND_ACTS: [&str; 10] = [
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-delete",
    "-fprint",
    "-fprint0",
    "-fprintf",
    "-fls",
    "-files0-from",
];

fn find_is_reading(values: &[&str]) -> bool {
    !values.iter().any(|value| FIND_ACTS.contains(value))
}

/// `date` sets the clock when it is given a bare operand.
fn date_only_shows(values: &[&str]) -> bool {
    let mut values = values.iter();
    while let Some(value) = values.next() {
        match *value {
            "-d" | "--date" | "-r" | "--reference" => {
                values.next();
            }
            value if value.starts_with(['+', '-']) => {}
            _ => return false,
        }
    }
    true
}

/// A jq filter can show the environment and load other files.
fn jq_only_reads(values: &[&str]) -> bool {
    let reaches_out = |value: &&str| {
        let word = |name: &str| {
            value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|part| part == name)
        };
        ["env", "ENV", "include", "import", "modulemeta"].iter().any(|name| word(name))
    };
    let mut skipped = 0;
    let mut operands = 0;
    for value in values {
        match *value {
            "--arg" | "--argjson" => skipped = 2,
            _ if skipped > 0 => skipped -= 1,
            "--indent" => skipped = 1,
            value if value.starts_with('-') => {}
            _ => operands += 1,
        }
    }
    operands <= 2 && !values.iter().any(reaches_out)
}

/// Tests and actions of `find` that print nothing but names of files below the places it looks at.
const FIND_NAMES: &str = "-a -and -o -or -not -depth -maxdepth -mindepth -xdev -mount -name -iname -path -ipath \
    -wholename -regex -iregex -regextype -type -size -empty -newer -mtime -mmin -ctime -cmin -atime -amin -user -group \
    -perm -executable -readable -writable -prune -print -print0 -quit -true -false";

/// Whether this is a test or an action of `find` that prints nothing but names.
pub(crate) fn names_files(word: &str) -> bool {
    FIND_NAMES.split_ascii_whitespace().any(|known| known == word)
}

/// Whether all that a command prints is names of files below the places it looks at.
pub(crate) fn lists_names(program: &str, values: &[&str]) -> bool {
    let mut options = values.iter().filter(|value| value.starts_with('-') && value.len() > 1);
    match program {
        "find" => {
            options.all(|value| names_files(value) || value[1..].bytes().all(|byte| byte.is_ascii_digit()))
        }
        // With options it shows more than names, or the folder above.
        "ls" => values.is_empty(),
        "fd" | "fdfind" => {
            !options.any(|value| value.contains('L') || value.starts_with("--f") || value.starts_with("--b"))
        }
        _ => false,
    }
}

/// Programs that `xargs` may feed without a rule: they print what they are given and can't be made to do more.
pub(crate) const FED: [&str; 6] = ["echo", "printf", "wc", "grep", "head", "tail"];

/// The command `xargs` runs, if its own options are the plain ones.
pub(crate) fn fed_by_xargs<'w, 'a>(words: &'w [ShellWord<'a>]) -> Option<&'w [ShellWord<'a>]> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match word.value.as_ref() {
            "-0" | "-r" | "-t" | "-x" => at += 1,
            "-n" | "-I" | "-s" => at += 2,
            option if option.starts_with('-') => return None,
            _ => break,
        }
    }
    Some(words.get(at..).unwrap_or_default())
}
