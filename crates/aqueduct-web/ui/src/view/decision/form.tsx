import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PermissionRequest } from "aqueduct-client";
import { t } from "../../strings.ts";
import { address } from "../../text/markdown.ts";
import { Button } from "../part/button.tsx";
import { Icon } from "../part/icon.tsx";
import { Visible } from "../part/visible.tsx";
import { useDecide } from "./decide.ts";

/** A member of a form, in the small part of JSON Schema that forms may use. */
interface Field {
  type?: string;
  title?: string;
  description?: string;
  enum?: readonly string[];
  enumNames?: readonly string[];
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

interface Form {
  message?: string;
  url?: string;
  requested_schema?: { properties?: Readonly<Record<string, Field>>; required?: readonly string[] };
}

type Values = Readonly<Record<string, string | boolean>>;

/** What an MCP server wants to know: a form, or a page to visit. */
export function FormCard({ request }: { request: PermissionRequest }): JSX.Element {
  const { busy, decide } = useDecide();
  const form = (request.input ?? {}) as Form;
  const fields = Object.entries(form.requested_schema?.properties ?? {});
  const [values, setValues] = useState<Values>(() => Object.fromEntries(fields.map(([name, field]) => [name, initial(field)])));
  const { id, sessionId, inputHash } = request;
  const page = form.url ? address(form.url) : undefined;
  const send = (): void => {
    if (form.url) decide({ type: "approve", id, sessionId, inputHash });
    else decide({ type: "answer", toolUseId: id, sessionId, inputHash, content: content(fields, values) });
  };
  return (
    <section class="decision" role="region" aria-label={t.permission.form}>
      <form
        class="decision-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div class="decision-body">
          <header>
            <Icon name="plug" />
            <h2>{request.title ?? request.mcpServer ?? request.toolName}</h2>
          </header>
          {form.message && <p>{form.message}</p>}
          {form.url && (
            <p>
              {t.form.pageHint}{" "}
              {page && !page.file ? (
                <a href={page.href} target="_blank" rel="noopener noreferrer">
                  <Visible text={form.url} />
                </a>
              ) : (
                <Visible text={form.url} />
              )}
            </p>
          )}
          {fields.map(([name, field]) => (
            <FormField key={name} name={name} field={field} value={values[name] ?? ""} needed={form.requested_schema?.required?.includes(name) ?? false} onChange={(value) => setValues({ ...values, [name]: value })} />
          ))}
        </div>
        <footer class="decision-buttons">
          <Button kind="quiet" disabled={busy} onClick={() => decide({ type: "reject", id, sessionId, inputHash })}>{t.form.decline}</Button>
          <Button kind="primary" type="submit" disabled={busy}>{form.url ? t.form.done : t.form.submit}</Button>
        </footer>
      </form>
    </section>
  );
}

interface FormFieldProps {
  name: string;
  field: Field;
  value: string | boolean;
  needed: boolean;
  onChange(value: string | boolean): void;
}

function FormField({ name, field, value, needed, onChange }: FormFieldProps): JSX.Element {
  const label = `${field.title ?? name}${needed ? " *" : ""}`;
  const hint = field.description && <small class="quiet">{field.description}</small>;
  if (field.type === "boolean") {
    return (
      <label class="field check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>{label}</span>
        {hint}
      </label>
    );
  }
  return (
    <label class="field">
      <span>{label}</span>
      {field.enum ? (
        <select value={String(value)} required={needed} onChange={(event) => onChange(event.currentTarget.value)}>
          {!needed && <option value="" />}
          {field.enum.map((option, at) => (
            <option key={option} value={option}>
              {field.enumNames?.[at] ?? option}
            </option>
          ))}
        </select>
      ) : (
        <input {...inputType(field)} value={String(value)} required={needed} min={field.minimum} max={field.maximum} step={field.type === "integer" ? 1 : "any"} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {hint}
    </label>
  );
}

function inputType(field: Field): { type: "text" } {
  const types: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" };
  const type = field.type === "number" || field.type === "integer" ? "number" : (types[field.format ?? ""] ?? "text");
  // The properties that are set here are those that all of these have.
  return { type: type as "text" };
}

function initial(field: Field): string | boolean {
  if (field.type === "boolean") return field.default === true;
  return field.default === undefined ? "" : String(field.default);
}

/** The form's values in the types that it asks for; what was left empty is left out. */
function content(fields: ReadonlyArray<[string, Field]>, values: Values): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = values[name];
    if (field.type === "boolean") out[name] = value === true;
    else if (value !== "" && value !== undefined) out[name] = field.type === "number" || field.type === "integer" ? Number(value) : value;
  }
  return out;
}
