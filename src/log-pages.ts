/** Size of a page, in bytes. The thread that writes is woken once a page: for each 64 KiB it cost 3 µs a request. */
const PAGE = 1024 * 1024;
/** Most bytes of a character in a string's UTF-16 code unit, as UTF-8. */
const BYTES_PER_UNIT = 3;

/** Lines that wait to be written, as UTF-8 in pages. */
export class LogPages {
  readonly #full: Buffer[] = [];
  #page: Buffer = NOTHING;
  #length = 0;
  #fullBytes = 0;
  /** A page that was written, to be filled again. */
  #spare: Buffer | undefined;

  /** How many bytes wait. */
  get bytes(): number {
    return this.#fullBytes + this.#length;
  }

  /** Whether a page is full, and so worth a write. */
  get hasFullPage(): boolean {
    return this.#full.length > 0;
  }

  append(line: string): void {
    const longest = line.length * BYTES_PER_UNIT;
    if (longest > this.#page.length - this.#length) this.#startPage(longest);
    this.#length += this.#page.write(line, this.#length);
  }

  /** @returns the oldest lines, whole ones, as many as lie in one page; nothing when none wait */
  take(): Buffer {
    if (!this.hasFullPage) this.#close();
    const oldest = this.#full.shift() ?? NOTHING;
    this.#fullBytes -= oldest.length;
    return oldest;
  }

  /** A page that was taken is written and can be filled again. */
  giveBack(page: Buffer): void {
    if (page.buffer.byteLength === PAGE) this.#spare = Buffer.from(page.buffer);
  }

  /** Closes the page and begins another with room for this many bytes. */
  #startPage(room: number): void {
    this.#close();
    const spare = this.#spare;
    this.#spare = undefined;
    this.#page = room > PAGE ? Buffer.allocUnsafeSlow(room) : (spare ?? Buffer.allocUnsafeSlow(PAGE));
  }

  #close(): void {
    if (this.#length > 0) this.#full.push(this.#page.subarray(0, this.#length));
    this.#fullBytes += this.#length;
    this.#page = NOTHING;
    this.#length = 0;
  }
}

const NOTHING = Buffer.alloc(0);
