//! Archives.

use super::OperandKind::Files;
use super::Style::{Bundle, Clusters, Words};
use super::{KnownProgram, command, program};

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program(
        "tar bsdtar gtar",
        Bundle,
        "",
        &[command(
            "",
            &[
                "-c -x -t -r -u -d -v -z -j -J -a -k -m -p -w -O -U -W -l -n -S -f= --create --extract --get --list --append --update \
               --diff --compare --verbose --gzip --gunzip --bzip2 --xz --zstd --lzma --auto-compress --keep-old-files \
               --skip-old-files --to-stdout --touch --preserve-permissions --same-permissions --file= --exclude= --strip-components= \
               --wildcards --no-wildcards --anchored --no-anchored --totals --numeric-owner --owner= --group= --mode= --mtime= --sort= \
               --exclude-vcs --exclude-vcs-ignores --exclude-backups --no-same-owner --no-same-permissions --no-recursion \
               --one-file-system --sparse --verify --interactive --format= --posix --utc --full-time --block-number",
            ],
            Files,
        )],
    ),
    program(
        "zip",
        Words,
        "",
        &[command(
            "",
            &[
                "-r -q -v -j -u -f -m -d -y -e -x -i -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -rq -qr -r9 -9r -rv -jr -rj --recurse-paths --quiet --verbose --junk-paths --exclude --include",
            ],
            Files,
        )],
    ),
    program(
        "unzip",
        Clusters,
        "",
        &[command("", &["-q -o -l -n -t -v -j -u -f -p -a -b -C -L -d= -x -P="], Files)],
    ),
    program(
        "split",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-l= -b= -C= -n= -a= -d -x -e -u --lines= --bytes= --line-bytes= --number= --suffix-length= --numeric-suffixes? --hex-suffixes? --additional-suffix= --elide-empty-files --verbose -#",
            ],
            Files,
        )],
    ),
];

/// Whether the name of an archive stays on this machine: a colon makes tar run a program for another one.
pub(super) fn is_local(archive: &str) -> bool {
    !archive.contains(':')
}
