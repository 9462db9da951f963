import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SessionInfo } from "aqueduct-client";
import { isBusy } from "../../store/sessions.ts";
import { t } from "../../strings.ts";
import { IconButton } from "../part/button.tsx";
import { useApp } from "../part/context.ts";
import { Icon } from "../part/icon.tsx";
import { attachment, type Attachment } from "./attachment.ts";
import { completed, wanted, type Offer } from "./completion.ts";
import { useDictation } from "./dictation.ts";
import { Offers, OFFERS_ID, useOffers } from "./offers.tsx";
import { StopButton } from "./stop.tsx";
import { Switches } from "./switches.tsx";

/** The field in which people write, and all that belongs to it. */
export function Composer({ sessionId, session }: { sessionId: string; session?: SessionInfo }): JSX.Element {
  const app = useApp();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, show] = useState(() => app.drafts.get(sessionId));
  const [caret, setCaret] = useState(0);
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [earlier, setEarlier] = useState(-1);
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState(false);
  const [over, setOver] = useState(false);
  const busy = isBusy(session?.status);
  const want = closed ? undefined : wanted(text, caret);
  const offers = useOffers(sessionId, want);

  useLayoutEffect(() => grow(field.current), [text]);
  useEffect(() => setChosen(0), [want?.query]);

  /** Stored at once, so that it is there after the page is left. */
  const setText = (next: string): void => {
    app.drafts.set(sessionId, next);
    show(next);
  };
  const put = (next: string, at = next.length): void => {
    setText(next);
    setCaret(at);
    queueMicrotask(() => field.current?.setSelectionRange(at, at));
  };
  const dictation = useDictation(
    (said) => setText(text === "" ? said : `${text.trimEnd()} ${said}`),
    () => app.toasts.show("error", t.composer.cantDictate),
  );

  const send = (): void => {
    if (text.trim() === "" && files.length === 0) return;
    app.say(sessionId, {
      text,
      images: files.flatMap((file) => (file.kind === "image" ? [file.image] : [])),
      blocks: files.flatMap((file) => (file.kind === "block" ? [file.block] : [])),
    });
    put("");
    setFiles([]);
    setEarlier(-1);
  };

  const choose = (offer: Offer): void => {
    if (!want) return;
    const next = completed(text, want, offer);
    put(next.text, next.caret);
    field.current?.focus();
  };

  const attach = async (list: Iterable<File>): Promise<void> => {
    const most = (app.hello.value?.limits.messageBytes ?? 32 << 20) * 0.7;
    for (const file of list) {
      const read = await attachment(file, most).catch(() => undefined);
      if (read === "tooLarge") app.toasts.show("error", t.composer.tooLarge(file.name));
      else if (read) setFiles((old) => [...old, read]);
      else app.toasts.show("error", t.composer.cantRead(file.name));
    }
  };

  const recall = (step: number): void => {
    const list = app.drafts.sent();
    const at = Math.max(-1, Math.min(list.length - 1, earlier + step));
    setEarlier(at);
    put(at < 0 ? "" : (list[at] ?? ""));
  };

  const keys = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (offers.length > 0 && want) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        setChosen((chosen + (event.key === "ArrowDown" ? 1 : offers.length - 1)) % offers.length);
        return;
      }
      const offer = offers[chosen];
      // A command that is typed out goes as it is.
      const whole = offer?.insert === text;
      if (offer && (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !whole))) {
        event.preventDefault();
        choose(offer);
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        setClosed(true);
        return;
      }
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (app.preferences.value.enterSends && !event.shiftKey && !event.altKey))) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && (text === "" || (earlier >= 0 && caret === text.length))) {
      event.preventDefault();
      recall(1);
    } else if (event.key === "ArrowDown" && earlier >= 0 && caret === text.length) {
      event.preventDefault();
      recall(-1);
    } else if (event.key === "Escape") {
      field.current?.blur();
    }
  };

  const track = (): void => setCaret(field.current?.selectionStart ?? 0);
  return (
    <form
      class={`composer ${over ? "over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void attach(event.dataTransfer?.files ?? []);
      }}
    >
      <Offers offers={want ? offers : []} at={chosen} label={want?.kind === "file" ? t.composer.files : t.composer.commands} onChoose={choose} />
      <div class="composer-box">
        {files.length > 0 && (
          <ul class="attachments">
            {files.map((file, at) => (
              <li key={at} class="chip">
                <Icon name={file.kind === "image" ? "image" : "file"} />
                <span>{file.name}</span>
                <IconButton icon="close" label={t.composer.removeAttachment(file.name)} onClick={() => setFiles(files.toSpliced(at, 1))} />
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          id="message"
          rows={1}
          aria-label={t.composer.name}
          placeholder={over ? t.composer.dropHere : busy ? t.composer.hintBusy : t.composer.hint}
          value={text}
          aria-autocomplete={offers.length > 0 && want ? "list" : undefined}
          aria-controls={offers.length > 0 && want ? OFFERS_ID : undefined}
          aria-activedescendant={offers.length > 0 && want ? `${OFFERS_ID}-${chosen}` : undefined}
          enterkeyhint={app.preferences.value.enterSends ? "send" : "enter"}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setClosed(false);
            track();
          }}
          onKeyDown={keys}
          onKeyUp={track}
          onClick={track}
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])];
            if (pasted.length === 0) return;
            event.preventDefault();
            void attach(pasted);
          }}
        />
        <div class="composer-buttons">
          <label class="icon-button" title={t.composer.attach}>
            <Icon name="clip" />
            <span class="off-screen">{t.composer.attach}</span>
            <input
              type="file"
              class="off-screen"
              multiple
              onChange={(event) => {
                void attach([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = "";
              }}
            />
          </label>
          {dictation && <IconButton icon="mic" label={dictation.on ? t.composer.dictating : t.composer.dictate} pressed={dictation.on} onClick={dictation.toggle} />}
          {session && <Switches session={session} />}
          {busy && <StopButton sessionId={sessionId} />}
          <button type="submit" class="send" aria-label={t.composer.send} title={busy ? t.composer.queue : t.composer.send} disabled={text.trim() === "" && files.length === 0}>
            <Icon name="send" />
          </button>
        </div>
      </div>
    </form>
  );
}

/** As high as its text, up to what the style allows. */
function grow(element: HTMLTextAreaElement | null): void {
  if (!element) return;
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
}
