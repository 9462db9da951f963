//! Tools that show and change text.

use super::OperandKind::Names;
use super::Style::{Clusters, Words};
use super::{KnownProgram, command, program};

const RG: &str = "-c -e= -f= -F -g= -h -H -i -I -l -L -n -N -o -p -P -q -r= -s -S -t= -T= -u -U -v -w -x -A= -B= -C= -j= -m= -M= -d= -E= -. -0 -a -b \
    --after-context= --before-context= --context= --case-sensitive --color= --colors= --count --count-matches --crlf --debug \
    --encoding= --engine= --field-context-separator= --field-match-separator= --file= --files --files-with-matches \
    --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --hidden --iglob= --ignore-case \
    --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview \
    --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-filename --no-heading \
    --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number \
    --no-messages --no-mmap --no-unicode --null --null-data --one-file-system --only-matching --passthru --pcre2 --pretty --quiet \
    --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim --type= --type-list \
    --type-not= --unrestricted --vimgrep --with-filename --word-regexp --byte-offset --column --no-column --auto-hybrid-regex";

const FD: &str = "-t= -d= -e= -E= -H -I -a -L -p -g -s -i -F -0 -u -l -1 -c= -j= -S= -o= --absolute-path --case-sensitive --color= --exclude= \
    --extension= --fixed-strings --follow --full-path --glob --hidden --ignore-case --max-depth= --min-depth= --exact-depth= \
    --max-results= --no-ignore --no-ignore-vcs --no-ignore-parent --print0 --type= --unrestricted --list-details --regex --and= \
    --size= --changed-within= --changed-before= --newer= --older= --owner= --threads= --one-file-system --prune --strip-cwd-prefix? \
    --path-separator= --quiet -q --show-errors";

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program("rg", Clusters, "", &[command("", &[RG], Names)]),
    program("fd fdfind", Clusters, "", &[command("", &[FD], Names)]),
    program(
        "sort",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -k= -s -S= -t= -u -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --batch-size= --check? --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique --zero-terminated",
            ],
            Names,
        )],
    ),
    program(
        "tree",
        Words,
        "",
        &[command(
            "",
            &[
                "-a -d -f -L= -I= -P= -C -D -F -J -X -Q -q -N -p -u -g -s -h -i -r -t -S -n -A -l -x -v -U -c --dirsfirst --filesfirst --gitignore --noreport --prune --du --inodes --device --filelimit= --matchdirs --ignore-case --si --sort= --charset= -aL= -dL= -La= -ad -da",
            ],
            Names,
        )],
    ),
    program(
        "jq",
        Words,
        "",
        &[command(
            "",
            &[
                "-r -c -e -M -C -S -s -n -j -a -R -rc -cr -re -er -rn -nr -sr -rs -Rs -sR -rj --raw-output --raw-output0 --raw-input --compact-output --exit-status --monochrome-output --color-output --sort-keys --slurp --null-input --join-output --ascii-output --arg --argjson --args --jsonargs --tab --indent= --seq --stream --stream-errors",
            ],
            Names,
        )],
    ),
    program(
        "file",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-b -h -i -k -L -n -N -r -v -0 -p -s -z -Z -d -E -I --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --raw --extension --no-buffer --print0 --preserve-date",
            ],
            Names,
        )],
    ),
    program(
        "date",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-u -R -I? -d= -r= --date= --utc --universal --rfc-3339= --rfc-email --iso-8601? --reference= -j -v= -n",
            ],
            Names,
        )],
    ),
    program(
        "man",
        Clusters,
        "",
        &[command(
            "",
            &["-k -f -w -a -K -s= -S= --apropos --whatis --where --path --all --sections="],
            Names,
        )],
    ),
    program(
        "less more",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-N -S -R -F -X -i -I -M -m -n -r -s -E -e -g -G -q -Q -w -W -J -# --LINE-NUMBERS --chop-long-lines --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --ignore-case --IGNORE-CASE",
            ],
            Names,
        )],
    ),
    program("vi vim nvim view", Words, "", &[command("", &["-R -n -b -p -o -O -d"], Names)]),
    program(
        "bat batcat",
        Words,
        "",
        &[command(
            "",
            &[
                "-n -p -pp -A -r= -l= -P --plain --number --line-range= --language= --color= --style= --paging= --no-pager --theme= --wrap= --tabs= --show-all -f -d --diff --decorations= --list-themes --list-languages",
            ],
            Names,
        )],
    ),
];
