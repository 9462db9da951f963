// One session of the bridge: what a program does with it.

import type { Client } from "./client.ts";
import type { Feed, FeedOptions } from "./feed.ts";
import type { AnswerQuestion, Approve, ApproveAlways, Interrupt, PermissionRequest, Reject, SendInput, InputAck } from "./generated/messages.ts";

/** The options of an input. */
export type InputOptions = Omit<SendInput, "text" | "sessionId" | "requestId">;

/** The members of a decision that the request itself does not determine. */
type Decision<T> = Omit<T, "id" | "toolUseId" | "sessionId" | "requestId">;

/** What a decision is about: a `permission_request`, or as much of it as a program has kept. */
export type Pending = Pick<PermissionRequest, "id"> & Partial<Pick<PermissionRequest, "inputHash">>;

/** A session of the bridge. It holds no resources: any number of these may exist for one session. */
export class Session {
  constructor(
    private readonly client: Client,
    /** The id, which never changes. */
    readonly id: string,
  ) {}

  /** Reads the session's messages, from the beginning or from a number on. See `Feed`. */
  messages(options?: FeedOptions): Feed {
    return this.client.feed(this.id, options);
  }

  /** Sends an input; resolves once the bridge has it safe. It is sent again after a reconnect, and runs once. */
  send(text: string, options: InputOptions = {}): Promise<InputAck> {
    return this.client.input(this.id, text, options);
  }

  /** Allows what a request asks for, this once. Fails with `input_changed` if its input is another one by now. */
  async approve(request: Pending, options: Decision<Approve> = {}): Promise<void> {
    await this.client.request({ type: "approve", ...this.decided(request), ...options });
  }

  /** Allows what a request asks for, and the like of it from now on. */
  async approveAlways(request: Pending, options: Decision<ApproveAlways> = {}): Promise<void> {
    await this.client.request({ type: "approve_always", ...this.decided(request), ...options });
  }

  /** Denies what a request asks for. */
  async reject(request: Pending, options: Decision<Reject> = {}): Promise<void> {
    await this.client.request({ type: "reject", ...this.decided(request), ...options });
  }

  /** Answers a question: by the question's text, the chosen label or labels. */
  async answer(request: Pending, answers: AnswerQuestion["answers"], options: Decision<AnswerQuestion> = {}): Promise<void> {
    const { id, ...decided } = this.decided(request);
    await this.client.request({ type: "answer", toolUseId: id, ...decided, ...(answers ? { answers } : {}), ...options });
  }

  /** Stops the running turn. With `hard` the agent is ended. */
  async interrupt(options: Pick<Interrupt, "hard"> = {}): Promise<void> {
    await this.client.request({ type: "interrupt", sessionId: this.id, ...options }, { once: true });
  }

  /** Stops the session's agent. The next input resumes the session. */
  async stop(): Promise<void> {
    await this.client.request({ type: "stop_session", sessionId: this.id });
  }

  /** Deletes the session with all its messages. */
  async delete(): Promise<void> {
    await this.client.request({ type: "delete_session", sessionId: this.id });
  }

  private decided(request: Pending): { id: string; sessionId: string; inputHash?: string } {
    return { id: request.id, sessionId: this.id, ...(request.inputHash ? { inputHash: request.inputHash } : {}) };
  }
}
