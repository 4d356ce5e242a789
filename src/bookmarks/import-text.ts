/** A file's text, and the name of the encoding that it was read in. */
export interface FileText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Decodes a bookmark file: by its byte order mark, else as its `<META>` says, else as UTF-8, else, when it
 * is not even that, as windows-1252, in which every byte means something.
 */
export function decodeBookmarkFile(bytes: Uint8Array): FileText {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes) ?? "utf-8";
  return decode(bytes, encoding) ?? { text: windows1252.decode(bytes), encoding: windows1252.encoding };
}

const windows1252 = new TextDecoder("windows-1252");

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** HTML's own prescan looks at as many bytes. */
const PRESCAN = 1024;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = windows1252.decode(bytes.subarray(0, PRESCAN));
  const [, label = ""] = /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i.exec(start) ?? [];
  // A declaration that can be read as ASCII cannot be right about UTF-16.
  return /^utf-?16/i.test(label) ? undefined : strictDecoder(label)?.encoding;
}

/** Undefined when the bytes are not of that encoding. */
function decode(bytes: Uint8Array, encoding: string): FileText | undefined {
  try {
    const text = strictDecoder(encoding)?.decode(bytes);
    return text === undefined ? undefined : { text, encoding };
  } catch {
    return undefined;
  }
}

/** Undefined when the encoding standard has no such label. */
function strictDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label as ConstructorParameters<typeof TextDecoder>[0], { fatal: true });
  } catch {
    return undefined;
  }
}
