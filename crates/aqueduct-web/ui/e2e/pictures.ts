// Pictures for the documentation: the main states at both sizes, light and dark, and the way from the command to an
// answer. `npm run pictures` makes them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Bridge, freePort, program } from "./bridge.ts";
import { Device, launch, type Size } from "./browser.ts";

const TARGET = join(import.meta.dirname, "../../../../docs/web");

const ANSWER = `The test failed because \`login\` compared the **plain** password with a stored hash.

1. \`login.rs\` now uses \`verify\`, which compares in constant time.
2. All 34 tests pass.

\`\`\`rust
pub fn login(user: &User, password: &str) -> bool {
    verify(&user.password_hash, password)
}
\`\`\``;

const FIRST = "What does this project do?";

const SUMMARY = `This is a small **login service**.

- \`login.rs\` checks a password against its hash, in constant time
- \`main.rs\` starts the server
- \`readme.md\` describes how to run it

There are no tests for an empty password yet: shall I write some? They would cover the three ways in which a password can be missing, and the answer that people see.`;

const LOGIN = `pub fn login(user: &User, password: &str) -> bool {
    user.password_hash == password
}
`;

/** Looks like a test runner, and may run without being asked about. */
const TESTS = { "test.sh": "printf 'running 34 tests\\n\\033[32mok\\033[0m: 34 passed, 0 failed\\n'\n", ".claude/settings.local.json": JSON.stringify({ permissions: { allow: ["Bash(sh test.sh)"] } }) };

/** What the model does for which prompt. */
function script(project: string): string {
  const tool = (name: string, input: object): string => `@tool ${name} ${JSON.stringify(input)}`;
  const todos = (done: number): string => {
    const steps = [["Find the cause", "Finding the cause"], ["Fix it", "Fixing it"], ["Run the tests", "Running the tests"]] as const;
    return tool("TodoWrite", { todos: steps.map(([content, activeForm], at) => ({ content, activeForm, status: at < done ? "completed" : at === done ? "in_progress" : "pending" })) });
  };
  const questions = [
    {
      question: "Which database should the service use?",
      header: "Database",
      multiSelect: false,
      options: [
        { label: "Postgres", description: "A server of its own; best for many writers" },
        { label: "SQLite", description: "One file, nothing to run" },
      ],
    },
  ];
  const plan = "# Sign in with a passkey\n\n1. Store credentials in `passkeys`, one row a device\n2. Offer the passkey first, the password below it\n3. Test both ways, and the way back\n\nNothing changes for people who have none.";
  return `
when prompt contains "What does"
@delta word 0.05
@blocks ${JSON.stringify([{ type: "text", text: SUMMARY }])}

when prompt contains "login test"
@saytool Let me look where the password is compared.|Grep ${JSON.stringify({ pattern: "password", path: project, output_mode: "files_with_matches" })}
${tool("Read", { file_path: `${project}/login.rs` })}
${todos(1)}
${tool("Edit", { file_path: `${project}/login.rs`, old_string: "    user.password_hash == password", new_string: "    verify(&user.password_hash, password)" })}
${tool("Bash", { command: "sh test.sh", description: "Run the tests" })}
${todos(3)}
@blocks ${JSON.stringify([{ type: "text", text: ANSWER }])}

when prompt contains "dependencies"
${tool("Bash", { command: "cargo update && cat notes.md | tee CHANGELOG.md", description: "Update, and note it in the changelog" })}
@say Done.

when prompt contains "persistence"
${tool("AskUserQuestion", { questions })}
@say Done.

when prompt contains "passkey"
${tool("ExitPlanMode", { plan })}
@say Done.

otherwise
@say Done.
`;
}

/** A state: its name, and the way to it. */
type State = readonly [string, (device: Device, bridge: Bridge) => Promise<unknown>];

const STATES: readonly State[] = [
  [
    "conversation",
    async (device, bridge) => {
      writeFileSync(join(bridge.project, "login.rs"), LOGIN);
      await device.start(bridge.project, "", "acceptEdits");
      await device.say("Why does the login test fail? Please fix it.");
      await device.answers.getByText("All 34 tests pass").waitFor();
      await device.idle();
    },
  ],
  [
    "permission",
    async (device, bridge) => {
      await device.start(bridge.project, "Update the dependencies.");
      await device.region("Permission needed").waitFor();
    },
  ],
  [
    "question",
    async (device, bridge) => {
      await device.start(bridge.project, "Set up persistence.");
      await device.region("Question").getByLabel("SQLite").check();
    },
  ],
  [
    "plan",
    async (device, bridge) => {
      await device.start(bridge.project, "Let people sign in with a passkey.", "plan");
      await device.region("Plan").waitFor();
    },
  ],
  ["changes", async (device) => device.page.getByRole("link", { name: "Changes" }).click().then(() => device.page.locator(".changed-file").first().waitFor())],
  ["sessions", async (device, bridge) => device.page.goto(`${bridge.origin}/#/`).then(() => device.page.getByRole("heading", { name: /Waiting for you/ }).waitFor())],
];

/** A picture as WebP, which is a third of its size. */
async function save(page: Page, name: string, png: Buffer): Promise<void> {
  const webp = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    const made = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.9 })).arrayBuffer());
    return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(""));
  }, png.toString("base64"));
  writeFileSync(join(TARGET, `${name}.webp`), Buffer.from(webp, "base64"));
}

/** What a user sees on the first run, at the default address. */
async function greeting(home: string): Promise<string> {
  const listen = `127.0.0.1:${await freePort()}`;
  const child = spawn(program(), ["serve", "--listen", listen], { cwd: home, env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  for await (const part of child.stdout) {
    text += String(part);
    if (/#pair=\S+\s/.test(text)) break;
  }
  const gone = once(child, "exit");
  child.kill();
  await gone;
  return text.replaceAll(listen, "127.0.0.1:8765").replace(/ready in .*/, "ready in 12 ms").trim();
}

/** The way from the command to a streaming answer, in one picture. */
async function firstMinute(canvas: Page): Promise<void> {
  const device = await Device.open(browser, bridge, "phone", { deviceScaleFactor: 2 });
  await device.page.goto(`${bridge.origin}/#/new`);
  await device.page.getByLabel("What should be done?").fill(FIRST);
  // The folder's real name is of no interest.
  await device.page.getByLabel("Project folder").evaluate((field) => ((field as HTMLInputElement).value = "/home/ada/login"));
  const asked = await device.page.screenshot();
  await device.start(bridge.project, FIRST);
  await device.answers.getByText("constant time").waitFor();
  const answered = await device.page.screenshot();
  await device.close();
  const terminal = (await greeting(bridge.home)).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/http\S+#pair=\S+/, "<b>$&</b>");
  const picture = (png: Buffer): string => `<img src="data:image/png;base64,${png.toString("base64")}">`;
  await canvas.setContent(`<style>
    body { margin: 0; font: 17px system-ui, sans-serif; background: #eef1f0; color: #23211e; }
    main { padding: 28px; background: inherit; display: grid; grid-template-columns: 1fr 300px 300px; gap: 28px; align-items: start; }
    figure { margin: 0; }
    figcaption { margin-bottom: 12px; font-weight: 600; }
    i { display: inline-grid; place-items: center; width: 26px; height: 26px; margin-right: 9px; border-radius: 50%; background: #0d6a72; color: #fff; font-style: normal; }
    pre { margin: 0; padding: 22px; border-radius: 12px; background: #171a1c; color: #d8dcda; font: 13px/1.6 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
    b { color: #67c8c8; font-weight: 400; }
    img { display: block; width: 100%; border-radius: 18px; box-shadow: 0 6px 26px #0003; }
  </style><main>
    <figure><figcaption><i>1</i>Run it, and open the link</figcaption><pre>$ cargo run --release -- serve\n${terminal}</pre></figure>
    <figure><figcaption><i>2</i>Describe the task</figcaption>${picture(asked)}</figure>
    <figure><figcaption><i>3</i>Follow along</figcaption>${picture(answered)}</figure>
  </main>`);
  await save(canvas, "first-minute", await canvas.locator("main").screenshot());
}

const [browser, bridge] = await Promise.all([launch(), Bridge.start({ script, flags: ["--trust-workspace"], files: { "login.rs": LOGIN, "notes.md": "# Notes\n", ...TESTS } })]);
mkdirSync(TARGET, { recursive: true });
try {
  const canvas = await browser.newPage({ viewport: { width: 1260, height: 900 }, deviceScaleFactor: 1.5 });
  for (const size of ["phone", "desktop"] satisfies Size[]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const device = await Device.open(browser, bridge, size, { colorScheme });
      for (const [name, reach] of STATES) {
        await reach(device, bridge);
        await device.page.waitForLoadState("networkidle");
        await save(canvas, `${name}-${size}-${colorScheme}`, await device.page.screenshot());
      }
      await device.close();
      await bridge.forget();
    }
  }
  await firstMinute(canvas);
} finally {
  await browser.close();
  await bridge.stop();
}
