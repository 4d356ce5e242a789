import type { CheckpointMode, CheckpointOrder, FromThread } from "./database-thread.ts";
import { DATABASE_THREAD } from "./reader-threads.ts";

/** The state of the write-ahead log that a checkpoint pragma returns. */
export interface LogState {
  /** 1 if writers or readers left a checkpoint other than a passive one no time. */
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Makes checkpoints of one database in a thread, so that requests do not wait for the disk. The first checkpoint
 * starts the thread.
 */
export class CheckpointThread {
  readonly #location: string;
  #thread: Worker | undefined;

  constructor(location: string) {
    this.#location = location;
  }

  /** One at a time. @throws SQLite's own error */
  async run(mode: CheckpointMode): Promise<LogState> {
    return (await this.#send({ checkpoint: this.#location, mode })) as LogState;
  }

  /** Closes the thread's connection, then ends it. Not while a checkpoint runs. */
  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    await this.#send("close").catch(() => {});
    this.#thread?.terminate();
  }

  #send(order: CheckpointOrder | "close"): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#thread ??= new Worker(DATABASE_THREAD);
    const thread = this.#thread;
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if ("result" in data) resolve(data.result);
      else reject(Object.assign(new Error(data.error.message), { errcode: data.error.errcode }));
    };
    thread.onerror = ({ message }) => {
      this.#thread = undefined;
      reject(new Error(message));
    };
    thread.unref();
    thread.postMessage(order);
    return promise;
  }
}
