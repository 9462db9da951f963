import { describe, expect, it } from "vitest";
import { address, parse, type Parsed } from "../src/text/markdown.ts";
import { seeded } from "./build.ts";

const html = (text: string): string => parse(text, false).blocks.map((block) => (block.kind === "html" ? block.html : `[${block.kind}]`)).join("");

describe("markdown", () => {
  it("shows markup as text", () => {
    expect(html("<script>alert(1)</script>")).not.toContain("<script");
    expect(html("a <img src=x onerror=alert(1)> b")).not.toContain("<img");
    expect(html("<svg onload=alert(1)>")).toContain("&#60;svg");
  });

  it("loads no image from anywhere", () => {
    expect(html("![p](https://evil.example/p.png)")).not.toContain("<img");
    expect(html("![p](https://evil.example/p.png)")).toContain("evil.example");
  });

  it("links only where people expect", () => {
    for (const bad of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example", "JaVaScRiPt:x", "file:///etc/passwd"]) {
      expect(address(bad), bad).toBeUndefined();
      expect(html(`[x](${bad})`)).not.toContain("<a");
    }
    expect(html("[x](https://example.org/a?b#c)")).toContain('rel="noopener noreferrer"');
    expect(address("./src/a.rs#L3")).toEqual({ href: "src/a.rs", file: true });
  });

  it("can't be broken out of by attributes", () => {
    expect(html('[x](https://example.org/"onmouseover="alert(1))')).not.toMatch(/"onmouseover=/);
    expect(html('```"><script>\nx\n```')).toBe("[code]");
  });

  it("keeps code apart, with its language", () => {
    expect(parse("```rust,ignore\nfn a() {}\n```", false).blocks).toEqual([{ kind: "code", code: "fn a() {}", language: "rust", open: false }]);
  });

  it("cuts long lists into pieces with continued numbers", () => {
    const list = Array.from({ length: 120 }, (_, at) => `${at + 1}. item`).join("\n");
    const { blocks } = parse(list, false);
    expect(blocks).toHaveLength(3);
    expect(blocks[1]).toMatchObject({ kind: "html" });
    expect((blocks[2] as { html: string }).html).toContain('start="101"');
  });

  it("is not read at all beyond a size", () => {
    expect(parse("x".repeat(500_000), false).blocks).toMatchObject([{ kind: "plain" }]);
  });
});

describe("text that grows", () => {
  const PARTS = ["# Title\n\n", "Some *words* and `code`.\n", "\n", "- one\n- two\n  - three\n", "\n```rs\nlet x = 1;\n", "\n\n// more\n```\n", "> quote\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "1. x\n2. y\n", "\n---\n", "[l](https://e.org) **bold", "** end\n\n"];

  it("gives in the end what it gives at once, and on the way what will stay", () => {
    const random = seeded(11);
    for (let run = 0; run < 100; run++) {
      const text = Array.from({ length: 15 }, () => PARTS[Math.floor(random() * PARTS.length)]).join("\n");
      let state: Parsed | undefined;
      for (let at = 0; at < text.length; at += 1 + Math.floor(random() * 12)) state = parse(text.slice(0, at), true, state);
      expect(parse(text, false, state).blocks).toEqual(parse(text, false).blocks);
      const growing = parse(text, true, state);
      const settled = growing.blocks.slice(0, growing.settled);
      expect(settled).toEqual(parse(text, false).blocks.slice(0, settled.length));
    }
  });

  it("does not read again what is finished", () => {
    const first = parse("One.\n\nTwo.\n\nThree.\n\nFour", true);
    const next = parse("One.\n\nTwo.\n\nThree.\n\nFour and more", true, first);
    expect(next.blocks[0]).toBe(first.blocks[0]);
    expect(next.blocks[1]).toBe(first.blocks[1]);
    expect(next.blocks[3]).not.toBe(first.blocks[3]);
  });

  it("shows an open fence as code at once", () => {
    expect(parse("Look:\n\n```rust\nfn a() {\n", true, parse("Look:\n\n", true)).blocks.at(-1)).toMatchObject({ kind: "code", language: "rust" });
  });

  it("begins anew when it is another text", () => {
    const state = parse("One.\n\nTwo.", true);
    expect(parse("Other.", false, state).blocks).toEqual(parse("Other.", false).blocks);
  });
});
