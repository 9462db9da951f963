// An MCP client with the server that makes the CLI a tool.

import { existsSync } from "node:fs";

import { peer, perform } from "./host.mjs";

const [server] = process.argv.slice(2);

const connection = peer(process.execPath, [server]);
const workFolder = process.cwd();

const ask = async (prompt) => (await connection.request("tools/call", { name: "claude_code", arguments: { prompt, workFolder } })).content;

await perform({
  async stream(record) {
    const clientInfo = { name: "driver", version: "1" };
    const { serverInfo } = await connection.request("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo });
    connection.notify("notifications/initialized");
    record({ server: serverInfo.name });
    record({ answer: await ask("@say A text of one turn.") });
    record({ answer: await ask("@think a thought | and its answer") });
  },
  async permission(record) {
    record({ answer: await ask('@tool Bash {"command":"touch made.txt","description":"Make a file"}\n@say made') });
    record({ made: existsSync("made.txt") });
    record({ answer: await ask('@tools [["Bash",{"command":"echo one"}],["Bash",{"command":"exit 3"}]]\n@say both') });
  },
});
