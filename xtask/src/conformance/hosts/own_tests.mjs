// The tests that a host's package brings with it: built before, run here.

import { execFile } from "node:child_process";

import { perform } from "./host.mjs";

const programs = process.argv.slice(2);

const run = (program) =>
  new Promise((resolve) => {
    execFile(program, ["--test-threads=1"], { timeout: 840_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });

await perform(
  {
    async "own-tests"(record) {
      for (const program of programs) {
        const { error, stdout, stderr } = await run(program);
        const verdicts = [...stdout.matchAll(/^test (\S+) \.\.\. (?:.*\n)*?.*?(ok|FAILED|ignored)\b/gm)];
        for (const [, name, verdict] of verdicts) record({ test: name, verdict });
        if (verdicts.length === 0) throw new Error(`${program} ran no test: ${error} ${stderr.slice(-1000)}`);
      }
    },
  },
  900_000,
);
