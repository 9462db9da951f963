import { describe, expect, it } from "vitest";
import { Drafts } from "../src/store/drafts.ts";
import { applyLooks, defaults, keptPreferences } from "../src/store/preferences.ts";
import { address, parseRoute, type Route } from "../src/store/route.ts";
import { commandOffers, completed, fileOffers, wanted } from "../src/view/composer/completion.ts";
import { answerOf, questionsOf } from "../src/view/decision/question.tsx";
import { changes } from "../src/view/tool/change.tsx";
import { Layout } from "../src/view/log/layout.ts";
import { source } from "../src/view/part/picture.tsx";
import { Memory } from "./world.ts";

describe("places", () => {
  const routes: Route[] = [
    { page: "home" },
    { page: "new", folder: "/proj/a b" },
    { page: "session", id: "S", seq: 7 },
    { page: "session", id: "S" },
    { page: "diff", id: "S", path: "src/ä&b.rs" },
    { page: "file", id: "S", path: "src/a#b?.rs", line: 3 },
    { page: "search", query: '"a b" c*' },
    { page: "usage" },
    { page: "devices" },
    { page: "settings" },
    { page: "pair", code: "K7QF-M2XP" },
  ];

  it("have addresses that lead back to them", () => {
    for (const route of routes) expect(parseRoute(address(route))).toEqual(route);
  });

  it("that are none lead home", () => {
    for (const odd of ["", "#", "#/s", "#/nowhere", "#/%E0%A4%A"]) expect(parseRoute(odd)).toEqual({ page: "home" });
  });
});

describe("completion", () => {
  it("is wanted for a command at the beginning and for files anywhere", () => {
    expect(wanted("/co", 3)).toEqual({ kind: "command", query: "co", from: 0, to: 3 });
    expect(wanted("see /co", 7)).toBeUndefined();
    expect(wanted("/usr/bin", 8)).toBeUndefined();
    expect(wanted("see @src/lo now", 11)).toEqual({ kind: "file", query: "src/lo", from: 4, to: 11 });
    expect(wanted("a@b", 3)).toBeUndefined();
  });

  it("puts the choice in place", () => {
    expect(completed("see @lo now", { kind: "file", query: "lo", from: 4, to: 7 }, { label: "", insert: "@src/login.rs" })).toEqual({ text: "see @src/login.rs now", caret: 17 });
    expect(completed("@s", { kind: "file", query: "s", from: 0, to: 2 }, { label: "", insert: "@src/" })).toEqual({ text: "@src/", caret: 5 });
  });

  it("offers what begins alike first", () => {
    const commands = [{ name: "review" }, { name: "preview" }, { name: "compact", argumentHint: "[what]" }];
    expect(commandOffers(commands, "rev").map((offer) => offer.insert)).toEqual(["/review", "/preview"]);
    expect(commandOffers(commands, "comp")[0]?.label).toBe("/compact [what]");
    expect(fileOffers([{ path: "src", directory: true }, { path: "a b.rs" }]).map((offer) => offer.insert)).toEqual(["@src/", '@"a b.rs"']);
  });
});

describe("questions", () => {
  it("are read as far as they can be", () => {
    expect(questionsOf({ questions: [{ question: "Q?", options: [{ label: "a" }, { nope: 1 }] }, { odd: true }, null] })).toEqual([{ question: "Q?", options: [{ label: "a" }] }]);
    expect(questionsOf("nonsense")).toEqual([]);
  });

  it("are answered with labels, own words, or both", () => {
    expect(answerOf({ labels: ["lint", "test"] })).toBe("lint, test");
    expect(answerOf({ labels: [], other: " mine " })).toBe("mine");
    expect(answerOf({ labels: ["a"], other: "b" })).toBe("a, b");
    expect(answerOf({ labels: [], other: " " })).toBe("");
  });
});

describe("changes to files", () => {
  it("come from the result, else from the input", () => {
    const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];
    expect(changes({ old_string: "x", new_string: "y" }, { structuredPatch: patch })).toEqual(patch);
    expect(changes({ old_string: "x", new_string: "y" })[0]?.lines).toEqual(["-x", "+y"]);
    expect(changes({ content: "a\nb" })[0]?.lines).toEqual(["+a", "+b"]);
    expect(changes({ edits: [{ old_string: "a", new_string: "b" }, { old_string: "c", new_string: "d" }] })).toHaveLength(2);
    expect(changes({ old_string: "x", new_string: "y" }, { structuredPatch: [{ lines: [1] }] })[0]?.lines).toEqual(["-x", "+y"]);
  });
});

describe("images", () => {
  it("come from this bridge or from the message, and nowhere else", () => {
    expect(source({ mediaType: "image/png", data: "AAAA" })).toBe("data:image/png;base64,AAAA");
    expect(source({ mediaType: "image/png", url: "/api/v1/x" })).toBe("/api/v1/x");
    for (const url of ["https://evil.example/x.png", "//evil.example/x.png", "javascript:alert(1)"]) expect(source({ mediaType: "image/png", url })).toBeUndefined();
    expect(source({ mediaType: "text/html", data: "AAAA" })).toBeUndefined();
  });
});

describe("the layout of a long list", () => {
  const keys = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${at}`);

  it("finds rows by their place", () => {
    const layout = new Layout();
    layout.rows(keys(100_000));
    for (let at = 0; at < 50; at++) layout.measure(`k${at}`, 10);
    expect(layout.top(50)).toBe(500);
    expect(layout.at(0)).toBe(0);
    expect(layout.at(499)).toBe(49);
    expect(layout.between(95, 205)).toEqual({ from: 9, to: 21 });
  });

  it("keeps heights when rows are added in front", () => {
    const layout = new Layout();
    layout.rows(["b", "c"]);
    layout.measure("b", 10);
    layout.measure("c", 20);
    layout.rows(["a", "b", "c"]);
    layout.measure("a", 5);
    expect([layout.top(1), layout.top(2), layout.total]).toEqual([5, 15, 35]);
  });

  it("returns whether a height is new", () => {
    const layout = new Layout();
    layout.rows(["a"]);
    expect(layout.measure("a", 10)).toBe(true);
    expect(layout.measure("a", 10)).toBe(false);
    expect(layout.measure("a", 0)).toBe(false);
  });

  it("has no rows at first, and again later", () => {
    const layout = new Layout();
    layout.rows([]);
    expect(layout.between(0, 100)).toEqual({ from: 0, to: 0 });
    layout.rows(["a"]);
    layout.rows([]);
    expect(layout.total).toBe(0);
  });
});

describe("what this device keeps", () => {
  it("drafts by session, and what was sent", () => {
    const drafts = new Drafts(new Memory());
    drafts.set("S", "half a th");
    expect([drafts.get("S"), drafts.get("T")]).toEqual(["half a th", ""]);
    drafts.set("S", "");
    expect(drafts.get("S")).toBe("");
    for (const text of ["a", "b", "a", " "]) drafts.remember(text);
    expect(drafts.sent()).toEqual(["a", "b"]);
  });

  it("preferences, with what is new at its default", () => {
    const memory = new Memory();
    memory.setItem("aqueduct.preferences", '{"theme":"dark"}');
    const preferences = keptPreferences(memory, true);
    expect(preferences.value).toEqual({ ...defaults(true), theme: "dark" });
    preferences.value = { ...preferences.value, textSize: 130 };
    expect(keptPreferences(memory, true).value.textSize).toBe(130);
    const root = document.createElement("html");
    applyLooks(preferences.value, root);
    expect(root.dataset).toMatchObject({ theme: "dark", size: "130" });
  });
});
