import type { Send } from "./send.ts";

/**
 * Sends a form like a browser on a page of this server. @param fields a list sends the same field several
 * times
 */
export function submit(
  send: Send,
  path: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) body.append(name, one);
  return send(path, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      ...headers,
    },
    body: body.toString(),
  });
}

/** The value of a field in a page, with character references decoded. */
export function fieldValue(html: string, name: string): string | undefined {
  const within = `(?:[^">]|"[^"]*")*`;
  const field = new RegExp(`<(?:input|textarea)${within}\\bname="${name}"${within}>`).exec(html);
  if (field === null) return undefined;
  const [tag] = field;
  const raw = tag.startsWith("<textarea")
    ? html.slice(field.index + tag.length, html.indexOf("</textarea>", field.index)).replace(/^\n/, "")
    : /\bvalue="([^"]*)"/.exec(tag)?.[1];
  return raw === undefined ? "" : decoded(raw);
}

function decoded(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
