import type { JSX } from "preact";
import type { Item } from "../../conversation/item.ts";
import type { Progress, Task } from "../../conversation/state.ts";
import { memo } from "../part/memo.ts";
import { CallCard } from "../tool/card.tsx";
import { SubagentCard } from "../tool/subagent.tsx";
import { isSubagent } from "../tool/table.ts";
import { AnswerText, Thinking } from "./answer.tsx";
import { BlockView } from "./block.tsx";
import { Event, LooseDecision, Note, TurnEnd } from "./note.tsx";
import { UserMessage } from "./user.tsx";

/** What a row may need besides its item. */
export interface RowProps {
  item: Item;
  sessionId: string;
  folder?: string;
  /** Whether a call or an unconfirmed message waits for a decision. */
  waiting: boolean;
  progress?: Progress;
  /** The conversation of the subagent that a call started. */
  thread?: readonly Item[];
  task?: Task;
  /** What rows inside this one need; another object whenever that changes. */
  inside?: (item: Item) => RowProps;
}

/** One thing in a conversation. It is drawn again only when it changes. */
export const Row = memo(function Row(props: RowProps): JSX.Element {
  const { item, sessionId, folder, waiting, progress, thread, task, inside } = props;
  switch (item.kind) {
    case "user":
      return <UserMessage item={item} unconfirmed={waiting} />;
    case "text":
      return <AnswerText item={item} sessionId={sessionId} />;
    case "thinking":
      return <Thinking item={item} />;
    case "call":
      if (isSubagent(item.name) || (thread?.length ?? 0) > 0) {
        return (
          <SubagentCard
            call={item}
            waiting={waiting}
            thread={thread ?? []}
            task={task}
            draw={(items) => (
              <>
                {items.map((inner) => (
                  <Row key={inner.key} {...(inside?.(inner) ?? { item: inner, sessionId, folder, waiting: false })} />
                ))}
              </>
            )}
          />
        );
      }
      return <CallCard call={item} sessionId={sessionId} folder={folder} waiting={waiting} progress={progress} />;
    case "block":
      return <BlockView block={item.block} />;
    case "turn":
      return <TurnEnd item={item} />;
    case "note":
      return <Note item={item} />;
    case "decision":
      return <LooseDecision item={item} />;
    case "event":
      return <Event item={item} />;
  }
});
