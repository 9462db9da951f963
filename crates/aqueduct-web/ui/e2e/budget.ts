// What the page costs in time, and in memory over a very long conversation. Both depend on the machine, so this is
// a measurement and no test: `npm run budget` prints what it finds, and fails where a budget is exceeded.

import type { Browser, Page } from "playwright-core";
import { Bridge } from "./bridge.ts";
import { Device, launch } from "./browser.ts";

/** The main thread's own work in one go: a busy machine makes it wait, which is not the page's fault. */
const LONGEST_TASK_MS = 50;
/** Other work on the machine only ever adds: the best of some runs shows what the page costs. */
const RUNS = 3;
const EVENTS = 50_000;
/** What may be kept of the second half of the events; what is held of a conversation is full before. */
const STEADY_BYTES = 8_000_000;
/** Calls in one round. Each is some ten events. */
const ROUND = 500;

const [browser, bridge] = await Promise.all([launch(), Bridge.start()]);
try {
  const fine = [await streaming(browser, bridge), await memory(browser, bridge)];
  process.exitCode = fine.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await bridge.stop();
}

/** A message of 2,000 lines streams: no task holds up the page. */
async function streaming(of: Browser, to: Bridge): Promise<boolean> {
  const lines = Array.from({ length: 2000 }, (_, at) => (at % 40 === 0 ? `\n## Part ${at / 40}\n` : at % 13 === 0 ? `\`\`\`rust\nfn f${at}() -> u32 { ${at} }\n\`\`\`` : `Line ${at} of a long answer with **bold** and \`code\`.\n`));
  const device = await Device.open(of, to, "phone");
  let best: readonly Task[] | undefined;
  for (let run = 0; run < RUNS; run++) {
    const id = await device.start(to.project);
    const tasks = await tasksOf(of, device.page, async () => {
      await to.ask("POST", `/sessions/${id}/inputs`, { text: `@delta 120 0.004\n@blocks ${JSON.stringify([{ type: "text", text: lines.join("\n") }])}` });
      // Nothing looks at the page meanwhile: looking costs the page time.
      await to.turns(id, 1);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    });
    await device.answers.getByText("Line 1999").waitFor();
    if (!best || tasks[0]!.ms < best[0]!.ms) best = tasks;
  }
  await device.close();
  const [longest] = best!;
  console.log(`2,000 lines: longest task ${longest!.ms.toFixed(1)} ms (limit ${LONGEST_TASK_MS}): ${longest!.what}`);
  console.log(`             ${best!.length} tasks, ${best!.filter((task) => task.ms > 16).length} over 16 ms`);
  return longest!.ms < LONGEST_TASK_MS;
}

/** A conversation grows by tens of thousands of events: memory stays. */
async function memory(of: Browser, to: Bridge): Promise<boolean> {
  const device = await Device.open(of, to, "phone");
  let events = 0;
  device.page.on("websocket", (socket) => socket.on("framereceived", () => (events += 1)));
  await device.page.reload();
  await device.status("Connected").waitFor();
  const id = await device.start(to.project);
  const heap = async (): Promise<number> => {
    const session = await device.context.newCDPSession(device.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  };
  const calls = Array.from({ length: ROUND }, (_, at) => ["Read", { file_path: `${to.project}/main.rs`, limit: (at % 3) + 1 }]);
  const until = async (count: number): Promise<number> => {
    while (events < count) {
      const before = ((await to.ask("GET", `/sessions/${id}`)) as { snapshot: { session: { turns?: number } } }).snapshot.session.turns ?? 0;
      await to.ask("POST", `/sessions/${id}/inputs`, { text: `@tools ${JSON.stringify(calls)}\n@say Round.` });
      await to.turns(id, before + 1);
    }
    return heap();
  };
  const half = await until(EVENTS / 2);
  const full = await until(EVENTS);
  await device.close();
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${events} events: heap ${mb(half)} after the first half, ${mb(full)} after the second (limit: ${mb(STEADY_BYTES)} more)`);
  return full - half < STEADY_BYTES;
}

interface Task {
  ms: number;
  what: string;
}

/** What the page's main thread did in one go, in milliseconds of its own time, longest first. */
async function tasksOf(of: Browser, page: Page, during: () => Promise<void>): Promise<readonly Task[]> {
  interface Entry {
    name: string;
    ph: string;
    pid: number;
    tid: number;
    ts: number;
    dur?: number;
    tdur?: number;
    args?: { name?: string; data?: { url?: string } };
  }
  const session = await of.newBrowserCDPSession();
  const entries: Entry[] = [];
  session.on("Tracing.dataCollected", (event) => entries.push(...(event.value as unknown as Entry[])));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  await during();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  // The page's main thread is the one that runs the page's scripts, its worker's aside.
  const { origin } = new URL(page.url());
  const calls = entries.filter(({ name, args }) => name === "FunctionCall" && args?.data?.url?.startsWith(`${origin}/`) && !args.data.url.endsWith("/sw.js"));
  const threads = new Map<string, number>();
  for (const { pid, tid } of calls) threads.set(`${pid} ${tid}`, (threads.get(`${pid} ${tid}`) ?? 0) + 1);
  const [main] = [...threads].sort((a, b) => b[1] - a[1]);
  const mine = entries.filter(({ pid, tid, ph }) => `${pid} ${tid}` === main?.[0] && ph === "X");
  const tasks = mine.filter((entry) => /RunTask$/.test(entry.name)).sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  if (tasks.length < 50) throw new Error("the trace shows no work of the page");
  return tasks.map((task) => {
    const inside = mine.filter((entry) => entry !== task && entry.ts >= task.ts && entry.ts < task.ts + (task.dur ?? 0) && (entry.tdur ?? 0) > 3000);
    return { ms: (task.tdur ?? 0) / 1000, what: inside.map((entry) => `${entry.name} ${((entry.tdur ?? 0) / 1000).toFixed(1)}`).join(", ") };
  });
}
