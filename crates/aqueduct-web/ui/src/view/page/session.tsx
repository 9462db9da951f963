import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "aqueduct-client";
import { t } from "../../strings.ts";
import { isBusy } from "../../store/sessions.ts";
import { Composer } from "../composer/composer.tsx";
import { LimitStrip } from "../composer/limits.tsx";
import { QueueList } from "../composer/queue.tsx";
import { TodoStrip } from "../composer/todos.tsx";
import { DecisionTray } from "../decision/tray.tsx";
import { Log } from "../log/log.tsx";
import { Button } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { Limited } from "../part/limited.tsx";
import { lazy } from "../shell/lazy.tsx";
import { SessionHead } from "./session-head.tsx";

const TrustReview = lazy(() => import("./trust.tsx").then((module) => module.TrustReview));

/** One session: its conversation, what it asks, and the field to answer. */
export function SessionPage({ id, seq }: { id: string; seq?: number }): JSX.Element {
  const app = useApp();
  const session = app.sessions.value.get(id);
  const conversation = app.conversations.get(id).value;
  const terminal = session?.source === "terminal";
  const linked = app.connection.link.value === "connected";
  const operates = app.can("operate");
  // One reason at a time: that of what waits.
  const missesDecision = !app.can("decide") && conversation.pending.length > 0;
  useEffect(() => {
    if (!linked) return;
    // A session of a terminal is read from its transcript until it is continued here.
    if (terminal) app.do({ type: "get_history", sessionId: id });
    else app.conversations.watch(id);
  }, [id, terminal, linked]);
  if (!session && app.listed.value && conversation.ready === false && linked) {
    return <Unknown id={id} />;
  }
  return (
    <div class="session">
      <SessionHead id={id} session={session} />
      <Log conversation={conversation} session={session} seq={seq} />
      <div class="dock">
        {terminal && operates && <Adopt id={id} folder={session.projectPath} />}
        {missesDecision ? <Limited needed="decide" what={t.scope.decide} /> : <DecisionTray pending={conversation.pending} />}
        {session?.status === "unreachable" && <Unreachable reason={conversation.unreachable} />}
        <LimitStrip />
        <TodoStrip todos={conversation.fold.todos} busy={isBusy(session?.status)} />
        <QueueList sessionId={id} queue={conversation.queue} />
        {operates ? <Composer sessionId={id} session={session} /> : !missesDecision && <Limited needed="operate" what={t.scope.write} />}
      </div>
    </div>
  );
}

/** The agent's process does not respond: what that means for new messages. */
function Unreachable({ reason = t.session.unreachable }: { reason?: string }): JSX.Element {
  return (
    <p class="warning" role="status">
      <Icon name="alert" />
      <span>{reason}</span>
    </p>
  );
}

/** A session that is not in the list: it may still be there, or gone. */
function Unknown({ id }: { id: string }): JSX.Element {
  const app = useApp();
  useEffect(() => {
    app.conversations.watch(id);
  }, [id]);
  return (
    <div class="session">
      <SessionHead id={id} />
      <p class="page-wait">{t.session.gone}</p>
    </div>
  );
}

function Adopt({ id, folder }: { id: string; folder: string }): JSX.Element {
  const app = useApp();
  const [reviews, setReviews] = useState(false);
  const adopt = async (): Promise<void> => {
    try {
      await app.confirmed({ type: "resume_session", sessionId: id });
      app.conversations.watch(id);
    } catch (error) {
      if (Refused.is(error, "trust_required")) setReviews(true);
      else app.failed(error);
    }
  };
  return (
    <div class="adopt">
      <p>{t.session.adoptHint}</p>
      <Button kind="primary" onClick={() => void adopt()}>{t.session.adopt}</Button>
      {reviews && <TrustReview folder={folder} onClose={() => setReviews(false)} />}
    </div>
  );
}
