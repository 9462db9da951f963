"""Runs the examples that the Python SDK's source package ships, with two agents, and compares what they print.

    python examples.py SOURCE SCRIPT AQUEDUCT REFERENCE AGENT [NAME...]

The scripted model answers their prompts from SCRIPT. Prints a JSON list a line: for each example a verdict for either
agent. An example passes with the reference if it ends as it should, and with the agent if it also prints the same.
"""

import ast
import contextlib
import difflib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE, SCRIPT, AQUEDUCT, *AGENTS = map(Path, sys.argv[1:6])
TIME_LIMIT = 240

# Without an argument these only list their parts.
ARGUMENTS = {name: ["all"] for name in ("hooks", "setting_sources", "streaming_mode")}

# The SDK raises an error after a result that has one, and this example does not expect it.
RAISES = {"max_budget_usd"}

# They wait most of the time, so they run beside the others.
SLOW = {"streaming_mode", "streaming_mode_ipython"}

# What examples look for in the project, which is in the SDK's repository and not in its package.
PROJECT_FILES = {
    ".claude/agents/test-agent.md": "---\nname: test-agent\ndescription: Tests\n---\nYou test.\n",
    ".claude/commands/commit.md": "---\ndescription: Commits\n---\nCommit all changes.\n",
}

# What is different in every run.
NAMES = [
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"),
    (r"\b(toolu|msg)_\d+", r"\1_N"),
    (r"^\d{4}-\d\d-\d\d [\d:,]+", "TIME"),
    (r"Duration: \d+ms", "Duration: N"),
    # How far a slow answer came before it was interrupted.
    (r"(w\d+ )+", "w… "),
    # Prompts that come at once may be answered one by one or together.
    (r"(Claude: As you wish\.\nResult ended\n)+", "Claude: As you wish.\nResult ended\n"),
]

# What is different by nature. docs/conformance.md has the reasons.
MEANT = [
    # Each program brings its own tools, commands, agents, styles and plugins.
    (r"(Agents loaded|Available slash commands): \[.*\]", r"\1: […]"),
    (r"Tools from system message \(\d+ tools\): \[.*\]", "Tools from system message: […]"),
    (r"(Available commands|Available output styles): .*", r"\1: …"),
    (r"(    • .*\n)+", "    • …\n"),
    (r"  - \S+ \(path: builtin\)\n", ""),
    # Suggestions are narrower.
    (r"   Suggestions: .*\n", ""),
    # An estimate, as often as the clock allows.
    (r"SystemMessage\(subtype='thinking_tokens'.*\n", ""),
]

# Members that report features of the reference.
ONLY_THERE = re.compile(
    "terminal_slash_commands|memory_paths|messaging_socket_path|fast_mode_disabled_reason|per_turn_effort_active"
    "|ultrathink_.*|view_mode"
)

# Members whose values are the program's or the time's own: they need only be there.
OWN_VALUES = re.compile(
    "tools|slash_commands|agents|skills|plugins|capabilities|claude_code_version|duration_ms|duration_api_ms"
)


def plain(node):
    """What Python prints of an object, with its members in a fixed order."""
    if isinstance(node, ast.Call):
        members = {member.arg: member.value for member in node.keywords}
        return {ast.unparse(node.func): named(members)}
    if isinstance(node, ast.Dict):
        return named({key.value: value for key, value in zip(node.keys, node.values)})
    if isinstance(node, ast.List):
        return [plain(item) for item in node.elts]
    value = ast.literal_eval(node)
    return round(value, 9) if isinstance(value, float) else value


def named(members):
    kept = {name: value for name, value in sorted(members.items()) if not ONLY_THERE.fullmatch(name)}
    return {name: "…" if OWN_VALUES.fullmatch(name) else plain(value) for name, value in kept.items()}


def settled(line):
    """A line in which the order of members and of names does not matter."""
    before, brings_list, names = line.partition(": [")
    with contextlib.suppress(SyntaxError, ValueError):
        if re.match(r"[A-Z]\w+\(\w+=", line):
            return json.dumps(plain(ast.parse(line, mode="eval").body), ensure_ascii=False)
        if brings_list and line.endswith("]"):
            names = [name for name in ast.literal_eval("[" + names) if not ONLY_THERE.fullmatch(name)]
            return f"{before}: {sorted(names)}"
    return line


def masked(text, places):
    for place, name in places.items():
        text = text.replace(str(place), name)
    for pattern, name in NAMES + MEANT:
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return [settled(line) for line in text.splitlines()]


def command(name, folder):
    """How an example is run. One is a collection of cells for IPython, which runs files of this ending as a cell."""
    file = folder / "project" / "examples" / f"{name}.py"
    if name != "streaming_mode_ipython":
        return [sys.executable, file, *ARGUMENTS.get(name, [])]
    cells = shutil.copy(file, folder / f"{name}.ipy")
    return [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", cells]


def run(name, agent, url):
    """Runs an example with an agent as `claude`: its exit code, what it printed, and what it said on stderr."""
    with tempfile.TemporaryDirectory(prefix="aqueduct-example-") as folder:
        folder = Path(folder).resolve()
        home, project, programs = folder / "home", folder / "project", folder / "bin"
        shutil.copytree(SOURCE, project)
        for path, text in PROJECT_FILES.items():
            file = project / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        home.mkdir()
        programs.mkdir()
        (programs / "claude").symlink_to(agent)
        environment = os.environ | {
            "ANTHROPIC_BASE_URL": url,
            "HOME": str(home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            # The package's sources bring no CLI, which would be started in place of ours.
            "PYTHONPATH": str(project / "src"),
            "PYTHONHASHSEED": "0",
            "PYTHONIOENCODING": "utf-8",
        }
        process = subprocess.Popen(
            command(name, folder), cwd=project, env=environment, start_new_session=True, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        try:
            # One asks its user for a permission.
            printed, said = process.communicate("y\n", timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, said = process.communicate()
            said += f"It did not end within {TIME_LIMIT} seconds.\n"
        places = {project: "PROJECT", home: "HOME", folder: "FOLDER"}
        return process.returncode, masked(printed, places), masked(said, places)


def fault(name, outcome):
    """What is wrong with how an example ended."""
    code, printed, said = outcome
    wanted = 1 if name in RAISES else 0
    tail = "\n".join(shortened((printed + said)[-20:]))
    if code != wanted:
        return f"it ended with {code}, not {wanted}\n{tail}"
    if not wanted and any("Traceback" in line for line in printed + said):
        return f"it shows a traceback\n{tail}"
    return None


def difference(reference, agent):
    """What differs between two outcomes."""
    for what, there, here in zip(("stdout", "stderr"), reference[1:], agent[1:]):
        if there != here:
            lines = difflib.unified_diff(there, here, "reference", "agent", lineterm="", n=1)
            return f"{what} differs\n" + "\n".join(shortened(list(lines)[:40]))
    return None


def shortened(lines):
    return [f"    {line[:400]}" for line in lines]


def verdicts(name, reference, agent):
    wrong = fault(name, reference), fault(name, agent) or difference(reference, agent)
    reported = [{"verdict": "failed" if note else "passed", "note": note or ""} for note in wrong]
    return [{"case": f"example {name}.py", **verdict} for verdict in reported]


@contextlib.contextmanager
def model():
    """The address of a scripted model."""
    serve = [AQUEDUCT, "scripted-api", "--listen", "127.0.0.1:0", "--json", "--script", SCRIPT]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield json.loads(server.stdout.readline())["url"]
        finally:
            server.terminate()


def main():
    wanted = sys.argv[6:]
    names = sorted(file.stem for file in (SOURCE / "examples").glob("*.py"))
    names = [name for name in names if not wanted or any(word in f"example {name}.py" for word in wanted)]
    with model() as url, ThreadPoolExecutor(2 * len(SLOW)) as slow, ThreadPoolExecutor(2) as quick:
        runs = {
            name: [(slow if name in SLOW else quick).submit(run, name, agent, url) for agent in AGENTS] for name in names
        }
        for name, outcomes in runs.items():
            reported = verdicts(name, *(outcome.result() for outcome in outcomes))
            print(json.dumps(reported), flush=True)


main()
