import type { JSONParser, Tokenizer } from "@streamparser/json";

/**
 * Makes a tokenizer stop gathering a string or number at a length, and go on with what follows it. It also keeps the byte
 * order marks inside strings, which the tokenizer drops (0.0.26).
 *
 * @param max in characters
 */
export function boundStrings(of: Tokenizer | JSONParser, max: number): void {
  const { tokenizer = of } = of as { readonly tokenizer?: unknown };
  Object.assign(tokenizer as object, {
    bufferedString: new BoundedString(max),
    bufferedNumber: new BoundedString(max),
  });
}

/** Gathers the text of a string or number, as the tokenizer asks for it. */
class BoundedString {
  /** The tokenizer counts its place in the file with this. */
  byteLength = 0;
  readonly #max: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #text = "";

  constructor(max: number) {
    this.#max = max;
  }

  appendChar(code: number): void {
    this.byteLength += 1;
    this.appendCharCode(code);
  }

  appendBuf(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.byteLength += end - start;
    // What is dropped is checked, too.
    const text = this.#decoder.decode(bytes.subarray(start, end));
    if (this.#text.length < this.#max) this.#text += text;
  }

  appendCharCode(code: number): void {
    if (this.#text.length < this.#max) this.#text += String.fromCharCode(code);
  }

  reset(): void {
    this.#text = "";
    this.byteLength = 0;
  }

  toString(): string {
    return this.#text;
  }
}
