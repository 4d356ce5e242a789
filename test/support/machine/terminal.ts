import { tmpdir } from "node:os";
import { COMMAND } from "../server/server.ts";

/** The command on a pseudoterminal, operated by the test. */
export class Terminal implements Disposable {
  readonly #child: Bun.Subprocess;
  readonly #decoder = new TextDecoder();
  #output = "";
  #read = 0;
  #changed = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn([COMMAND, ...words], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH ?? "", TERM: "xterm", ...env },
      terminal: {
        cols: 120,
        rows: 40,
        data: (_, bytes) => this.#show(bytes),
        exit: () => this.#close(),
      },
    });
  }

  /** The whole output, including control sequences. */
  get output(): string {
    return this.#output;
  }

  get exited(): Promise<number> {
    return this.#child.exited;
  }

  /**
   * Resolves when the text appears in the output after the previously awaited one.
   * @throws when the command ends first
   */
  async shows(text: string): Promise<void> {
    while (true) {
      const found = this.#output.indexOf(text, this.#read);
      if (found !== -1) {
        this.#read = found + text.length;
        return;
      }
      if (this.#isClosed) throw new Error(`"${text}" was never shown, but: ${this.#output}`);
      await this.#changed.promise;
    }
  }

  type(keys: string): void {
    this.#child.terminal?.write(keys);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
    this.#child.terminal?.close();
  }

  #close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  #show(bytes: Uint8Array): void {
    this.#output += this.#decoder.decode(bytes, { stream: true });
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
