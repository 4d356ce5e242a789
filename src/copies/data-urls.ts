/** What was taken out of a page: the bytes of a `data:` URL, and where their text was. */
export interface TakenOut {
  /** In bytes of what is left. */
  readonly position: number;
  readonly bytes: Uint8Array;
}

const BEFORE = Buffer.from(";base64,");

/** The least number of characters that are taken out: the row of a part takes about as much. */
const LENGTH_MIN = 1_024;
/** How many are taken out of one page. */
const COUNT_MAX = 500;

/**
 * Takes pictures and fonts out of a page that has them as `data:` URLs, such as one of SingleFile: as bytes they take three
 * quarters of the room, and copies that have the same share them. What {@link putBack} would not write as it was stays.
 */
export function takeOut(page: Uint8Array): { readonly rest: Uint8Array; readonly taken: TakenOut[] } {
  const whole = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const rest: Uint8Array[] = [];
  const taken: TakenOut[] = [];
  let copied = 0;
  let position = 0;
  for (let found = whole.indexOf(BEFORE); found !== -1; ) {
    const start = found + BEFORE.length;
    const end = endOfBase64(whole, start);
    if (end - start >= LENGTH_MIN && taken.length < COUNT_MAX) {
      const text = whole.toString("latin1", start, end);
      const bytes = Buffer.from(text, "base64");
      if (bytes.toString("base64") === text) {
        rest.push(whole.subarray(copied, start));
        position += start - copied;
        taken.push({ position, bytes });
        copied = end;
      }
    }
    found = whole.indexOf(BEFORE, end);
  }
  rest.push(whole.subarray(copied));
  return { rest: Buffer.concat(rest), taken };
}

/** The page as it was. @param taken in the order of their positions */
export function putBack(rest: Uint8Array, taken: readonly TakenOut[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { position, bytes } of taken) {
    pieces.push(
      rest.subarray(copied, position),
      Buffer.from(Buffer.from(bytes).toString("base64"), "latin1"),
    );
    copied = position;
  }
  pieces.push(rest.subarray(copied));
  return Buffer.concat(pieces);
}

function endOfBase64(whole: Uint8Array, start: number): number {
  let end = start;
  while (end < whole.length && isBase64(whole[end] ?? 0)) end++;
  return end;
}

/** Whether a byte is a letter, a digit, `+`, `/` or `=`. */
function isBase64(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x3d
  );
}
