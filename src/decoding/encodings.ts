import { type Attributes, HtmlTags } from "./html-tags.ts";

/** A name of an encoding, as `TextDecoder` takes it. */
export type Label = NonNullable<ConstructorParameters<typeof TextDecoder>[0]>;

/** The encoding that a label names, such as `windows-1252` for `latin1`; undefined when there is none. */
export function namedEncoding(label: string): Label | undefined {
  try {
    return new TextDecoder(label.trim() as Label).encoding as Label;
  } catch {
    return undefined;
  }
}

/** The encoding shown by the first bytes: a byte order mark, or every second byte zero, as for ASCII in UTF-16. */
export function markedEncoding([first, second, third, fourth]: Uint8Array): Label | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return first && second === 0 && third && fourth === 0 ? "utf-16le" : undefined;
}

/** The number of bytes in which a declaration is looked for (HTML, section 13.2.3.2). */
export const PRESCAN = 1024;

const XML_DECLARATION = /^\s{0,99}<\?xml\s[^>]{0,500}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/;

/** The encoding that the XML declaration of a file names; undefined when it names none. */
export function declaredInXml(beginning: Uint8Array): Label | undefined {
  const [, label] = XML_DECLARATION.exec(asLatin1(beginning)) ?? [];
  // A declaration that is readable as ASCII cannot be UTF-16.
  return label === undefined || /^utf-?16/i.test(label) ? undefined : namedEncoding(label);
}

/**
 * The encoding that an HTML file declares in its first bytes, by a `<meta>`, else as XML (HTML, section 13.2.3.2: prescan a
 * byte stream to determine its encoding); undefined when it declares none.
 */
export function declaredInHtml(beginning: Uint8Array): Label | undefined {
  let found: Label | undefined;
  const tags = new HtmlTags({
    // As in the standard, this also looks into scripts.
    hasTagsOnly: () => true,
    startTag(name, attributes) {
      if (name === "meta") found ??= encodingOfMeta(attributes);
    },
  });
  tags.write(asLatin1(beginning));
  return found ?? declaredInXml(beginning);
}

/**
 * The encoding that a `<meta>` declares; undefined when it declares none. One that is readable as ASCII is not UTF-16, so
 * the standard reads `utf-16` as UTF-8.
 */
export function encodingOfMeta(attributes: Attributes): Label | undefined {
  const isPragma = attributes.get("http-equiv")?.toLowerCase() === "content-type";
  const label =
    attributes.get("charset") ?? (isPragma ? charsetIn(attributes.get("content") ?? "") : undefined);
  if (label === undefined) return undefined;
  if (label.trim().toLowerCase() === "x-user-defined") return "windows-1252";
  const named = namedEncoding(label);
  return named?.startsWith("utf-16") ? "utf-8" : named;
}

/** The label after `charset=` in the `content` of a `<meta>` (HTML, section 2.4.3). */
function charsetIn(text: string): string | undefined {
  const [, double, single, bare] =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i.exec(text) ??
    [];
  return double ?? single ?? bare;
}

function asLatin1(beginning: Uint8Array): string {
  return Buffer.from(beginning.subarray(0, PRESCAN)).toString("latin1");
}
