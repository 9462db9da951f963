// The sessions that are known, for lists.

import type { BridgeMessage, SessionInfo, SessionStatus } from "aqueduct-client";

/** By id. */
export type Sessions = ReadonlyMap<string, SessionInfo>;

/** The sessions after a message. */
export function reduceSessions(sessions: Sessions, message: BridgeMessage): Sessions {
  switch (message.type) {
    case "session_list": {
      // Sessions that the bridge holds no more have stopped.
      const held = new Map(message.sessions.map((session) => [session.sessionId, session]));
      const next = new Map<string, SessionInfo>();
      for (const [id, session] of sessions) {
        if (!held.has(id)) next.set(id, isActive(session.status) ? { ...session, status: "stopped", pending: 0 } : session);
      }
      for (const [id, session] of held) next.set(id, session);
      return next;
    }
    case "recent_sessions":
      return put(sessions, message.sessions);
    case "session_update":
      return put(sessions, [message.session]);
    case "subscribed":
    case "session":
      return put(sessions, [message.snapshot.session]);
    case "session_deleted": {
      const next = new Map(sessions);
      next.delete(message.sessionId);
      return next;
    }
    case "status": {
      const session = sessions.get(message.sessionId);
      if (!session) return sessions;
      const turn = message.status === "running" || message.status === "waiting_approval" || message.status === "compacting";
      const turnSince = turn ? (session.turnSince ?? message.since) : undefined;
      return put(sessions, [{ ...session, status: message.status, turnSince }]);
    }
    default:
      return sessions;
  }
}

function put(sessions: Sessions, changed: readonly SessionInfo[]): Sessions {
  if (changed.length === 0) return sessions;
  const next = new Map(sessions);
  for (const session of changed) next.set(session.sessionId, session);
  return next;
}

/** Whether an agent runs for the session. */
export function isActive(status: SessionStatus): boolean {
  return status !== "stopped" && status !== "failed";
}

/** Whether a turn runs. */
export function isBusy(status: SessionStatus | undefined): boolean {
  return status === "running" || status === "waiting_approval" || status === "compacting" || status === "starting";
}

/** Whether the user has to decide something. */
export function needsYou(session: SessionInfo): boolean {
  return session.pending > 0 || session.status === "waiting_approval";
}

/** How sessions are grouped in the list. */
export type Group = "waiting" | "running" | "idle" | "recent";

/** Sessions by group, each newest first. */
export function grouped(sessions: Iterable<SessionInfo>): ReadonlyMap<Group, readonly SessionInfo[]> {
  const groups = new Map<Group, SessionInfo[]>([
    ["waiting", []],
    ["running", []],
    ["idle", []],
    ["recent", []],
  ]);
  for (const session of sessions) groups.get(groupOf(session))!.push(session);
  for (const list of groups.values()) list.sort((a, b) => b.updatedAt - a.updatedAt);
  return groups;
}

function groupOf(session: SessionInfo): Group {
  if (needsYou(session)) return "waiting";
  // Its agent may be in the middle of a turn.
  if (isBusy(session.status) || session.status === "unreachable") return "running";
  if (session.status === "idle") return "idle";
  return "recent";
}
