"""Takes a session through its life with the client that openapi-python-client has generated.

session.py URL TOKEN PROJECT: prints a JSON object a case, with its verdict.
"""

import json
import queue
import sys
import threading
import traceback
import uuid

import httpx
from bridge_client import AuthenticatedClient, Client, models
from bridge_client.api.access import list_devices
from bridge_client.api.bridge import events, get_usage, hello, list_agents, openapi
from bridge_client.api.decisions import answer, approve, reject
from bridge_client.api.history import export_session, get_context, get_history, search
from bridge_client.api.inputs import cancel_queued_input, input_
from bridge_client.api.sessions import (
    delete_session,
    get_session,
    interrupt,
    list_recent_sessions,
    list_sessions,
    rename_session,
    session_events,
    start,
    stop_session,
)
from bridge_client.api.workspace import list_files, read_file

URL, TOKEN, PROJECT = sys.argv[1:4]
WAIT = 60

client = AuthenticatedClient(base_url=URL, token=TOKEN, timeout=httpx.Timeout(WAIT))

# The generated kinds of BridgeMessage, which the module of the stream imports, by the value of their discriminator.
KINDS = {}
for item in vars(events).values():
    kind = getattr(item, "__annotations__", {}).get("type_", "")
    if isinstance(item, type) and str(kind).startswith("Literal["):
        KINDS[str(kind)[len("Literal["):-1].strip("'\"")] = item


def is_a(value, kind):
    assert isinstance(value, kind), f"{value} is not a {kind.__name__}"
    return value


class Events:
    """Server-sent events, each read into its generated type."""

    def __init__(self, request):
        self.arrived = queue.Queue()
        self.response = client.get_httpx_client().stream(**request)
        self.stream = self.response.__enter__()
        assert self.stream.status_code == 200, self.stream.status_code
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.stream.iter_lines():
                if line.startswith("data: "):
                    message = json.loads(line[len("data: "):])
                    self.arrived.put(KINDS[message["type"]].from_dict(message))
        except Exception as problem:  # The waiting side reports it.
            self.arrived.put(problem)

    def until(self, kind, condition=lambda message: True):
        """The next event of a kind; those before it are passed over."""
        while True:
            message = self.arrived.get(timeout=WAIT)
            if isinstance(message, Exception):
                raise message
            if isinstance(message, kind) and condition(message):
                return message


def send(text, **more):
    return is_a(
        input_.sync(session, client=client, body=models.SendInputBody(text=text, **more)), models.InputAck
    )


def greet():
    reply = is_a(hello.sync(client=client), models.Hello)
    assert reply.protocol == 1 and reply.device.scope == "admin", reply
    agents = is_a(list_agents.sync(client=client), models.Agents)
    assert agents.default_agent in [agent.name for agent in agents.agents]


def read_document():
    without_token = Client(base_url=URL)
    document = openapi.sync(client=without_token)
    assert document.additional_properties["openapi"] == "3.1.0", document
    reply = hello.sync(client=without_token)
    assert is_a(reply, models.ErrorReply).code == "unauthorized", reply


def begin():
    body = models.StartBody(project_path=PROJECT, session_id=session, title="From Python", model="scripted")
    done = is_a(start.sync(client=client, body=body), models.Done)
    assert done.session_id == session, done
    listed = is_a(list_sessions.sync(client=client), models.SessionList)
    assert session in [one.session_id for one in listed.sessions]


def talk():
    ack = send("@say hello from the model", client_message_id="first")
    assert ack.client_message_id == "first", ack
    message = stream.until(models.Assistant)
    block = is_a(message.message.content[0], models.TextBlock)
    assert block.text == "hello from the model", block
    result = stream.until(models.TurnResult)
    assert not result.is_error and result.session_id == session, result


def allow():
    send('@tool Bash {"command":"echo allowed > allowed.txt"}\n@say done')
    stream.until(models.PermissionRequestBridgeMessage)
    state = is_a(get_session.sync(session, client=client), models.SessionReply)
    [pending] = state.snapshot.pending
    assert pending.kind == "permission" and pending.tool_name == "Bash", pending
    body = models.ApproveBody(input_hash=pending.input_hash)
    is_a(approve.sync(session, pending.id, client=client, body=body), models.Done)
    assert stream.until(models.PermissionResolved).decision == "allowed"
    assert not stream.until(models.ToolOutput).is_error
    stream.until(models.TurnResult)
    again = approve.sync(session, pending.id, client=client, body=body)
    assert is_a(again, models.ErrorReply).code in ("already_resolved", "permission_not_found"), again


def deny():
    send('@tool Bash {"command":"echo denied > denied.txt"}\n@say done')
    asked = stream.until(models.PermissionRequestBridgeMessage)
    body = models.RejectBody(message="Not now.")
    is_a(reject.sync(session, asked.id, client=client, body=body), models.Done)
    assert stream.until(models.PermissionResolved).decision == "denied"
    stream.until(models.TurnResult)


def answer_question():
    question = {
        "question": "Which colour?",
        "header": "Colour",
        "multiSelect": False,
        "options": [{"label": "red", "description": "Red"}, {"label": "blue", "description": "Blue"}],
    }
    send(f"@tool AskUserQuestion {json.dumps({'questions': [question]})}\n@say thanks")
    asked = stream.until(models.PermissionRequestBridgeMessage)
    assert asked.kind == "question", asked
    answers = models.AnswerQuestionBodyAnswersType0.from_dict({"Which colour?": "blue"})
    body = models.AnswerQuestionBody(answers=answers)
    is_a(answer.sync(session, asked.id, client=client, body=body), models.Done)
    resolved = stream.until(models.PermissionResolved)
    assert resolved.decision == "answered" and resolved.answers["Which colour?"] == "blue", resolved
    stream.until(models.TurnResult)


def stop_turn():
    send("@slow 2000 0.05")
    stream.until(models.TextGrowth)
    queued = send("@say never", client_message_id="queued")
    assert queued.state == "queued", queued
    is_a(cancel_queued_input.sync(session, queued.input_id, client=client), models.Done)
    is_a(interrupt.sync(session, client=client, body=models.InterruptBody()), models.Done)
    assert stream.until(models.TurnResult).interrupted


def read_history():
    page = is_a(get_history.sync(session, client=client, limit=200), models.HistoryPage)
    assert page.last_seq == page.to_seq and not page.more, page
    kinds = {type(message).__name__ for message in page.messages}
    assert "UnknownBridgeMessage" not in kinds, kinds
    wanted = {"SystemNote", "UserInput", "Assistant", "PermissionRequestBridgeMessage", "PermissionResolved",
              "ToolOutput", "TurnResult"}
    assert wanted <= kinds, kinds
    found = is_a(search.sync(client=client, query="hello from the model"), models.SearchResults)
    assert found.query == "hello from the model", found
    document = export_session.sync(session, models.ExportFormatParam.MARKDOWN, client=client)
    assert "hello from the model" in document, document
    is_a(get_context.sync(session, client=client), models.ContextReport)
    is_a(get_usage.sync(client=client, from_="2026-01-01"), models.UsageSummary)


def look_around():
    files = is_a(list_files.sync(client=client, session_id=session, query="allowed"), models.Files)
    assert [file.path for file in files.files] == ["allowed.txt"], files
    file = is_a(read_file.sync(client=client, session_id=session, path="allowed.txt"), models.FileContent)
    assert file.content == "allowed\n" and file.encoding == "text", file
    is_a(list_devices.sync(client=client), models.Devices)


def rename():
    body = models.RenameSessionBody(title="Renamed from Python")
    is_a(rename_session.sync(session, client=client, body=body), models.Done)
    assert stream.until(models.SystemNote, lambda note: note.subtype == "title_changed").title == body.title
    recent = is_a(list_recent_sessions.sync(client=client, query="Renamed from Python"), models.RecentSessions)
    assert [one.session_id for one in recent.sessions] == [session], recent


def end():
    is_a(stop_session.sync(session, client=client), models.Done)
    assert stream.until(models.StatusChange, lambda change: change.status == "stopped")
    refused = get_context.sync_detailed(session, client=client)
    assert refused.status_code == 409 and refused.parsed.code == "agent_not_running", refused
    is_a(delete_session.sync(session, client=client), models.Done)
    assert everything.until(models.SessionDeleted).session_id == session
    gone = get_session.sync_detailed(session, client=client)
    assert gone.status_code == 404 and gone.parsed.code == "session_not_found", gone


session = str(uuid.uuid4())
everything = Events(events._get_kwargs())
stream = None

CASES = [
    ("hello and agents", greet),
    ("the document without a token", read_document),
    ("start and list", begin),
    ("input and events", talk),
    ("allow", allow),
    ("deny", deny),
    ("answer a question", answer_question),
    ("queue, cancel, interrupt", stop_turn),
    ("history, search, export", read_history),
    ("files", look_around),
    ("rename", rename),
    ("stop and delete", end),
]

for name, case in CASES:
    try:
        case()
        if case is begin:
            stream = Events(session_events._get_kwargs(session, since_seq=0))
        verdict, note = "passed", ""
    except Exception:
        verdict, note = "failed", traceback.format_exc(limit=-2)
    print(json.dumps({"case": name, "verdict": verdict, "note": note}), flush=True)
