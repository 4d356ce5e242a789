/** Parts of XML in which an ampersand is an ordinary character, by their beginning. */
const PLAIN: Readonly<Record<string, string>> = { "<![CDATA[": "]]>", "<!--": "-->", "<?": "?>" };
const BEGINNINGS = /&|<!\[CDATA\[|<!--|<\?/g;
const REFERENCE = /&(?:#\d{1,8}|#x[\da-f]{1,8}|[a-z][\w.-]{0,39});/iy;
/** No reference and no beginning of such a part is longer; so much of a piece waits for the next one. */
const LONGEST = 42;

/**
 * Escapes the ampersands of XML that begin no reference, as in `Fish & chips`: some programs forget that, and a parser would take
 * everything to the next semicolon for the name of an entity. Only their number is in memory.
 */
export class BareAmpersands {
  count = 0;
  /** What ends the part in which the text is. */
  #end: string | undefined;

  async *escape(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    let rest = "";
    for await (const piece of pieces) {
      const text = rest + piece;
      const safe = text.length - LONGEST;
      if (safe <= 0) {
        rest = text;
        continue;
      }
      const [escaped, position] = this.#upTo(text, safe);
      rest = text.slice(position);
      yield escaped;
    }
    yield this.#upTo(rest, rest.length)[0];
  }

  /** Escapes a text up to about a position. @returns it, and where it ends */
  #upTo(text: string, safe: number): readonly [escaped: string, position: number] {
    let escaped = "";
    let done = 0;
    let at = 0;
    while (at < safe) {
      if (this.#end !== undefined) {
        const end = text.indexOf(this.#end, at);
        if (end === -1) {
          // Its end may be cut in two.
          at = Math.max(at, safe);
          break;
        }
        at = end + this.#end.length;
        this.#end = undefined;
        continue;
      }
      BEGINNINGS.lastIndex = at;
      const found = BEGINNINGS.exec(text);
      if (found === null || found.index >= safe) {
        at = safe;
        break;
      }
      at = found.index;
      if (found[0] !== "&") {
        this.#end = PLAIN[found[0]];
        at += found[0].length;
        continue;
      }
      REFERENCE.lastIndex = at;
      if (REFERENCE.test(text)) {
        at = REFERENCE.lastIndex;
        continue;
      }
      this.count++;
      escaped += `${text.slice(done, at)}&amp;`;
      at++;
      done = at;
    }
    return [escaped + text.slice(done, at), at];
  }
}
