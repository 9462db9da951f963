import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Item } from "../../conversation/item.ts";
import { rows as rowsOf } from "../../conversation/rows.ts";
import type { Conversation } from "../../conversation/state.ts";
import type { PermissionRequest, SessionInfo } from "aqueduct-client";
import { isBusy } from "../../store/sessions.ts";
import { t } from "../../strings.ts";
import { span } from "../../text/format.ts";
import { useTicks } from "../part/clock.ts";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Announcer } from "./announcer.tsx";
import { Row, type RowProps } from "./row.tsx";
import { UnsentList } from "./unsent.tsx";
import { Virtual, type VirtualHandle } from "./virtual.tsx";

interface LogProps {
  conversation: Conversation;
  session?: SessionInfo;
  /** The message to go to. */
  seq?: number;
}

/** The conversation. */
export function Log({ conversation, session, seq }: LogProps): JSX.Element {
  const app = useApp();
  const { sessionId } = conversation;
  const handle = useRef<VirtualHandle>(null);
  const [atEnd, setAtEnd] = useState(true);
  const [loading, setLoading] = useState(false);
  const seen = useRef(0);
  const items = rowsOf(conversation);
  const pending = useMemo(() => new Set(conversation.pending.map(subject)), [conversation.pending]);
  const folder = session?.projectPath;

  const propsOf = useMemo(() => {
    const of = (item: Item): RowProps => {
      if (item.kind !== "call") return { item, sessionId, folder, waiting: item.kind === "user" && pending.has(item.inputId) };
      const thread = rowsOf(conversation, item.id);
      const task = conversation.fold.tasks.get(item.id);
      const heard = conversation.taskProgress.get(item.id);
      return {
        item,
        sessionId,
        folder,
        waiting: pending.has(item.id),
        progress: conversation.progress.get(item.id),
        thread: thread.length > 0 ? thread : undefined,
        task: task && heard && task.status === "running" ? { ...task, ...heard } : task,
        // Only rows with a conversation inside are drawn again for everything that happens.
        inside: thread.length > 0 ? of : undefined,
      };
    };
    return of;
  }, [conversation, pending, folder]);

  const older = useCallback(() => {
    setLoading((busy) => {
      if (busy || app.conversations.get(sessionId).peek().firstSeq <= 1) return busy;
      void app
        .older(sessionId)
        .catch(() => false)
        .finally(() => setLoading(false));
      return true;
    });
  }, [sessionId]);

  useEffect(() => {
    app.conversations.atEnd(sessionId, atEnd);
    if (atEnd) seen.current = conversation.lastSeq;
  }, [atEnd, conversation.lastSeq]);

  useSeek(conversation, items, seq, handle);

  const unsent = app.outbox.entries.value.filter((entry) => entry.sessionId === sessionId);
  const entries = unsent.filter((entry) => !conversation.queue.some((input) => input.clientMessageId === entry.id));
  const fresh = !atEnd && conversation.lastSeq > seen.current && seen.current > 0;
  const busy = isBusy(session?.status);
  return (
    <div class="log-frame">
      <Virtual
        rows={items}
        draw={(item) => <Row {...propsOf(item)} />}
        handle={handle}
        label={t.log.name}
        onEnd={setAtEnd}
        onBeginning={older}
        head={<Head conversation={conversation} loading={loading} empty={items.length === 0 && entries.length === 0} />}
        foot={
          <div class="log-foot">
            <UnsentList entries={entries} />
            {busy && session && conversation.pending.length === 0 && <Working session={session} conversation={conversation} />}
          </div>
        }
      />
      {!atEnd && (
        <button type="button" class={`to-end ${fresh ? "fresh" : ""}`} onClick={() => handle.current?.toEnd()}>
          <Icon name="down" />
          {fresh ? t.log.newMessages : <span class="off-screen">{t.log.toEnd}</span>}
        </button>
      )}
      <Announcer items={items} ready={conversation.ready} />
    </div>
  );
}

/** What a request is about: a call, or an input that was not confirmed. */
function subject({ kind, toolUseId, input }: PermissionRequest): string {
  return (kind === "resend" && (input as { inputId?: string } | null)?.inputId) || toolUseId;
}

function Head({ conversation, loading, empty }: { conversation: Conversation; loading: boolean; empty: boolean }): JSX.Element | null {
  if (!conversation.ready) return <p class="log-head">{t.loading}</p>;
  if (conversation.firstSeq > 1) return <p class="log-head">{loading ? t.log.older : " "}</p>;
  if (!empty) return <p class="log-head" />;
  return (
    <div class="empty">
      <h2>{t.log.empty}</h2>
      <p>{t.log.emptyHint}</p>
    </div>
  );
}

/** The current activity, while nothing else shows it. */
function Working({ session, conversation }: { session: SessionInfo; conversation: Conversation }): JSX.Element {
  const app = useApp();
  useTicks(1000);
  const { retry } = conversation;
  const word = session.status === "running" ? t.log.working : (t.status[session.status] ?? session.status);
  return (
    <p class={`working ${session.status}`}>
      <span class="pulse" aria-hidden="true" />
      <span>{word}</span>
      {session.turnSince !== undefined && <span class="elapsed">{span(app.now() - session.turnSince)}</span>}
      {retry && (
        <span class="retrying">
          {t.notes.retry(retry.attempt, retry.maxRetries)}
          {retry.error && ` · ${retry.error}`}
        </span>
      )}
    </p>
  );
}

/** Goes to a message, getting older ones until it is there. */
function useSeek(conversation: Conversation, items: readonly Item[], seq: number | undefined, handle: { current: VirtualHandle | null }): void {
  const app = useApp();
  const sought = useRef<number>(undefined);
  const asking = useRef(false);
  useEffect(() => {
    if (seq === undefined || sought.current === seq || !conversation.ready) return;
    if (conversation.firstSeq > seq && !asking.current) {
      asking.current = true;
      app.conversations.atEnd(conversation.sessionId, false);
      void app
        .older(conversation.sessionId, app.hello.value?.limits.historyPage)
        .catch(() => false)
        .finally(() => {
          asking.current = false;
        });
      return;
    }
    if (conversation.firstSeq > seq) return;
    const at = items.findIndex((item) => item.seq !== undefined && item.seq >= seq);
    if (at < 0) return;
    sought.current = seq;
    handle.current?.toRow(at);
  }, [conversation, seq]);
}
