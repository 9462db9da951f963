import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ImageContent } from "aqueduct-client";
import { t } from "../../strings.ts";
import { Dialog } from "./dialog.tsx";

/** Media types that are shown. SVG is, too: as an image it runs nothing. */
const SHOWN = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;

/** Where an image's bytes are, if it is one that can be shown; never on another origin. */
export function source(image: ImageContent): string | undefined {
  if (!SHOWN.test(image.mediaType)) return undefined;
  if (image.data) return `data:${image.mediaType};base64,${image.data}`;
  if (image.url?.startsWith("/") && !image.url.startsWith("//")) return image.url;
  return undefined;
}

/** Images, small; each opens large. */
export function Pictures({ images }: { images: readonly ImageContent[] }): JSX.Element | null {
  const [open, setOpen] = useState<ImageContent>();
  if (images.length === 0) return null;
  return (
    <div class="pictures">
      {images.map((image, at) => {
        const src = source(image);
        const name = image.name ?? `${t.log.image} ${at + 1}`;
        return src ? (
          <button key={at} type="button" class="picture" onClick={() => setOpen(image)} aria-label={name}>
            <img src={src} alt="" loading="lazy" />
          </button>
        ) : (
          <span key={at} class="chip">{name} · {image.mediaType}</span>
        );
      })}
      {open && (
        <Dialog title={open.name ?? t.log.image} onClose={() => setOpen(undefined)} class="wide">
          <img class="large-picture" src={source(open)} alt={open.name ?? t.log.image} />
        </Dialog>
      )}
    </div>
  );
}
