import { describe, expect, it } from "vitest";
import { ansi, plain } from "../src/text/ansi.ts";
import { counts, diff } from "../src/text/diff.ts";
import { ago, baseName, compact, dollars, firstLine, relative, span } from "../src/text/format.ts";
import { hasHidden, orderly, pieces } from "../src/text/reveal.ts";
import { seeded } from "./build.ts";

const shown = (text: string): string => pieces(text).map((piece) => (piece.hidden ? `<${piece.text}>` : piece.text)).join("");

describe("characters that hide", () => {
  it("are named", () => {
    expect(shown("ls \u202e# elif\u202c; rm -rf\u00a0~\u200b\u001b[2K\r")).toBe("ls <U+202E># elif<U+202C>; rm -rf<NBSP>~<U+200B><ESC>[2K<CR>");
    expect(shown("a\u{e0041}b\ufe0fc\u2028d\ue000")).toBe("a<U+E0041>b<U+FE0F>c<U+2028>d<U+E000>");
    expect(shown("\ud800")).toBe("<U+D800>");
  });

  it("are none in ordinary text", () => {
    const text = "echo 'Grüße, 世界 😀'\n\tdone";
    expect(shown(text)).toBe(text);
    expect(hasHidden(text)).toBe(false);
    expect(shown("")).toBe("");
  });

  it("are found every time one looks", () => {
    const text = "a\u202eb";
    for (let time = 0; time < 3; time++) {
      expect(hasHidden(text)).toBe(true);
      expect(hasHidden({ edits: [{ new_string: text }] })).toBe(true);
      expect(shown(text)).toBe("a<U+202E>b");
    }
  });

  it("reorder no prose; joiners in words and faces stay", () => {
    expect(orderly("a\u202eb")).toBe("a⟨U+202E⟩b");
    expect(orderly("👩\u200d💻 می\u200cخواهم")).toBe("👩\u200d💻 می\u200cخواهم");
  });
});

describe("output of terminals", () => {
  it("has colours as classes", () => {
    expect(ansi("\u001b[31;1mFAILED\u001b[0m ok")).toEqual([
      { text: "FAILED", look: "fg-red bold" },
      { text: " ok", look: "" },
    ]);
    expect(ansi("\u001b[38;5;196mx\u001b[48;2;0;0;255my\u001b[39;49mz")).toEqual([
      { text: "x", look: "fg-red" },
      { text: "y", look: "fg-red bg-blue" },
      { text: "z", look: "" },
    ]);
  });

  it("hides nothing", () => {
    expect(ansi("\u001b[8mconcealed")).toEqual([{ text: "concealed", look: "" }]);
    expect(ansi("\u001b[30;40mblack")).toEqual([{ text: "black", look: "fg-black" }]);
    expect(plain("rm -rf /\rls")).toBe("rm -rf /\nls");
    expect(plain("secret\u001b[2K\u001b[1A\u001b[8D!")).toBe("secret!");
    expect(plain("a\u0008b\u0000")).toBe("a␈b␀");
  });

  it("is cut free of titles, links and odd sequences", () => {
    expect(plain("\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b(Bc\u001bPq\u001b\\d")).toBe("abcd");
    expect(plain("broken \u001b")).toBe("broken ␛");
  });

  it("loses no text, whatever comes", () => {
    const random = seeded(7);
    for (let run = 0; run < 200; run++) {
      const letters = Array.from({ length: 20 }, () => (random() < 0.3 ? "\u001b[" + ["31m", "0m", "1;4m", "38;5;9m", "K"][Math.floor(random() * 5)] : String.fromCharCode(97 + Math.floor(random() * 26))));
      const words = letters.filter((part) => part.length === 1).join("");
      expect(plain(letters.join(""))).toBe(words);
    }
  });
});

describe("differences", () => {
  it("are the changed lines with some around", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const after = before.with(10, "changed");
    expect(diff(before.join("\n"), after.join("\n"))).toEqual([
      { oldStart: 8, oldLines: 7, newStart: 8, newLines: 7, lines: [" line 7", " line 8", " line 9", "-line 10", "+changed", " line 11", " line 12", " line 13"] },
    ]);
  });

  it("are none between equal texts, and all of a new one", () => {
    expect(diff("a\nb", "a\nb")).toEqual([]);
    expect(diff("", "a\nb\n")).toEqual([{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 2, lines: ["+a", "+b"] }]);
  });

  it("lead from one text to the other", () => {
    const random = seeded(3);
    for (let run = 0; run < 200; run++) {
      const before = Array.from({ length: Math.floor(random() * 30) }, () => String(Math.floor(random() * 6)));
      const after = before.flatMap((line) => (random() < 0.2 ? [] : random() < 0.2 ? [line, "new"] : [line]));
      const hunks = diff(before.join("\n"), after.join("\n"), 3);
      expect(patched(before, hunks)).toEqual(after);
      const { added, removed } = counts(hunks);
      expect(added - removed).toBe(after.length - before.length);
    }
  });

  it("of texts that have nothing in common take no time", () => {
    const before = Array.from({ length: 5000 }, (_, at) => `a${at}`).join("\n");
    const after = Array.from({ length: 5000 }, (_, at) => `b${at}`).join("\n");
    expect(counts(diff(before, after))).toEqual({ added: 5000, removed: 5000 });
  });
});

function patched(before: readonly string[], hunks: ReturnType<typeof diff>): string[] {
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    while (at < hunk.oldStart - 1) out.push(before[at++]!);
    for (const line of hunk.lines) {
      if (line.startsWith("+")) out.push(line.slice(1));
      else if (line.startsWith("-")) expect(before[at++]).toBe(line.slice(1));
      else out.push(before[at++]!);
    }
  }
  return [...out, ...before.slice(at)];
}

describe("numbers and names", () => {
  it("are short", () => {
    expect([950, 12_345, 150_000, 999_999, 4_500_000].map(compact)).toEqual(["950", "12.3k", "150k", "1M", "4.5M"]);
    expect([400, 12_000, 185_000, 7_800_000].map(span)).toEqual(["0.4 s", "12 s", "3 min 05 s", "2 h 10 min"]);
    expect([0, 0.0421, 1.5].map(dollars)).toEqual(["$0.00", "$0.0421", "$1.50"]);
    expect(ago(0, 59_000)).toBe("now");
    expect(ago(0, 3 * 3_600_000)).toBe("3 h");
  });

  it("of paths are seen from the project", () => {
    expect(relative("/proj/api/src/a.rs", "/proj/api")).toBe("src/a.rs");
    expect(relative("/proj/api2/a.rs", "/proj/api")).toBe("/proj/api2/a.rs");
    expect(relative("/proj/api", "/proj/api")).toBe(".");
    expect(baseName("/proj/api/")).toBe("api");
    expect(firstLine("\n  a\nb")).toBe("a");
  });
});
