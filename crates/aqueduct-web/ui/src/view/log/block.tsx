import type { JSX } from "preact";
import type { ContentBlock } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Icon } from "../part/icon.tsx";
import { Json } from "../part/json.tsx";
import { Pictures } from "../part/picture.tsx";

/** A block without a look of its own. */
export function BlockView({ block }: { block: ContentBlock }): JSX.Element {
  if (block.type === "image") {
    const { source } = block as { source?: { type?: string; media_type?: string; data?: string } };
    if (source?.type === "base64" && source.media_type && source.data) return <Pictures images={[{ mediaType: source.media_type, data: source.data }]} />;
  }
  if (block.type === "document") {
    const { title } = block as { title?: string | null };
    return (
      <span class="chip">
        <Icon name="file" /> {title ?? t.log.document}
      </span>
    );
  }
  if (block.type === "redacted_thinking") return <p class="note">{t.log.thought}</p>;
  return (
    <details class="note folded">
      <summary>{block.type}</summary>
      <Json value={block} />
    </details>
  );
}
