// Documents for the device's own files.

import type { ExportFormat } from "aqueduct-client";

const TYPES: Readonly<Record<string, string>> = {
  markdown: "text/markdown",
  html: "text/html",
  jsonl: "application/x-ndjson",
};

/** Has the browser save a document. */
export function save(name: string, content: string, format: ExportFormat): void {
  const address = URL.createObjectURL(new Blob([content], { type: TYPES[format] ?? "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
