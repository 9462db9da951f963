// Requests of the HTTP API: those that authenticate, for which there is no WebSocket yet.

/** How long an answer may take. A request that a sleeping device left behind must not hold up the next try. */
const ANSWER_WITHIN_MS = 15_000;

/** A request that failed. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    /** The error code of the bridge, if it is the one that answered. */
    readonly code: string | undefined,
    message: string,
  ) {
    super(message);
    this.name = "RequestFailed";
  }
}

/** The HTTP API at an origin. */
export class Http {
  constructor(private readonly origin: string) {}

  /** Reads a path with a token. */
  async get(path: string, token: string): Promise<unknown> {
    return read(await this.fetch(path, { headers: { authorization: `Bearer ${token}` } }));
  }

  /** Posts a body without a token. */
  async post<T>(path: string, body: object): Promise<T> {
    const headers = { "content-type": "application/json" };
    return (await read(await this.fetch(path, { method: "POST", headers, body: JSON.stringify(body) }))) as T;
  }

  /** Requests a path. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.origin}/api/v1${path}`, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...init });
  }
}

async function read(answer: Response): Promise<unknown> {
  const content = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  if (!answer.ok) throw new RequestFailed(answer.status, content.code, content.message ?? `${answer.status}`);
  return content;
}
