import type { FormFields, FormValue } from "../../http/body/body-decoders.ts";
import { textErrors } from "../../text.ts";
import { invalidRequest } from "./operation.ts";

/** The properties of an entry by name, each with its values (microformats 2). */
export type Properties = Readonly<Record<string, readonly unknown[]>>;

/** The parsed body of a request. */
export type MicropubCommand =
  | { readonly action: "create"; readonly properties: Properties }
  | ({ readonly action: "update"; readonly url: string } & PropertyChange)
  | { readonly action: "delete" | "undelete"; readonly url: string };

/** A change of properties. */
export interface PropertyChange {
  readonly replace: Properties;
  readonly add: Properties;
  /** Names of properties to remove, or values to remove by property. */
  readonly remove: readonly string[] | Properties;
}

const NAME = /^[a-z][a-z0-9-]{0,99}$/;
const PROPERTIES_MAX = 200;
const VALUES_MAX = 200;

/** Parses a form. @throws Refusal `malformed` */
export function parseFormCommand(fields: FormFields): MicropubCommand {
  const action = fields.action;
  if (action !== undefined) {
    if (action === "delete" || action === "undelete") return { action, url: urlIn(fields.url) };
    throw invalidRequest(
      action === "update"
        ? "An update must be sent as JSON."
        : "The action must be delete, undelete or, as JSON, update.",
    );
  }
  if (fields.h !== undefined && fields.h !== "entry") throw notAnEntry();
  const properties: Record<string, unknown[]> = {};
  for (const [field, given] of Object.entries(fields)) {
    if (field === "h" || field === "access_token") continue;
    const [, name = "", part] = /^([^[\]]+)(?:\[(html|\d{1,4})?\])?$/.exec(field) ?? [];
    checkName(name, field);
    const values: readonly FormValue[] = [given].flat();
    const filled = values.filter((value) => value !== "" && !(value instanceof File && value.size === 0));
    const shown = part === "html" ? filled.map((html) => ({ html })) : filled;
    properties[name] = [...(properties[name] ?? []), ...shown];
  }
  return { action: "create", properties: checked(properties) };
}

/** Parses a JSON object. @throws Refusal `malformed` */
export function parseJsonCommand(body: Readonly<Record<string, unknown>>): MicropubCommand {
  const { action } = body;
  if (action === undefined) {
    const [type, ...others] = Array.isArray(body.type) ? body.type : [];
    if (type !== "h-entry" || others.length > 0) throw notAnEntry();
    return { action: "create", properties: propertiesIn(body.properties ?? {}, "properties") };
  }
  if (action === "delete" || action === "undelete") return { action, url: urlIn(body.url) };
  if (action !== "update") throw invalidRequest("The action must be update, delete or undelete.");
  const { replace = {}, add = {}, delete: remove = [] } = body;
  return {
    action,
    url: urlIn(body.url),
    replace: propertiesIn(replace, "replace"),
    add: propertiesIn(add, "add"),
    remove: Array.isArray(remove) ? remove.map(nameIn) : propertiesIn(remove, "delete"),
  };
}

/** The properties after a change, in the order of the Recommendation: replaced, added, deleted. */
export function applyPropertyChange(
  before: Properties,
  { replace, add, remove }: PropertyChange,
): Properties {
  const after: Record<string, readonly unknown[]> = { ...before, ...replace };
  for (const [name, values] of Object.entries(add))
    after[name] = [...(after[name] ?? []), ...without(values, after[name])];
  if (Array.isArray(remove)) for (const name of remove) delete after[name];
  else
    for (const [name, values] of Object.entries(remove as Properties))
      after[name] = without(after[name] ?? [], values);
  return after;
}

/** The values that are not among others. */
function without(values: readonly unknown[], others: readonly unknown[] = []): readonly unknown[] {
  const keys = new Set(others.map(keyOf));
  return values.filter((value) => !keys.has(keyOf(value)));
}

/** Equal for values that are equal, whatever the order of their members. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function propertiesIn(value: unknown, where: string): Properties {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRequest(`${where} must be an object of properties.`);
  const properties: Record<string, unknown[]> = {};
  for (const [name, values] of Object.entries(value)) {
    checkName(name, name);
    if (!Array.isArray(values)) throw invalidRequest(`${where}: the values of ${name} must be an array.`);
    properties[name] = values;
  }
  return checked(properties);
}

function checked(properties: Record<string, unknown[]>): Properties {
  const names = Object.keys(properties);
  if (names.length > PROPERTIES_MAX) throw invalidRequest(`At most ${PROPERTIES_MAX} properties.`);
  for (const [name, values] of Object.entries(properties)) {
    if (values.length > VALUES_MAX) throw invalidRequest(`${name}: at most ${VALUES_MAX} values.`);
    for (const value of values) checkTexts(name, value);
  }
  return properties;
}

/** Refuses text that the databases cannot store. */
function checkTexts(name: string, value: unknown): void {
  if (value instanceof File) return;
  const texts = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const escaped = typeof value === "string" ? false : /\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(texts);
  const [error] = textErrors(texts, {});
  if (error !== undefined || escaped)
    throw invalidRequest(`${name}: ${error?.detail ?? "U+0000 and unpaired surrogates are not allowed."}`);
}

function nameIn(name: unknown): string {
  if (typeof name !== "string")
    throw invalidRequest("delete must be an array of names or an object of properties.");
  return name;
}

function checkName(name: string, field: string): void {
  if (!NAME.test(name))
    throw invalidRequest(`${JSON.stringify(field.slice(0, 100))} is not the name of a property.`);
}

function urlIn(url: unknown): string {
  if (typeof url !== "string" || url === "") throw invalidRequest("url is required: it identifies the post.");
  return url;
}

function notAnEntry() {
  return invalidRequest("Only entries can be created: use h=entry in a form, or the type h-entry in JSON.");
}
