import type { Row } from "./rows.ts";

/** The request of a row. @param record the record that it is about */
export function requestOf(row: Row, record: string, headers: Headers): Request {
  const { body, headers: described } = bodyOf(row, record);
  for (const [name, value] of Object.entries(described ?? {})) headers.set(name, value);
  return new Request(`http://localhost${addressOf(row, record)}`, {
    method: row.method,
    headers,
    ...(body != null && { body }),
  });
}

/** The path and query of a row's request about a record. */
export function addressOf({ path, at, query }: Row, record: string): string {
  const filled = path
    .replace("{number}", "1")
    .replace("{picture}", "picture-1")
    .replace(
      /\{[^}]+\}(?:\/copies\/\{copy\}|\/marks\/\{mark\}|\/changes\/\{day\}|\/comments\/\{id\}|\/\{name\})?/,
      () => at ?? record,
    );
  return filled + ((typeof query === "function" ? query(record) : query) ?? "");
}

/** The body of a row's request about a record, with its type where the body does not say it. */
export function bodyOf({ json, form, file }: Row, record: string): Pick<RequestInit, "body" | "headers"> {
  if (json !== undefined) {
    const body = JSON.stringify(typeof json === "function" ? json(record) : json);
    return { body, headers: { "content-type": "application/json", "content-length": String(body.length) } };
  }
  if (form !== undefined) {
    const body = new URLSearchParams(typeof form === "function" ? form(record) : form).toString();
    const type = "application/x-www-form-urlencoded";
    return { body, headers: { "content-type": type, "content-length": String(body.length) } };
  }
  return file ? { body: new FormData(), headers: {} } : { headers: {} };
}
