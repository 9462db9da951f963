//! The commands that a rule for git covers, each with the options that leave it what a reader of the rule expects.
//!
//! What makes git run a program of someone's choosing, use another repository or write a file of someone's choosing is
//! left out, and so is every option that is not known.

/// Commands with their options.
pub(super) struct GitOptionRow {
    /// Names of commands, with spaces between them.
    pub(super) commands: &'static str,
    /// Short options. After one with a colon the rest of the word is its value.
    pub(super) letters: &'static str,
    /// Long options without their dashes. Each may be negated.
    pub(super) long: &'static [&'static str],
}

const fn row(commands: &'static str, letters: &'static str, long: &'static [&'static str]) -> GitOptionRow {
    GitOptionRow { commands, letters, long }
}

const DIFF: &str = "abbrev anchored base binary break-rewrites cached check color color-moved color-moved-ws color-words \
    compact-summary cumulative default-prefix diff-algorithm diff-filter dirstat dirstat-by-file dst-prefix exit-code \
    find-copies find-copies-harder find-object find-renames follow full-index function-context histogram \
    ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-matching-lines ignore-space-at-eol \
    ignore-space-change ignore-submodules indent-heuristic inter-hunk-context irreversible-delete \
    ita-invisible-in-index ita-visible-in-index line-prefix merge-base minimal name-only name-status no-ext-diff \
    no-index no-textconv numstat ours output-indicator-context output-indicator-new output-indicator-old patch \
    patch-with-raw patch-with-stat patience pickaxe-all pickaxe-regex prefix quiet raw relative rename-empty renames \
    rotate-to shortstat skip-to src-prefix staged stat stat-count stat-graph-width stat-name-width stat-width \
    submodule summary text theirs unified word-diff word-diff-regex ws-error-highlight";

const DIFF_LETTERS: &str = "psuU:M:C:B:DRS:G:O:l:X:abwWzI:0123";

const REVISIONS: &str = "abbrev-commit after all all-match alternate-refs ancestry-path author author-date-order basic-regexp \
    before bisect boundary branches cc cherry cherry-mark cherry-pick children combined-all-paths committer count date \
    date-order decorate decorate-refs decorate-refs-exclude clear-decorations dense diff-merges disk-usage \
    do-walk encode-email-headers encoding exclude exclude-hidden expand-tabs extended-regexp first-parent \
    fixed-strings format full-diff full-history glob graph grep grep-reflog header ignore-missing in-commit-order \
    indexed-objects invert-grep left-only left-right log-size mailmap mark max-age max-count max-parents merge merges \
    min-age min-parents no-walk not notes objects objects-edge oneline parents perl-regexp pretty reflog \
    regexp-ignore-case relative-date remotes remove-empty reverse right-only root show-linear-break show-notes \
    show-pulls show-signature simplify-by-decoration simplify-merges since since-as-filter single-worktree skip source \
    sparse standard-notes stdin tags timestamp topo-order until use-mailmap walk-reflogs";

const LOG_LETTERS: &str = "psuU:M:C:B:DRS:G:O:l:X:abwWzI:n:iEFPgL:qcmrt0123456789";

pub(super) static ROWS: [GitOptionRow; 77] = [
    row(
        "add stage",
        "nvipefuNA",
        &[
            "all chmod dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add interactive patch \
           pathspec-file-nul pathspec-from-file refresh renormalize sparse update verbose warn-embedded-repo",
        ],
    ),
    row(
        "am",
        "in3qsukmcC:p:rS:b",
        &[
            "3way abort allow-empty binary committer-date-is-author-date continue empty exclude gpg-sign ignore-date \
           ignore-space-change ignore-whitespace include interactive keep keep-cr keep-non-patch message-id \
           patch-format quiet quit quoted-cr reject rerere-autoupdate resolved retry scissors show-current-patch \
           signoff skip utf8 verify whitespace",
        ],
    ),
    row(
        "annotate blame",
        "bcelfnpswtL:S:C:M:",
        &[
            "abbrev color-by-age color-lines contents date encoding first-parent ignore-rev ignore-revs-file incremental \
           line-porcelain minimal porcelain progress reverse root score-debug show-email show-name show-number \
           show-stats since",
        ],
    ),
    row(
        "apply",
        "p:N3zC:Rvq",
        &["3way add allow-binary-replacement allow-empty allow-overlap apply binary cached check exclude \
           ignore-space-change ignore-whitespace inaccurate-eof include index intent-to-add numstat ours quiet recount \
           reject reverse stat summary theirs unidiff-zero union verbose whitespace"],
    ),
    row("archive", "lv0123456789", &["format list mtime prefix verbose worktree-attributes"]),
    row("bisect", "", &["checkout first-parent term-bad term-good term-new term-old"]),
    row(
        "branch",
        "vqtu:radDmMcClfi",
        &[
            "abbrev all color column contains copy create-reflog delete edit-description force format ignore-case list \
           merged move omit-empty points-at quiet recurse-submodules remotes set-upstream-to show-current sort track \
           unset-upstream verbose with without",
        ],
    ),
    row("bundle", "q", &["quiet progress"]),
    row(
        "cat-file",
        "etpsZ",
        &[
            "allow-unknown-type batch batch-all-objects batch-check batch-command buffer filter follow-symlinks mailmap \
           path unordered use-mailmap",
        ],
    ),
    row("check-attr", "az", &["all cached source stdin"]),
    row("check-ignore", "qvnz", &["index non-matching quiet stdin verbose"]),
    row("check-mailmap", "", &["stdin"]),
    row("check-ref-format", "", &["allow-onelevel branch normalize print refspec-pattern"]),
    row(
        "checkout",
        "b:B:lqmdtf23p",
        &[
            "conflict detach force guess ignore-other-worktrees ignore-skip-worktree-bits merge orphan ours overlay \
           overwrite-ignore patch pathspec-file-nul pathspec-from-file progress quiet recurse-submodules theirs track",
        ],
    ),
    row("cherry", "v", &["abbrev verbose"]),
    row(
        "cherry-pick revert",
        "nesxm:S:X:r",
        &[
            "abort allow-empty allow-empty-message cleanup commit continue edit empty ff gpg-sign keep-redundant-commits \
           mainline quit reference rerere-autoupdate signoff skip strategy strategy-option",
        ],
    ),
    row("clean", "qnfide:xX", &["dry-run exclude force interactive quiet"]),
    row(
        "clone",
        "vqnlj:o:b:46",
        &[
            "also-filter-submodules bare branch checkout depth filter hardlinks ipv4 ipv6 jobs mirror origin progress \
           quiet recurse-submodules recursive ref-format reject-shallow remote-submodules shallow-exclude \
           shallow-since shallow-submodules single-branch sparse tags verbose",
        ],
    ),
    row(
        "commit",
        "qvF:m:c:C:seS:aipoznu:",
        &[
            "ahead-behind all allow-empty allow-empty-message amend author branch cleanup date dry-run edit file fixup \
           gpg-sign include interactive long message null only patch pathspec-file-nul pathspec-from-file porcelain \
           post-rewrite quiet reedit-message reset-author reuse-message short signoff squash status trailer \
           untracked-files verbose verify",
        ],
    ),
    row("commit-graph", "", &["append changed-paths max-new-filters progress reachable split shallow"]),
    row("commit-tree", "p:m:F:S:", &["gpg-sign"]),
    row("count-objects", "vH", &["human-readable verbose"]),
    row(
        "describe",
        "",
        &[
            "abbrev all always broken candidates contains debug dirty exact-match exclude first-parent long match tags",
        ],
    ),
    row("diff diff-files diff-index", DIFF_LETTERS, &[DIFF, "cc combined-all-paths"]),
    row(
        "diff-tree whatchanged log show reflog",
        LOG_LETTERS,
        &[
            DIFF,
            REVISIONS,
            "always no-commit-id \
        dry-run expire expire-unreachable rewrite stale-fix updateref verbose",
        ],
    ),
    row(
        "fast-export",
        "M:C:",
        &["all anonymize no-data progress signed-tags tag-of-filtered-object use-done-feature"],
    ),
    row(
        "fetch",
        "vqafmtnj:pPkuo:46",
        &[
            "all append atomic auto-gc auto-maintenance deepen depth dry-run filter force ipv4 ipv6 jobs keep multiple \
           negotiate-only negotiation-tip porcelain prefetch progress prune prune-tags quiet recurse-submodules \
           refetch refmap server-option set-upstream shallow-exclude shallow-since show-forced-updates tags unshallow \
           update-head-ok update-shallow verbose write-commit-graph write-fetch-head",
        ],
    ),
    row("fmt-merge-msg", "m:F:", &["file into-name log message summary"]),
    row(
        "for-each-ref",
        "sp",
        &[
            "color contains count exclude format ignore-case include-root-refs merged no-contains omit-empty perl \
           points-at python shell sort stdin tcl",
        ],
    ),
    row(
        "format-patch",
        "psuU:M:C:B:DS:G:l:abwWzn:Nv:k0123456789",
        &[
            DIFF,
            REVISIONS,
            "add-header attach base cc cover-from-description cover-letter creation-factor \
           encode-email-headers filename-max-length force-in-body-from from ignore-if-in-upstream in-reply-to inline \
           interdiff keep-subject numbered numbered-files progress range-diff reroll-count rfc signature signoff \
           start-number stdout subject-prefix suffix thread to zero-commit",
        ],
    ),
    row(
        "fsck",
        "v",
        &[
            "cache connectivity-only dangling full lost-found name-objects progress reflogs root strict tags unreachable \
           verbose",
        ],
    ),
    row("gc", "q", &["aggressive auto cruft detach force keep-largest-pack max-cruft-size prune quiet"]),
    row(
        "grep",
        "viwaIrEGFPnhHlLzocC:B:A:pWf:e:qm:0123456789",
        &["after-context all-match and basic-regexp before-context break cached color column context count \
           exclude-standard extended-regexp files-with-matches files-without-match fixed-strings full-name \
           function-context heading ignore-case index invert-match line-number max-count max-depth name-only not null \
           only-matching or perl-regexp quiet recurse-submodules recursive show-function text threads untracked \
           word-regexp"],
    ),
    row("hash-object", "wt:", &["literally no-filters path stdin"]),
    row("init init-db", "qb:", &["bare initial-branch object-format quiet ref-format shared"]),
    row(
        "interpret-trailers",
        "",
        &["divider if-exists if-missing only-input only-trailers parse trailer trim-empty unfold where"],
    ),
    row(
        "ls-files",
        "cdmoistukzfvx:X:",
        &[
            "abbrev cached debug deduplicate deleted directory empty-directory eol error-unmatch exclude exclude-from \
           exclude-per-directory exclude-standard format full-name ignored killed modified others recurse-submodules \
           resolve-undo sparse stage unmerged with-tree",
        ],
    ),
    row(
        "ls-remote",
        "thqo:",
        &["branches exit-code get-url heads quiet refs server-option sort symref tags"],
    ),
    row("ls-tree", "dlrtz", &["abbrev format full-name full-tree long name-only name-status object-only"]),
    row(
        "merge",
        "nes:X:m:F:vqS:",
        &[
            "abort allow-unrelated-histories autostash cleanup commit continue edit ff ff-only file gpg-sign into-name log \
           message overwrite-ignore progress quiet quit rerere-autoupdate signoff squash stat strategy \
           strategy-option summary verbose verify verify-signatures",
        ],
    ),
    row("merge-base", "a", &["all fork-point independent is-ancestor octopus"]),
    row(
        "merge-tree",
        "zX:",
        &[
            "allow-unrelated-histories merge-base messages name-only quiet stdin strategy-option trivial-merge write-tree",
        ],
    ),
    row(
        "mktag mktree multi-pack-index write-tree update-server-info",
        "zf",
        &["batch force missing missing-ok strict"],
    ),
    row("mv", "vnfk", &["dry-run force sparse verbose"]),
    row("name-rev", "", &["all always annotate-stdin exclude name-only peel-tag refs stdin tags undefined"]),
    row(
        "notes",
        "m:F:C:c:fs:nvq",
        &[
            "abort allow-empty commit dry-run file force ignore-missing message quiet ref reedit-message reuse-message \
           separator stdin strategy stripspace verbose",
        ],
    ),
    row("pack-refs", "", &["all auto exclude include prune"]),
    row("patch-id", "", &["stable unstable verbatim"]),
    row("prune prune-packed", "nvq", &["dry-run expire progress quiet verbose"]),
    row(
        "pull",
        "vqr:ns:X:S:aftpj:ko:46",
        &[
            "all allow-unrelated-histories append autostash cleanup commit deepen depth dry-run edit ff ff-only force \
           gpg-sign ipv4 ipv6 jobs keep log negotiation-tip progress prune quiet rebase recurse-submodules refmap \
           server-option set-upstream shallow-exclude shallow-since show-forced-updates signoff squash stat strategy \
           strategy-option summary tags unshallow update-shallow verbose verify verify-signatures",
        ],
    ),
    row(
        "push",
        "vqdnfuo:46",
        &[
            "all atomic branches delete dry-run follow-tags force force-if-includes force-with-lease ipv4 ipv6 mirror \
           porcelain progress prune push-option quiet recurse-submodules set-upstream signed tags thin verbose verify",
        ],
    ),
    row("range-diff", DIFF_LETTERS, &[DIFF, "creation-factor dual-color left-only notes right-only"]),
    row("read-tree", "muiv", &["empty reset"]),
    row(
        "rebase",
        "qvnC:fmiS:r:s:X:k",
        &[
            "abort allow-empty-message apply autosquash autostash committer-date-is-author-date continue edit-todo empty ff \
           force-rebase fork-point gpg-sign ignore-date ignore-whitespace interactive keep-base keep-empty merge onto \
           quiet quit reapply-cherry-picks rebase-merges rerere-autoupdate reset-author-date root show-current-patch \
           signoff skip stat strategy strategy-option update-refs verbose verify whitespace",
        ],
    ),
    row(
        "remote",
        "vt:m:fnpad",
        &["add all auto delete dry-run fetch master mirror prune push query tags track verbose"],
    ),
    row("repack", "adAfFlnqb", &["cruft keep-unreachable local quiet write-bitmap-index write-midx"]),
    row("replace", "dlf", &["delete force format graft list raw"]),
    row("rerere", "", &["rerere-autoupdate"]),
    row(
        "reset",
        "qpN",
        &[
            "hard intent-to-add keep merge mixed patch pathspec-file-nul pathspec-from-file quiet recurse-submodules refresh \
           soft",
        ],
    ),
    row(
        "restore",
        "s:SWqm23p",
        &["conflict ignore-skip-worktree-bits ignore-unmerged merge ours overlay patch pathspec-file-nul \
           pathspec-from-file progress quiet recurse-submodules source staged theirs worktree"],
    ),
    row(
        "rev-list shortlog",
        "n:iEFPgqcmtsew:bu0123456789",
        &[
            DIFF,
            REVISIONS,
            "bisect-all bisect-vars email \
        filter filter-provided-objects group missing no-object-names numbered object-names summary unpacked",
        ],
    ),
    row(
        "rev-parse",
        "qn:0123456789",
        &[
            REVISIONS,
            "abbrev abbrev-ref absolute-git-dir default disambiguate flags git-common-dir git-dir \
           is-bare-repository is-inside-git-dir is-inside-work-tree is-shallow-repository local-env-vars \
           path-format no-flags no-revs prefix quiet revs-only shared-index-path short show-cdup show-object-format \
           show-prefix show-ref-format show-superproject-working-tree show-toplevel sq symbolic symbolic-full-name \
           verify",
        ],
    ),
    row(
        "rm",
        "nqfr",
        &["cached dry-run force ignore-unmatch pathspec-file-nul pathspec-from-file quiet sparse"],
    ),
    row(
        "show-branch",
        "arg:",
        &[
            "all color current date-order independent list merge-base more name reflog remotes sha1-name sparse topics \
           topo-order",
        ],
    ),
    row(
        "show-index show-ref",
        "qds:",
        &["abbrev branches dereference exists hash head heads object-format quiet tags verify"],
    ),
    row("sparse-checkout", "", &["cone end-of-options skip-checks sparse-index stdin"]),
    row(
        "stash",
        "kSpqum:aU:M:sbw",
        &[
            DIFF,
            "all include-untracked index keep-index message only-untracked patch pathspec-file-nul \
           pathspec-from-file quiet staged",
        ],
    ),
    row(
        "status",
        "vsbzu:M:",
        &[
            "ahead-behind branch column find-renames ignore-submodules ignored long null porcelain renames short show-stash \
           untracked-files verbose",
        ],
    ),
    row("stripspace", "sc", &["comment-lines strip-comments"]),
    row(
        "submodule",
        "qb:fj:N",
        &[
            "all branch cached checkout default depth fetch files filter force init jobs merge name progress quiet rebase \
           recommend-shallow recursive remote require-init single-branch summary-limit",
        ],
    ),
    row(
        "switch",
        "c:C:qmdtf",
        &[
            "conflict create detach discard-changes force force-create guess ignore-other-worktrees merge orphan \
           overwrite-ignore progress quiet recurse-submodules track",
        ],
    ),
    row("symbolic-ref", "qdm:", &["delete quiet recurse short"]),
    row(
        "tag",
        "ln:dvam:F:esu:fi0123456789",
        &[
            "annotate cleanup color column contains create-reflog delete edit file force format ignore-case list local-user \
           merged message omit-empty points-at sign sort trailer verify with without",
        ],
    ),
    row(
        "update-index",
        "qzg",
        &[
            "add again assume-unchanged chmod force-remove ignore-missing ignore-submodules index-version really-refresh \
           refresh remove replace show-index-version skip-worktree unmerged untracked-cache verbose",
        ],
    ),
    row("update-ref", "dzm:", &["create-reflog deref stdin"]),
    row("var verify-commit verify-pack verify-tag version", "lvs", &["build-options format raw verbose"]),
    row(
        "worktree",
        "fdb:B:qvnz",
        &[
            "checkout detach dry-run expire force guess-remote lock orphan porcelain quiet reason track verbose",
        ],
    ),
];
