import { closeSync, write } from "node:fs";
import { openTemporaryFile, temporaryFileRefusal } from "../../temporary-file.ts";

/**
 * An unnamed temporary file that becomes the body of a response. It is gone with its descriptors, also when the process is
 * killed.
 */
export class DownloadFile implements Disposable {
  #descriptor: number | undefined;
  #size = 0;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws Refusal as {@link append} */
  static async open(): Promise<DownloadFile> {
    return new DownloadFile(await openTemporaryFile());
  }

  /**
   * Writes in a thread, so that a slow disk delays nobody else.
   * @throws Refusal `storage_full` without space, `unavailable` for other errors of the system
   */
  async append(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const count = await this.#write(bytes.subarray(written)).catch((cause) => {
        throw temporaryFileRefusal(cause);
      });
      written += count;
      this.#size += count;
    }
  }

  /**
   * The body of a response, which must be returned in this turn of the event loop. The runtime then opens the file once
   * more, sends it without reading it into memory, with its length, and closes it when the client has it or is gone.
   */
  toBody(): Blob {
    setImmediate(() => this[Symbol.dispose]());
    return Bun.file(`/dev/fd/${this.#open}`);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  get #open(): number {
    if (this.#descriptor === undefined) throw new Error("the temporary file is closed");
    return this.#descriptor;
  }

  #write(bytes: Uint8Array): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    write(this.#open, bytes, 0, bytes.length, this.#size, (error, written) =>
      error ? reject(error) : resolve(written),
    );
    return promise;
  }
}
