import { Refusal } from "../../../errors.ts";
import { ReadTimeout } from "../../errors.ts";
import type { FromThread, Reading, ReadOrder } from "./database-thread.ts";

/** The number of simultaneous reads: enough that a slow one does not block the others. */
const THREADS_MAX = 2;
/** The maximum number of additional threads whose reads have timed out and are still running. */
const GIVEN_UP_MAX = 2;

/** In the single executable, the thread is an entry point of the build, with a path relative to `src/`. */
export const DATABASE_THREAD = Bun.isStandaloneExecutable
  ? "./database/sqlite/threads/database-thread.ts"
  : new URL("./database-thread.ts", import.meta.url).href;

interface Job {
  readonly reading: Reading;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer?: Timer;
  /** The time that it may take, without waiting for other work, in milliseconds. */
  readonly limit: number;
  /** When it was sent to a thread, by the monotonic clock in milliseconds. */
  began: number;
  /** What this process had used by then. */
  usedBefore?: NodeJS.CpuUsage;
}

/** On a busy machine, a read may take this many times as long, since it gets only a share of a core. */
const BUSY_FACTOR = 3;

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
  read(reading: Reading, deadline: number): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Refusal("unavailable", "The server is shutting down."));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const limit = Math.max(0, deadline - performance.now());
    const job: Job = { reading, resolve, reject, limit, began: 0 };
    job.timer = setTimeout(() => this.#giveUp(job, { isBusy: true }), limit);
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
    job.began = performance.now();
    job.usedBefore = process.cpuUsage();
    clearTimeout(job.timer);
    job.timer = setTimeout(() => this.#judge(job), job.limit);
    thread.postMessage({ location: this.#location, ...job.reading } satisfies ReadOrder);
  }

  #startThread(): Worker | undefined {
    if (this.#busy.size >= THREADS_MAX) return undefined;
    const thread = new Worker(DATABASE_THREAD);
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      const job = this.#busy.get(thread);
      if (job === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      this.#end(job);
      if ("result" in data) job.resolve(data.result);
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

  /** Its time is over, unless the machine gave this process less of it than it may use. */
  #judge(job: Job): void {
    const { user, system } = process.cpuUsage(job.usedBefore);
    const left = job.limit - (user + system) / 1_000;
    const elapsed = performance.now() - job.began;
    const isBusy = left > job.limit / 2;
    const longest = BUSY_FACTOR * job.limit - elapsed;
    if (left < 1 || longest <= 0) this.#giveUp(job, { isBusy });
    else job.timer = setTimeout(() => this.#judge(job), Math.min(left, longest));
  }

  #giveUp(job: Job, { isBusy }: { readonly isBusy: boolean }): void {
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
    job.reject(new ReadTimeout({ isBusy }));
    this.#next();
  }

  #end(job: Job): Job {
    clearTimeout(job.timer);
    return job;
  }
}
