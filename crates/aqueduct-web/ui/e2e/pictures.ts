// Pictures of the main states, for the documentation: both sizes, light and dark. `npm run pictures` makes them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bridge } from "./bridge.ts";
import { Device, launch, type Size } from "./browser.ts";

const TARGET = join(import.meta.dirname, "../../../../docs/web");

const ANSWER = `The test failed because \`login\` compared the **plain** password with a stored hash.

1. \`main.rs\` now uses \`verify\`, which compares in constant time.
2. All 34 tests pass.

\`\`\`rust
pub fn login(user: &User, password: &str) -> bool {
    verify(&user.password_hash, password)
}
\`\`\``;

/** A state: its name, and the way to it. */
type State = readonly [string, (device: Device, bridge: Bridge) => Promise<void>];

const STATES: readonly State[] = [
  [
    "conversation",
    async (device, bridge) => {
      writeFileSync(join(bridge.project, "main.rs"), 'fn main() {\n    println!("hello");\n}\n');
      await device.start(bridge.project, "", "acceptEdits");
      const todos = [
        { content: "Find the cause", status: "completed", activeForm: "Finding the cause" },
        { content: "Mend it", status: "in_progress", activeForm: "Mending it" },
        { content: "Run the tests", status: "pending", activeForm: "Running the tests" },
      ];
      const steps = [
        `@tool Grep ${JSON.stringify({ pattern: "println", path: bridge.project })}`,
        `@tool TodoWrite ${JSON.stringify({ todos })}`,
        `@tool Read ${JSON.stringify({ file_path: `${bridge.project}/main.rs` })}`,
        `@tool Edit ${JSON.stringify({ file_path: `${bridge.project}/main.rs`, old_string: '    println!("hello");', new_string: '    // Hashes are compared in constant time.\n    println!("{}", verify("ada", "secret"));' })}`,
        `@blocks ${JSON.stringify([{ type: "text", text: ANSWER }])}`,
      ];
      await device.say(["Why does the login test fail? Please fix it.", "", ...steps].join("\n"));
      await device.log.getByText("All 34 tests pass").waitFor();
      await device.idle();
    },
  ],
  [
    "permission",
    async (device, bridge) => {
      await device.start(bridge.project, `Update the dependencies.\n\n@tool Bash ${JSON.stringify({ command: "cargo update && rm -rf target/tmp | tee out.log", description: "Update and clean up" })}`);
      await device.region("Permission needed").waitFor();
    },
  ],
  [
    "question",
    async (device, bridge) => {
      const questions = [{ question: "Which database should the service use?", header: "Database", multiSelect: false, options: [{ label: "Postgres", description: "A server of its own; best for many writers" }, { label: "SQLite", description: "One file, nothing to run" }] }];
      await device.start(bridge.project, `Set up persistence.\n\n@tool AskUserQuestion ${JSON.stringify({ questions })}`);
      await device.region("Question").getByLabel("SQLite").check();
    },
  ],
  [
    "sessions",
    async (device, bridge) => {
      await device.page.goto(`${bridge.origin}/#/`);
    },
  ],
];

const [browser, bridge] = await Promise.all([launch(), Bridge.start()]);
mkdirSync(TARGET, { recursive: true });
try {
  for (const size of ["phone", "desk"] satisfies Size[]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const device = await Device.open(browser, bridge, size, { colorScheme });
      for (const [name, reach] of STATES) {
        await reach(device, bridge);
        await device.page.waitForLoadState("networkidle");
        await device.page.screenshot({ path: join(TARGET, `${name}-${size}-${colorScheme}.png`) });
      }
      await device.close();
    }
  }
} finally {
  await browser.close();
  await bridge.stop();
}
