// A client of Aqueduct's bridge.

export { Access, NotPaired, type Unpaired } from "./access.ts";
export { delay } from "./backoff.ts";
export type { Readable, State } from "./cell.ts";
export { Client, Closed, connect, Unauthorized, type ConnectOptions, type Reply } from "./client.ts";
export { Connection, Lost, Refused, type Link, type Listener } from "./connection.ts";
export { vault, type Credential, type SigningKey, type Vault } from "./credential.ts";
export { Feed, StoreChanged, type FeedOptions } from "./feed.ts";
export { RequestFailed } from "./http.ts";
export { Outbox, type Keep, type Unsent } from "./outbox.ts";
export { Session, type InputOptions, type Pending } from "./session.ts";
export { pair, Token } from "./token.ts";
export { transport, type Credentials, type Probe, type Socket, type Transport, type TransportOptions, type WebSocketClass } from "./transport.ts";
export { uuid } from "./uuid.ts";
export * from "./generated/messages.ts";
