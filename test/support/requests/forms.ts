import { parseDocument } from "htmlparser2";
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

/** A form as a browser has it before anybody types: where it leads, and what it sends with its first button. */
export interface ShownForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string[]>>;
}

/**
 * The forms of a page that are sent by POST.
 * @param action only those that lead to a path that begins with it
 */
export function formsOf(html: string, action = ""): ShownForm[] {
  const forms = elementsOf(parseDocument(html) as unknown as Node, /^form$/);
  return forms
    .filter(({ attribs = {} }) => attribs.method === "post" && attribs.action?.startsWith(action))
    .map((form) => {
      const fields: Record<string, string[]> = {};
      const add = (name: string | undefined, value: string) => {
        if (name) fields[name] = [...(fields[name] ?? []), value];
      };
      let hasButton = false;
      for (const { name, attribs = {}, children = [] } of elementsOf(form, FIELDS)) {
        if ("disabled" in attribs) continue;
        if (name === "textarea") add(attribs.name, textOf(children).replace(/^\n/, ""));
        else if (name === "select") add(attribs.name, chosenOf(children));
        else if (name === "button") {
          if (!hasButton && attribs.type === "submit") add(attribs.name, attribs.value ?? "");
          hasButton ||= attribs.type === "submit";
        } else if (attribs.type === "checkbox" || attribs.type === "radio") {
          if ("checked" in attribs) add(attribs.name, attribs.value ?? "on");
        } else if (attribs.type !== "file") add(attribs.name, attribs.value ?? "");
      }
      return { action: form.attribs?.action ?? "", fields };
    });
}

const FIELDS = /^(?:input|textarea|select|button)$/;

/** A node of htmlparser2's document, as far as a form needs it. */
interface Node {
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
}

function elementsOf(node: Node, name: RegExp): Node[] {
  return (node.children ?? []).flatMap((child) => [
    ...(child.name !== undefined && name.test(child.name) ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

function chosenOf(children: readonly Node[]): string {
  const options = elementsOf({ children }, /^option$/);
  const chosen = options.find(({ attribs = {} }) => "selected" in attribs) ?? options[0];
  return chosen?.attribs?.value ?? textOf(chosen?.children ?? []);
}

function textOf(children: readonly Node[]): string {
  return children.map(({ data, children = [] }) => data ?? textOf(children)).join("");
}
