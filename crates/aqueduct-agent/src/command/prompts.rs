//! The prompts of built-in commands.

/// `/init`.
pub(super) const INIT: &str = "Write a CLAUDE.md in the root of this project, with what an agent needs to know when it \
works here for the first time.

First explore the project: the README and other documents, the build and test files, the configuration of linters \
and continuous integration, the layout of the sources, and rules for other agents (AGENTS.md, .cursorrules, \
.github/copilot-instructions.md) if there are any. If a CLAUDE.md exists already, read it and improve it instead of \
starting over.

Include, in this order and as briefly as possible:
- the commands to build, test and lint, and how to run a single test;
- the architecture that is not visible in a single file: which parts depend on which, and how data flows;
- conventions and pitfalls that a new contributor would get wrong.

Leave out what a directory listing shows, general advice, and anything that you did not see in the files. \
$ARGUMENTS";

/// `/review`.
pub(super) const REVIEW: &str = "Review a change carefully.

What to review: $ARGUMENTS
If that names a pull request, get it with `gh pr view` and `gh pr diff`. If it names commits, a branch or files, \
review those. If it is empty, review the uncommitted changes (`git diff HEAD`, and new files), or, if there are \
none, the commits of this branch that are not on the main branch.

Read enough of the code around the change to judge it. Look for bugs (wrong results, data loss, races, \
unhandled errors, broken callers), then for what is missing (tests, documentation, a migration), then for what \
could be simpler. For each finding, give the location (file and line), what fails and in which case, and how to fix \
it. Order the findings by severity, the most severe first. Do not report matters of taste, and do not praise. If you \
find nothing, state that, and list what you reviewed. Do not change any files.";

/// `/security-review`.
pub(super) const SECURITY_REVIEW: &str = "Review a change for security vulnerabilities.

What to review: $ARGUMENTS
If that is empty, review the commits of this branch that are not on the main branch, and the uncommitted changes.

Trace every untrusted input (requests, files, environment, messages, arguments) through the changed code to where \
it is used: commands, queries, paths, templates, deserialization, network calls, memory. Check access control: \
authentication, permissions, sessions, secrets in code or logs, cryptography, defaults. For each vulnerability, give \
the location (file and line), how an attacker exploits it, step by step, the severity (high, medium, low), your \
confidence, and the fix. Report only what the code at hand supports; leave out what is merely unusual, and what \
requires an attacker who already has full access. If you find no vulnerability, list what you reviewed. Do not \
change any files.";

/// `/pr-comments`.
pub(super) const PR_COMMENTS: &str = "Read the comments of a pull request and summarize what they ask for.

Pull request: $ARGUMENTS (if that is empty: the pull request of the current branch, which `gh pr view` finds).

Use `gh pr view --json number,title,url,comments,reviews` and \
`gh api repos/{owner}/{repo}/pulls/NUMBER/comments --paginate`. List the comments by file and line, in the order \
of the conversation, with the author of each, the code that it is about, and whether it was answered or resolved. \
Then list what is still to be done. Do not change any files. If `gh` is not installed or not logged in, report that.";

/// `/release-notes`.
pub(super) const RELEASE_NOTES: &str = "Write release notes for the users of this project.

Since: $ARGUMENTS (if that is empty: since the newest tag, or since the first commit if there is no tag).

Read the history (`git log` with the bodies of messages, and diffs where a message does not state what changed for \
users) and the changelog, if there is one, and follow its format. Describe what users can see: first breaking changes \
and what users must do about them, then additions, changes and fixes. Write one line for each, in the vocabulary of \
the users; leave out what only developers notice. Show the text; write it to a file only if the user asks for it.";

/// `/agents`.
pub(super) const AGENTS: &str = "Subagents are Markdown files in .claude/agents/ of the project, and in .claude/agents/ \
    of your home directory for all projects. Ask the model to write one, or run the subcommand `agents` to list them.";

/// `/login`.
pub(super) const LOGIN: &str = "This agent has no login. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway, \
in the environment of the agent.";

/// `/vim`.
pub(super) const VIM: &str =
    "Key bindings belong to the program that shows the conversation. Set them there.";

/// The answer to `/exit`.
pub(super) const EXIT: &str = "/exit isn't available in this environment: close stdin to end the session.";
