/** A name of an encoding, as `TextDecoder` takes it. */
export type Label = NonNullable<ConstructorParameters<typeof TextDecoder>[0]>;

/** The encoding shown by the first bytes: a byte order mark, or every second byte zero, as for ASCII in UTF-16. */
export function markedEncoding([first, second, third, fourth]: Uint8Array): Label | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return first && second === 0 && third && fourth === 0 ? "utf-16le" : undefined;
}

/** The encoding that a label names, such as `windows-1252` for `latin1`; undefined when there is none. */
export function namedEncoding(label: string): Label | undefined {
  try {
    return new TextDecoder(label as Label).encoding as Label;
  } catch {
    return undefined;
  }
}
