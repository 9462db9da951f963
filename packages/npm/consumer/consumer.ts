// A program of a stranger: strict, checked down to the declarations of its packages, without the types of browsers.

import { connect, type Client, type ModelInfo } from "aqueduct-client";
import WebSocket from "ws";

export async function run(url: string, token: string): Promise<ModelInfo[]> {
  const client: Client = await connect({ url, token, WebSocket });
  const session = await client.start({ projectPath: "/proj/api", text: "Run the tests" });
  for await (const message of session.messages()) {
    if (message.type === "permission_request") await session.approve(message);
    if (message.type === "result") break;
  }
  const { models } = await client.request({ type: "list_models" });
  client.close();
  return models;
}
