import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SlashCommand } from "aqueduct-client";
import { useApp } from "../part/context.ts";
import { Visible } from "../part/visible.tsx";
import { commandOffers, fileOffers, type Offer, type Wanted } from "./completion.ts";

/** The id of the list, for the field that it belongs to. */
export const OFFERS_ID = "offers";

const ASK_AFTER_MS = 80;

/** The ways to complete what is being typed. */
export function useOffers(sessionId: string, want: Wanted | undefined): readonly Offer[] {
  const app = useApp();
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const commands = useRef<readonly SlashCommand[]>(undefined);
  useEffect(() => {
    if (!want) {
      setOffers([]);
      return;
    }
    let gone = false;
    const find = async (): Promise<readonly Offer[]> => {
      if (want.kind === "command") {
        commands.current ??= (await app.connection.request<"commands">({ type: "list_commands", sessionId })).commands;
        return commandOffers(commands.current, want.query);
      }
      const found = await app.connection.request<"files">({ type: "list_files", sessionId, query: want.query, limit: 20 });
      return fileOffers(found.files);
    };
    const timer = setTimeout(() => {
      // Completion is a help: without it one types.
      find().then((found) => !gone && setOffers(found), () => !gone && setOffers([]));
    }, want.kind === "file" ? ASK_AFTER_MS : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [sessionId, want?.kind, want?.query]);
  return offers;
}

interface OffersProps {
  offers: readonly Offer[];
  at: number;
  label: string;
  onChoose(offer: Offer): void;
}

/** The list of ways to complete what is being typed. */
export function Offers({ offers, at, label, onChoose }: OffersProps): JSX.Element | null {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (offers.length === 0) return null;
  return (
    <ul ref={list} class="offers" role="listbox" id={OFFERS_ID} aria-label={label}>
      {offers.map((offer, index) => (
        <li
          key={offer.insert}
          id={`${OFFERS_ID}-${index}`}
          role="option"
          aria-selected={index === at}
          // Before the field loses its focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(offer);
          }}
        >
          <span class="offer-label"><Visible text={offer.label} /></span>
          {offer.hint && <small>{offer.hint}</small>}
        </li>
      ))}
    </ul>
  );
}
