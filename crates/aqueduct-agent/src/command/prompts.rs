//! What the model is asked by commands that come with the agent.

/// `/init`.
pub(super) const INIT: &str = "Write a CLAUDE.md in the root of this project: what an agent must know that comes \
here for the first time.

Look around first: the README and other documents, the files that say how things are built and tested, the \
configuration of linters and continuous integration, the layout of the sources, and rules for other agents \
(AGENTS.md, .cursorrules, .github/copilot-instructions.md) if there are any. If there is a CLAUDE.md already, read \
it and make it better instead of starting over.

Write down, in this order and as shortly as it can be said:
- the commands to build, test and lint, and how to run a single test;
- how the project is laid out, as far as one file alone does not show it: which part knows which, where data comes \
from and where it goes;
- conventions and traps that a newcomer would get wrong.

Leave out what any look at the tree shows, general advice, and anything that you did not see in the files. \
$ARGUMENTS";

/// `/review`.
pub(super) const REVIEW: &str = "Review a change as a careful colleague would.

What to review: $ARGUMENTS
If that names a pull request, get it with `gh pr view` and `gh pr diff`. If it names commits, a branch or files, \
take those. If it says nothing, take what is not committed (`git diff HEAD`, and new files), or, if there is \
nothing, what this branch has that the main branch has not.

Read enough of the code around the change to judge it. Look for mistakes that will hurt (wrong results, lost data, \
races, unhandled errors, broken callers), then for what is missing (tests, documentation, a migration), then for \
what could be simpler. For each finding say where it is (file and line), what goes wrong and in which case, and \
what to do instead; the worst first. Do not list matters of taste, and do not praise. If you find nothing, say so, \
and what you looked at. Change no files.";

/// `/security-review`.
pub(super) const SECURITY_REVIEW: &str = "Look for security holes in a change.

What to look at: $ARGUMENTS
If that says nothing, take what this branch has that the main branch has not, and what is not committed.

Follow every input from outside (requests, files, environment, messages, arguments) through the changed code to \
where it does something: commands, queries, paths, templates, deserialisation, network calls, memory. Look at who \
may do what: authentication, permissions, sessions, secrets in code or logs, cryptography, defaults. For each hole \
say where it is (file and line), how it is used by an attacker, step by step, how bad that is (high, medium, low), \
how sure you are, and how to close it. Report only what you could argue for with the code at hand; leave out what \
is merely unusual, and what needs an attacker who has already won. If there is none, say what you looked at. \
Change no files.";

/// `/pr-comments`.
pub(super) const PR_COMMENTS: &str = "Read the comments of a pull request and tell what they ask for.

Which one: $ARGUMENTS (if that says nothing: the pull request of the branch that is checked out, which `gh pr view` \
finds).

Use `gh pr view --json number,title,url,comments,reviews` and \
`gh api repos/{owner}/{repo}/pulls/NUMBER/comments --paginate`. List the comments by file and line, in the order \
of the conversation, with who wrote each, the code that it is about, and whether it was answered or resolved. Then \
say in one list what is still to be done. Change no files. If `gh` is not there or not logged in, say so.";

/// `/release-notes`.
pub(super) const RELEASE_NOTES: &str = "Write release notes for the users of this project.

Since: $ARGUMENTS (if that says nothing: since the newest tag, or since the beginning if there is none).

Read the history (`git log` with the bodies of messages, and diffs where a message does not say what changed for \
users) and the changelog, if there is one: keep to its form. Tell what users can see: what breaks and what they must \
do about it first, then what is new, what changed, what was mended. One line each, in their words; leave out what \
only developers notice. Show the text, and do not write it to a file unless you are asked to.";

/// `/agents`.
pub(super) const AGENTS: &str = "Subagents are Markdown files in .claude/agents/ of the project, and in .claude/agents/ \
    of your home for all projects. Ask the model to write one, or run the subcommand `agents` to list them.";

/// `/login`.
pub(super) const LOGIN: &str = "There is no login here: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway, \
where the agent is started.";

/// `/vim`.
pub(super) const VIM: &str = "Keys belong to the program that shows the conversation: set them there.";

/// What is said of `/exit`.
pub(super) const EXIT: &str = "/exit isn't available in this environment: close stdin to end the session.";
