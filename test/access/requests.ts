import type { Row } from "./rows.ts";

/** The request of a row. @param record the record that it is about */
export function requestOf(row: Row, record: string, headers: Headers): Request {
  const given = <T>(value: T | ((record: string) => T) | undefined) =>
    typeof value === "function" ? (value as (record: string) => T)(record) : value;
  const path = row.path
    .replace("{number}", "1")
    .replace(/\{[^}]+\}(?:\/comments\/\{id\}|\/\{name\})?/, () => row.at ?? record);
  let body: string | FormData | undefined;
  if (row.json !== undefined) {
    headers.set("content-type", "application/json");
    body = JSON.stringify(given(row.json));
  } else if (row.form !== undefined) {
    headers.set("content-type", "application/x-www-form-urlencoded");
    body = new URLSearchParams(given(row.form)).toString();
  } else if (row.file) body = new FormData();
  if (typeof body === "string") headers.set("content-length", String(body.length));
  return new Request(`http://localhost${path}${given(row.query) ?? ""}`, {
    method: row.method,
    headers,
    ...(body !== undefined && { body }),
  });
}
