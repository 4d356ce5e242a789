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
/** The characters that are decoded at a time: whole groups of four. */
const PIECE = 64 * 1024;

/**
 * Takes pictures and fonts out of a page that has them as `data:` URLs, such as one of SingleFile: as bytes they take three
 * quarters of the room, and copies that have the same share them. What {@link putBack} would not write as it was stays.
 */
export function takeOut(page: Uint8Array): {
  readonly rest: Uint8Array;
  /** Decoded when they are asked for: a page has megabytes of them. */
  readonly taken: readonly { readonly position: number; readonly decode: () => Uint8Array }[];
} {
  const whole = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const rest: Uint8Array[] = [];
  const taken: { position: number; decode: () => Uint8Array }[] = [];
  let copied = 0;
  let position = 0;
  for (let found = whole.indexOf(BEFORE); found !== -1; ) {
    const start = found + BEFORE.length;
    const end = endOfBase64(whole, start);
    if (end - start >= LENGTH_MIN && taken.length < COUNT_MAX) {
      if (isCanonical(whole, start, end)) {
        rest.push(whole.subarray(copied, start));
        position += start - copied;
        taken.push({ position, decode: () => decoded(whole, start, end) });
        copied = end;
      }
    }
    found = whole.indexOf(BEFORE, end);
  }
  rest.push(whole.subarray(copied));
  return { rest: Buffer.concat(rest), taken };
}

/** Decodes in pieces: the characters of a whole picture would be in memory once more. */
function decoded(whole: Buffer, start: number, end: number): Uint8Array {
  const padding = whole.subarray(end - 2, end).filter((byte) => byte === PADDING).length;
  const bytes = Buffer.allocUnsafeSlow(((end - start) / 4) * 3 - padding);
  let written = 0;
  for (let at = start; at < end; at += PIECE)
    written += bytes.write(whole.toString("latin1", at, Math.min(end, at + PIECE)), written, "base64");
  return bytes;
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

/** Whether base64 is what an encoder writes: whole groups, padding at the end alone, and no bits that a decoder drops. */
function isCanonical(whole: Buffer, start: number, end: number): boolean {
  if ((end - start) % 4 !== 0) return false;
  const padding = whole[end - 1] !== PADDING ? 0 : whole[end - 2] !== PADDING ? 1 : 2;
  const first = whole.indexOf(PADDING, start);
  if (first !== -1 && first < end - padding) return false;
  const dropped = [0, 0b11, 0b1111][padding] ?? 0;
  return (DIGITS.indexOf(String.fromCharCode(whole[end - 1 - padding] ?? 0)) & dropped) === 0;
}

const PADDING = 0x3d;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
