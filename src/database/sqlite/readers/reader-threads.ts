import type { SQLInputValue } from "node:sqlite";
import { Refusal } from "../../../errors.ts";
import { ReadTimeout } from "../../errors/read-timeout.ts";

/** The number of simultaneous reads: enough that a slow one does not block the others. */
const THREADS_MAX = 2;
/** The maximum number of additional threads whose reads have timed out and are still running. */
const GIVEN_UP_MAX = 2;

/** In the single executable, modules have paths relative to `src/`, and each is an entry point of the build. */
export const READER_THREAD = Bun.isStandaloneExecutable
  ? "./database/sqlite/readers/reader-thread.ts"
  : new URL("./reader-thread.ts", import.meta.url).href;

/** A message to a thread. */
export interface ReadOrder {
  readonly location: string;
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Its reply. */
export type FromReader =
  | { readonly rows: unknown[] }
  | { readonly error: { readonly message: string; readonly errcode: number | undefined } };

interface Job extends ReadOrder {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
  timer?: Timer;
}

/**
 * Threads that read a database file, so that a slow read does not block the event loop. SQLite cannot be interrupted
 * from outside: a thread whose read times out is abandoned and replaced, and ends with its read.
 */
export class ReaderThreads {
  readonly #location: string;
  readonly #waiting: Job[] = [];
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job>();
  #givenUp = 0;
  #isClosed = false;

  constructor(location: string) {
    this.#location = location;
  }

  /**
   * @param deadline by the monotonic clock (`performance.now()`), in milliseconds
   * @throws ReadTimeout after the deadline; else SQLite's own error
   */
  read(text: string, values: readonly SQLInputValue[], deadline: number): Promise<unknown[]> {
    if (this.#isClosed) return Promise.reject(new Refusal("unavailable", "The server is shutting down."));
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const job: Job = { location: this.#location, text, values, resolve, reject };
    job.timer = setTimeout(() => this.#giveUp(job), Math.max(0, deadline - performance.now()));
    this.#waiting.push(job);
    this.#next();
    return promise;
  }

  /** Ends the threads; waiting reads are refused. */
  close(): void {
    this.#isClosed = true;
    const refusal = new Refusal("unavailable", "The server is shutting down.");
    for (const job of [...this.#waiting.splice(0), ...this.#busy.values()]) this.#end(job).reject(refusal);
    for (const thread of [...this.#idle.splice(0), ...this.#busy.keys()]) thread.terminate();
    this.#busy.clear();
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const thread = this.#idle.pop() ?? this.#startThread();
    const job = thread && this.#waiting.shift();
    if (thread === undefined || job === undefined) return;
    this.#busy.set(thread, job);
    const { location, text, values } = job;
    thread.postMessage({ location, text, values } satisfies ReadOrder);
  }

  #startThread(): Worker | undefined {
    if (this.#busy.size >= THREADS_MAX) return undefined;
    const thread = new Worker(READER_THREAD);
    thread.onmessage = ({ data }: MessageEvent<FromReader>) => {
      const job = this.#busy.get(thread);
      if (job === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      this.#end(job);
      if ("rows" in data) job.resolve(data.rows);
      else job.reject(Object.assign(new Error(data.error.message), { errcode: data.error.errcode }));
      this.#next();
    };
    thread.onerror = ({ message }) => {
      const job = this.#busy.get(thread);
      this.#busy.delete(thread);
      if (job !== undefined) this.#end(job).reject(new Error(message));
      this.#next();
    };
    thread.unref();
    return thread;
  }

  #giveUp(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index !== -1) this.#waiting.splice(index, 1);
    for (const [thread, running] of this.#busy) {
      // With too many abandoned threads, this one stays in use, and later reads wait for it.
      if (running !== job || this.#givenUp >= GIVEN_UP_MAX) continue;
      this.#givenUp++;
      this.#busy.delete(thread);
      thread.addEventListener("close", () => {
        this.#givenUp--;
        this.#next();
      });
      thread.terminate();
    }
    job.reject(new ReadTimeout());
    this.#next();
  }

  #end(job: Job): Job {
    clearTimeout(job.timer);
    return job;
  }
}
