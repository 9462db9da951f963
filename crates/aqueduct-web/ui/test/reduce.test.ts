import { describe, expect, it } from "vitest";
import type { BridgeMessage } from "aqueduct-client";
import type { CallItem, Item } from "../src/conversation/item.ts";
import { HELD_MESSAGES, reduce, trim } from "../src/conversation/reduce.ts";
import { rows } from "../src/conversation/rows.ts";
import { MAIN, newConversation, type Conversation } from "../src/conversation/state.ts";
import { Conversations } from "../src/store/conversations.ts";
import { session, seeded, SESSION, Story } from "./build.ts";

function play(messages: readonly BridgeMessage[], from = newConversation(SESSION)): Conversation {
  return messages.reduce((state, message) => reduce(state, message, 0), from);
}

function main(state: Conversation): readonly Item[] {
  return state.fold.threads.get(MAIN) ?? [];
}

function call(state: Conversation, id: string): CallItem {
  const place = state.fold.calls.get(id)!;
  return state.fold.threads.get(place.thread)![place.index] as CallItem;
}

function subscribed(lastSeq: number, more: Record<string, unknown> = {}): BridgeMessage {
  return {
    type: "subscribed",
    sessionId: SESSION,
    snapshot: { session: session(SESSION), lastSeq, pending: [], queue: [], ...more },
  } as BridgeMessage;
}

function delta(messages: readonly BridgeMessage[], more: Record<string, unknown> = {}): BridgeMessage {
  const seqs = messages.map((message) => (message as { seq: number }).seq);
  return { type: "history_delta", sessionId: SESSION, messages, fromSeq: seqs[0], toSeq: seqs.at(-1), more: false, ...more } as unknown as BridgeMessage;
}

describe("stored messages", () => {
  it("become items in their order", () => {
    const story = new Story().system("session_created").user("Hi").text("m1", 0, "Hello").turn();
    expect(main(play(story.reported)).map((item) => item.kind)).toEqual(["note", "user", "text", "turn"]);
  });

  it("join a call with its result and its decision", () => {
    const story = new Story().call("t1", "Bash", { command: "ls" }).ask("p1", "t1").decide("p1", "t1").result("t1", "a b");
    const state = play(story.reported);
    expect(main(state)).toHaveLength(1);
    expect(call(state, "t1")).toMatchObject({ name: "Bash", input: { command: "ls" }, result: { content: "a b" }, decision: { decision: "allowed" } });
    expect(state.pending).toEqual([]);
  });

  it("are taken once, whatever comes twice", () => {
    const story = new Story().user("Hi").text("m1", 0, "Hello");
    const once = play(story.reported);
    expect(play([...story.reported, ...story.reported], undefined)).toEqual(once);
    expect(reduce(once, delta(story.reported), 0).stored).toHaveLength(2);
  });

  it("are not taken past a gap", () => {
    const story = new Story().user("1").user("2").user("3");
    const state = play([story.reported[0]!, story.reported[2]!]);
    expect(state).toMatchObject({ lastSeq: 1, gap: true });
    const again = play([subscribed(3), delta(story.reported.slice(1))], state);
    expect(again).toMatchObject({ lastSeq: 3, gap: false, ready: true });
  });

  it("of other sessions change nothing", () => {
    const state = newConversation(SESSION);
    expect(play(new Story("another").user("Hi").reported, state)).toBe(state);
  });

  it("of unknown kinds are shown as they came", () => {
    const state = play(new Story().store({ type: "hologram", depth: 3 }).reported);
    expect(main(state)).toMatchObject([{ kind: "event", event: { type: "hologram", depth: 3 } }]);
  });

  it("keep unknown blocks", () => {
    const state = play(new Story().answer("m1", 0, { type: "hologram" } as never).reported);
    expect(main(state)).toMatchObject([{ kind: "block", block: { type: "hologram" } }]);
  });

  it("put a subagent's words into its own thread", () => {
    const story = new Story()
      .call("t1", "Task", { prompt: "Look" })
      .text("m2", 0, "Looking", { parentToolUseId: "t1" })
      .call("t2", "Grep", { pattern: "x" }, { parentToolUseId: "t1" })
      .result("t2", "found", { parentToolUseId: "t1" })
      .result("t1", "done");
    const state = play(story.reported);
    expect(main(state)).toHaveLength(1);
    expect(state.fold.threads.get("t1")?.map((item) => item.kind)).toEqual(["text", "call"]);
    expect(call(state, "t2").result?.content).toBe("found");
  });

  it("replace what they supersede", () => {
    const story = new Story().text("m1", 0, "Old", { uuid: "u1" }).call("t1", "Bash", {}).text("m2", 0, "New", { uuid: "u2", supersedes: ["u1"] }).result("t1", "ok");
    const state = play(story.reported);
    expect(main(state).map((item) => (item.kind === "text" ? item.text : item.kind))).toEqual(["call", "New"]);
    expect(call(state, "t1").result?.content).toBe("ok");
  });

  it("mark calls that will never have a result", () => {
    for (const end of [new Story().call("t1", "Bash", {}).turn({ isError: true }), new Story().call("t1", "Bash", {}).system("agent_exited")]) {
      expect(call(play(end.reported), "t1").abandoned).toBe(true);
    }
    const whole = play(new Story().call("t1", "Bash", {}).result("t1", "ok").turn().reported);
    expect(call(whole, "t1").abandoned).toBeUndefined();
  });

  it("leave out the agent's notes on a stop, and no message of a user", () => {
    const said = "[Request interrupted by user]";
    expect(rows(play(new Story().user(said, { source: "agent" }).reported))).toEqual([]);
    expect(rows(play(new Story().user(said).reported))).toHaveLength(1);
  });

  it("show an error once where the answer before reported it", () => {
    const failed = (said: string): Item | undefined => main(play(new Story().text("m1", 0, said, { error: "invalid_request" }).turn({ isError: true, error: "API Error: 400" }).reported)).at(-1);
    expect(failed("API Error: 400")).toMatchObject({ kind: "turn", reported: true });
    expect(failed("Something else")).not.toHaveProperty("reported");
  });

  it("show a result whose call is further back", () => {
    expect(main(play(new Story().result("t0", "late", { toolName: "Read" }).reported))).toMatchObject([{ kind: "call", id: "t0", name: "Read" }]);
  });

  it("keep keys of answers apart, also when ids come again", () => {
    const story = new Story().user("1").text("msg_0001", 0, "a").turn().user("2").text("msg_0001", 0, "b").turn();
    const keys = main(play(story.reported)).map((item) => item.key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("things to do", () => {
  it("follow the tool that writes the whole list", () => {
    const list = [{ content: "a", status: "completed", activeForm: "A" }, { content: "b", status: "in_progress", activeForm: "B" }];
    const state = play(new Story().call("t1", "TodoWrite", { todos: list }).reported);
    expect(state.fold.todos).toMatchObject([{ text: "a", status: "completed" }, { text: "b", active: "B" }]);
  });

  it("follow the tools that change single tasks", () => {
    const story = new Story()
      .call("t1", "TaskCreate", { subject: "a" })
      .result("t1", "", { structured: { task: { id: "1" } } })
      .call("t2", "TaskCreate", { subject: "b" })
      .result("t2", "", { structured: { task: { id: "2" } } })
      .call("t3", "TaskUpdate", { taskId: "1", status: "completed" })
      .result("t3", "")
      .call("t4", "TaskUpdate", { taskId: "2", status: "deleted" })
      .result("t4", "");
    expect(play(story.reported).fold.todos).toMatchObject([{ id: "1", text: "a", status: "completed" }]);
  });

  it("are not those of subagents", () => {
    const state = play(new Story().call("t0", "Task", {}).call("t1", "TodoWrite", { todos: [{ content: "x" }] }, { parentToolUseId: "t0" }).reported);
    expect(state.fold.todos).toEqual([]);
  });
});

describe("tasks", () => {
  const started = { type: "system", subtype: "task_started", task_id: "k1", tool_use_id: "t1", description: "Explore" };
  it("belong to the call that started them", () => {
    const story = new Story()
      .call("t1", "Task", {})
      .event(started)
      .event({ type: "system", subtype: "task_updated", task_id: "k1", patch: { status: "paused" } })
      .event({ type: "system", subtype: "task_notification", task_id: "k1", status: "completed", summary: "Found it" });
    const state = play(story.reported);
    expect(state.fold.tasks.get("t1")).toMatchObject({ description: "Explore", status: "completed", summary: "Found it" });
    expect(main(state)).toHaveLength(1);
  });

  it("show their progress", () => {
    const story = new Story().call("t1", "Task", {}).event(started).live({ type: "agent_progress", event: { type: "system", subtype: "task_progress", task_id: "k1", tool_use_id: "t1", last_tool_name: "Grep" } });
    expect(play(story.reported).taskProgress.get("t1")?.lastTool).toBe("Grep");
  });

  it("that were started elsewhere are shown as events", () => {
    expect(main(play(new Story().event({ type: "system", subtype: "task_updated", task_id: "?" }).reported))).toMatchObject([{ kind: "event" }]);
  });
});

describe("answers as they are written", () => {
  it("grow, and are replaced by the complete block under the same key", () => {
    const story = new Story().user("Hi").delta("m1", 0, "Hel").delta("m1", 0, "lo");
    const growing = play(story.reported);
    const [live] = rows(growing).slice(-1);
    expect(live).toMatchObject({ kind: "text", text: "Hello", live: true });
    const done = play(story.text("m1", 0, "Hello.").reported);
    expect(done.live).toEqual([]);
    expect(rows(done).at(-1)).toMatchObject({ kind: "text", text: "Hello.", live: false, key: live!.key });
  });

  it("have blocks of all kinds, in their order", () => {
    const story = new Story()
      .delta("m1", 1, "text")
      .live({ type: "thinking_delta", messageId: "m1", index: 0, text: "hm" })
      .live({ type: "tool_input_delta", messageId: "m1", index: 2, text: '{"a', toolUseId: "t1", toolName: "Bash" });
    expect(rows(play(story.reported)).map((item) => item.kind)).toEqual(["thinking", "text", "call"]);
  });

  it("of subagents are in their threads", () => {
    const state = play(new Story().call("t1", "Task", {}).delta("m2", 0, "sub", { parentToolUseId: "t1" }).reported);
    expect(rows(state, "t1")).toMatchObject([{ kind: "text", text: "sub" }]);
    expect(rows(state)).toHaveLength(1);
  });

  it("lose only the blocks that came complete", () => {
    const state = play(new Story().delta("m1", 0, "a").delta("m1", 1, "b").text("m1", 0, "a").reported);
    expect(state.live).toMatchObject([{ blocks: [{ index: 1, text: "b" }] }]);
  });

  it("are whole again with a partial", () => {
    const story = new Story().delta("m1", 0, "lo").live({ type: "partial", messageId: "m1", blocks: [{ index: 0, kind: "text", text: "Hello" }] }).delta("m1", 0, " you");
    expect(rows(play(story.reported))).toMatchObject([{ text: "Hello you" }]);
  });

  it("are dropped where they never became complete", () => {
    for (const end of ["result", "interrupted", "agent_exited"]) {
      const story = new Story().delta("m1", 0, "half");
      if (end === "result") story.turn({ isError: true });
      else story.system(end);
      expect(play(story.reported).live, end).toEqual([]);
    }
  });

  it("are forgotten when the session is subscribed to again", () => {
    const story = new Story().user("Hi").delta("m1", 0, "half");
    expect(play([...story.reported, subscribed(1)]).live).toEqual([]);
  });
});

describe("what is live beside answers", () => {
  it("the queue, and inputs that leave it", () => {
    const story = new Story().live({ type: "queue", inputs: [{ id: "i-0", text: "next", time: 0 }] });
    expect(play(story.reported).queue).toHaveLength(1);
    expect(play(story.user("next").reported).queue).toEqual([]);
  });

  it("retries, until something comes", () => {
    const story = new Story().live({ type: "retry", attempt: 2 });
    expect(play(story.reported).retry?.attempt).toBe(2);
    expect(play([...story.reported, ...new Story().delta("m1", 0, "x").reported]).retry).toBeUndefined();
    expect(play([...story.reported, { type: "status", status: "idle", since: 0, sessionId: SESSION }]).retry).toBeUndefined();
  });

  it("decisions: open ones from the snapshot, each until it is made", () => {
    const request = { id: "p1", toolUseId: "t1", toolName: "Bash", input: {}, kind: "permission", inputHash: "0", sessionId: SESSION, seq: 2, time: 0 };
    const state = play([subscribed(2, { pending: [request] })]);
    expect(state.pending).toHaveLength(1);
    const story = new Story().call("t1", "Bash", {}).ask("p1", "t1");
    expect(play([delta(story.reported)], state).pending).toHaveLength(1);
    expect(play([delta(story.reported), ...new Story().user("x").user("x").decide("p1", "t1").reported.slice(2)], state).pending).toEqual([]);
  });

  it("decisions about sending a message again, apart from other loose ones", () => {
    const story = new Story().user("Deploy").ask("p1", "p1", { kind: "resend" }).decide("p1", "p1", "denied").ask("p2", "p2", { kind: "budget" }).decide("p2", "p2");
    const decisions = play(story.reported).fold.threads.get("")!.filter((item) => item.kind === "decision");
    expect(decisions.map((item) => item.resend)).toEqual([true, undefined]);
  });

  it("how long tools run, and the budget", () => {
    const story = new Story().live({ type: "agent_progress", event: { type: "tool_progress", tool_use_id: "t1", elapsed_time_seconds: 12 } }).live({ type: "budget", spentUsd: 1, state: "near" });
    const state = play(story.reported);
    expect(state.progress.get("t1")?.seconds).toBe(12);
    expect(state.budget?.state).toBe("near");
  });
});

describe("pages of history", () => {
  const story = new Story();
  for (let at = 0; at < 30; at++) story.user(`q${at}`).call(`t${at}`, "Read", {}).result(`t${at}`, `r${at}`);
  const all = story.stored as BridgeMessage[];
  const whole = play(all);

  it("in front of what is held give the same as all at once", () => {
    const page = (from: number, to: number): BridgeMessage => ({ type: "history", sessionId: SESSION, messages: all.slice(from, to), more: from > 0, lastSeq: 90 }) as unknown as BridgeMessage;
    const state = play([subscribed(90), delta(all.slice(40), { cut: true }), page(17, 40), page(0, 17)]);
    expect(state.fold).toEqual(whole.fold);
    expect(state.firstSeq).toBe(1);
  });

  it("that do not connect are left alone", () => {
    const state = play([delta(all.slice(40), { cut: true })]);
    const odd = reduce(state, { type: "history", sessionId: SESSION, messages: all.slice(0, 10), more: false, lastSeq: 90 } as unknown as BridgeMessage, 0);
    expect(odd).toBe(state);
  });

  it("begin a conversation of which nothing is held", () => {
    const state = play([{ type: "history", sessionId: SESSION, messages: all, more: false, lastSeq: 90 } as unknown as BridgeMessage]);
    expect(state).toMatchObject({ ready: true, lastSeq: 90 });
  });

  it("after a long absence replace what is held", () => {
    const state = play([...all.slice(0, 10), subscribed(90), delta(all.slice(60), { cut: true })]);
    expect(state).toMatchObject({ firstSeq: 61, lastSeq: 90, gap: false });
  });

  it("are dropped at the far end when there are too many, and nowhere else", () => {
    const short = trim(whole, 20);
    expect(short.stored).toHaveLength(20);
    expect(short.fold).toEqual(play([delta(all.slice(70), { cut: true })]).fold);
    expect(trim(whole, 80)).toBe(whole);
  });

  it("by the tens of thousands cost what is held of them, and no more", () => {
    const count = 50_000;
    const story = new Story();
    for (let round = 0; round < count / 4; round++) story.user("go").call(`t${round}`, "Read", { file_path: "/proj/a" }).result(`t${round}`, "x").turn();
    const held = new Conversations(() => true, () => 0);
    held.watch(SESSION);
    const { stored: reported } = story;
    for (let at = 0; at < count; at += 200) held.heard(delta(reported.slice(at, at + 200)));
    const { stored, lastSeq, fold } = held.get(SESSION).value;
    expect(lastSeq).toBe(count);
    expect(stored.length).toBeLessThanOrEqual(HELD_MESSAGES * 1.5);
    expect([...fold.threads.values()].flat().length).toBeLessThanOrEqual(stored.length);
    expect(fold.calls.size).toBeLessThanOrEqual(stored.length);
  });

  it("of another store are not mixed with what is held", () => {
    expect(play([subscribed(3)], whole)).toMatchObject({ lastSeq: 0, ready: false });
  });
});

/**
 * However the bridge's words are cut into history, partial and live, the state is the same in the end: that is what
 * reconnecting relies on.
 */
describe("any split of a stream", () => {
  for (let seed = 1; seed <= 60; seed++) {
    it(`gives the same state (seed ${seed})`, () => {
      const random = seeded(seed);
      const story = randomStory(random);
      const straight = play([subscribed(0), ...story.reported]);
      expect(comparable(broken(story, random))).toEqual(comparable(straight));
    });
  }
});

function comparable(state: Conversation): object {
  const { fold, live, pending, queue, lastSeq, firstSeq } = state;
  const text = live.map((answer) => ({ ...answer, blocks: answer.blocks.map(({ index, kind, text: body }) => ({ index, kind, text: body })) }));
  return { fold, pending, queue, lastSeq, firstSeq, live: text.sort((a, b) => (a.messageId < b.messageId ? -1 : 1)) };
}

/** A conversation with several answers and subagents at once, reported in random order. */
function randomStory(random: () => number): Story {
  const story = new Story();
  const open: Array<{ thread?: string; id: string; index: number; text: string }> = [];
  let id = 0;
  for (let step = 0; step < 60; step++) {
    const at = Math.floor(random() * open.length);
    const growing = open[at];
    const kind = random();
    if (kind < 0.15) story.user(`say ${step}`);
    else if (kind < 0.3) open.push({ id: `msg_${++id}`, index: 0, text: "", thread: random() < 0.3 ? "t0" : undefined });
    else if (kind < 0.4) story.call(`t${++id}`, "Bash", { n: step }).result(`t${id}`, "ok");
    else if (kind < 0.45) story.ask(`p${++id}`, `t${id}`);
    else if (kind < 0.48) {
      story.turn();
      open.length = 0;
    } else if (growing && kind < 0.85) {
      growing.text += `w${step} `;
      story.delta(growing.id, growing.index, `w${step} `, growing.thread ? { parentToolUseId: growing.thread } : {});
    } else if (growing && growing.text !== "") {
      story.text(growing.id, growing.index, growing.text, growing.thread ? { parentToolUseId: growing.thread } : {});
      growing.index += 1;
      growing.text = "";
    }
  }
  return story;
}

/** The same story over a connection that breaks now and then. */
function broken(story: Story, random: () => number): Conversation {
  let state = play([subscribed(0)]);
  let at = 0;
  while (at < story.reported.length) {
    const until = Math.min(story.reported.length, at + 1 + Math.floor(random() * 20));
    // Received up to some point, then the connection breaks; the rest is missed.
    const heard = at + Math.floor(random() * (until - at + 1));
    state = play(story.reported.slice(at, heard), state);
    state = catchUp(state, story.reported.slice(0, until), random);
    at = until;
  }
  return state;
}

/** What the bridge sends a client that reconnects: what it missed, in any number of parts, and what grows. */
function catchUp(state: Conversation, reported: readonly BridgeMessage[], random: () => number): Conversation {
  const now = play([subscribed(0), ...reported]);
  const missed = reported.filter((message) => "seq" in message && (message as { seq: number }).seq > state.lastSeq);
  let next = reduce(state, subscribed(now.lastSeq, { pending: now.pending, queue: now.queue }), 0);
  for (let at = 0; at < missed.length; ) {
    const size = 1 + Math.floor(random() * 5);
    next = reduce(next, delta(missed.slice(at, at + size), { more: at + size < missed.length }), 0);
    at += size;
  }
  for (const answer of now.live) {
    next = reduce(next, { type: "partial", sessionId: SESSION, messageId: answer.messageId, blocks: [...answer.blocks], ...(answer.thread === MAIN ? {} : { parentToolUseId: answer.thread }) } as unknown as BridgeMessage, 0);
  }
  return next;
}
