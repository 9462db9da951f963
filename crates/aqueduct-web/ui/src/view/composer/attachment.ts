// Files that go with an input.

import type { ContentBlock, InputImage } from "aqueduct-client";
import { scaled } from "./scaled.ts";

/** A file that goes with an input. */
export type Attachment = { name: string; bytes: number } & ({ kind: "image"; image: InputImage } | { kind: "block"; block: ContentBlock });

const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MOST_TEXT = 1_000_000;

/** Reads a file; undefined for one that no model can read, "tooLarge" for one of more than `most` bytes. */
export async function attachment(file: File, most: number): Promise<Attachment | "tooLarge" | undefined> {
  const { name, size: bytes } = file;
  if (IMAGES.has(file.type)) {
    const image = await scaled(file);
    if (image.size > most) return "tooLarge";
    return { name, bytes: image.size, kind: "image", image: { mediaType: image.type, data: await base64(image), name } };
  }
  if (bytes > most) return "tooLarge";
  if (file.type === "application/pdf") {
    const source = { type: "base64", media_type: "application/pdf", data: await base64(file) } as const;
    return { name, bytes, kind: "block", block: { type: "document", source, title: name } };
  }
  if (bytes > MOST_TEXT) return undefined;
  const text = await file.text();
  // A byte that no text has.
  if (text.includes("\u0000")) return undefined;
  const source = { type: "text", media_type: "text/plain", data: text } as const;
  return { name, bytes, kind: "block", block: { type: "document", source, title: name } };
}

async function base64(file: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("the file can't be read"));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}
