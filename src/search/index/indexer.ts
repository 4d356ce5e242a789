import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Collection } from "../collection.ts";
import { beginRebuild, type IndexState, readState } from "./index-state.ts";
import { indexStep, removeDeleted, type StepResult } from "./index-step.ts";
import type { IndexStore } from "./index-store.ts";
import { indexStores } from "./index-stores.ts";

/** How long a search waits for the index at most, in milliseconds. */
const WAIT_MAX = 300;
/** With more marks than this, an import or a bulk change is running: a search waits for one step only. */
const FEW = 1_000;
/** How long to wait for another process that indexes. */
const BUSY_PAUSE = 5;
/** The interval of checks for pending records, in milliseconds. */
const INTERVAL = 500;
/** Pauses between steps in the background while others write. */
const GIVE_WAY = 500;
/** How many steps between two counts. */
const COUNT_EVERY = 50;
/** This number of writes between two steps means that others are writing. */
const MANY_WRITES = 8;

/** Updates the indexes of collections after changes of their records. */
export class Indexer {
  readonly #database: Database;
  readonly #store: IndexStore;
  readonly #collections: readonly Collection[];
  readonly #log: Log;
  readonly #steps = new Map<Collection, Promise<StepResult>>();
  #running: Promise<void> | undefined;
  #stopping = new AbortController();
  #lastFailure = "";
  #mends = 0;
  /** The number of pending records at the last check, by collection. */
  readonly #counts = new Map<Collection, number>();

  constructor(database: Database, collections: readonly Collection[], log: Log) {
    this.#database = database;
    this.#store = indexStores[database.engine];
    this.#collections = collections;
    this.#log = log;
  }

  /**
   * Waits briefly until earlier writes are indexed.
   * @returns the number of records that are not indexed yet, during an import or a rebuild
   */
  async caughtUp(collection: Collection): Promise<number> {
    const deadline = performance.now() + WAIT_MAX;
    const before = await this.#state(collection);
    if (isFollowed(before)) return 0;
    const isLong = (await this.#behind(collection, before, FEW + 1)) > FEW;
    for (let steps = 0; performance.now() < deadline; ) {
      if ((await this.#step(collection)) === "busy") await sleep(BUSY_PAUSE);
      else steps++;
      const state = await this.#state(collection);
      if (isFollowed(state) || (await this.#hasFollowed(collection, state, before))) return 0;
      // The first step may have begun before the last write; the second has the newest marks.
      if (isLong && steps >= 2) break;
    }
    return this.#behind(collection, await this.#state(collection));
  }

  /** Indexes everything, however long it takes. */
  async finish(collection: Collection, onStep: (left: number) => void = () => {}): Promise<void> {
    for (let step = 0; !isFollowed(await this.#state(collection)); step++) {
      const result = await this.#step(collection);
      if (step % COUNT_EVERY === 0) onStep(await this.behindIn(collection));
      if (result === "busy") await sleep(BUSY_PAUSE);
      else await setImmediate();
    }
  }

  /** Removes what the index has of records that were deleted; new and changed ones stay to be indexed. */
  async removeDeleted(): Promise<void> {
    for (const collection of this.#collections) {
      if (!(await this.#state(collection)).isOfThisVersion) continue;
      let position: number | undefined = 0;
      while (position !== undefined) {
        const after: number = position;
        position = await this.#database.derive((sql) => removeDeleted(sql, this.#store, collection, after));
        await setImmediate();
      }
    }
  }

  /** Rebuilds the index. @param anew drops it first, so that nothing is found until it is rebuilt */
  async rebuild({ anew = false } = {}): Promise<void> {
    await this.#database.derive(async (sql) => {
      if (anew) await this.#store.recreate(sql);
      await beginRebuild(sql, this.#names);
    });
  }

  /** The number of records that are not indexed yet. */
  async behind(): Promise<number> {
    const counts = await Promise.all(this.#collections.map((collection) => this.behindIn(collection)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async behindIn(collection: Collection): Promise<number> {
    const state = await this.#state(collection);
    const count = isFollowed(state) ? 0 : await this.#behind(collection, state);
    this.#counts.set(collection, count);
    return count;
  }

  /** Indexes new writes in the background, at low priority, until it is stopped. */
  start(): void {
    this.#running ??= this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.allSettled(this.#steps.values());
  }

  /** The number of repairs of a corrupt index. */
  get mends(): number {
    return this.#mends;
  }

  /** Repairs an index that a search found corrupt. @returns whether it was corrupt */
  async mend(error?: unknown): Promise<boolean> {
    if (!(await this.#store.isBroken(this.#database.read, error))) return false;
    this.#log.warn("The search index is damaged and is being rebuilt.");
    await this.rebuild({ anew: true });
    this.#mends++;
    return true;
  }

  /** The number of pending records at the last check; costs nothing. */
  get lastBehind(): number {
    return this.#counts.values().reduce((sum, count) => sum + count, 0);
  }

  get #names() {
    return this.#collections.map(({ name }) => name);
  }

  async #run(signal: AbortSignal): Promise<void> {
    let stamp: unknown;
    while (!signal.aborted) {
      try {
        // Asked for before the marks: what is committed meanwhile changes it.
        const now = await this.#database.stamp();
        if (now !== stamp) for (const collection of this.#collections) await this.#follow(collection, signal);
        stamp = now;
      } catch (error) {
        this.#note(error);
      }
      await sleep(INTERVAL, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  async #follow(collection: Collection, signal: AbortSignal): Promise<void> {
    let writes = this.#database.writeCount;
    for (let step = 0; !signal.aborted && !isFollowed(await this.#state(collection)); step++) {
      // Counting marks takes longer than a step when there are very many.
      if (step % COUNT_EVERY === 0) await this.behindIn(collection);
      const started = performance.now();
      const result = await this.#step(collection);
      // A fifth of the time is for others between two steps; and much more while they write.
      const isCrowded = this.#database.writeCount - writes > MANY_WRITES;
      writes = this.#database.writeCount;
      const pause = isCrowded ? GIVE_WAY : result === "busy" ? INTERVAL : (performance.now() - started) / 4;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {});
    }
    await this.behindIn(collection);
  }

  /** One step, shared by all concurrent callers. */
  #step(collection: Collection): Promise<StepResult> {
    const running = this.#steps.get(collection);
    if (running !== undefined) return running;
    const step = this.#stepOnce(collection).finally(() => this.#steps.delete(collection));
    this.#steps.set(collection, step);
    return step;
  }

  async #stepOnce(collection: Collection): Promise<StepResult> {
    try {
      return await this.#database.derive(async (sql) => {
        const { isOfThisVersion } = await readState(sql, collection.name);
        if (!isOfThisVersion && (await this.#store.claim(sql))) await beginRebuild(sql, this.#names);
        return indexStep(sql, this.#store, collection);
      });
    } catch (error) {
      if (await this.mend(error).catch(() => false)) return "more";
      throw error;
    }
  }

  #state(collection: Collection): Promise<IndexState> {
    return readState(this.#database.read, collection.name);
  }

  /** Whether all records marked before this call are indexed, even if writes continue. */
  async #hasFollowed({ name }: Collection, now: IndexState, before: IndexState): Promise<boolean> {
    if (!now.isOfThisVersion || now.rebuiltTo !== undefined) return false;
    const rows = await this.#database.read`
      select position from search_pending where collection = ${name} and position <= ${before.lastMark ?? 0} limit 1`;
    return rows.length === 0;
  }

  async #behind(collection: Collection, state: IndexState, max = Number.MAX_SAFE_INTEGER): Promise<number> {
    const { read } = this.#database;
    if (!state.isOfThisVersion) return collection.countAfter(read, 0);
    const unbuilt = state.rebuiltTo === undefined ? 0 : await collection.countAfter(read, state.rebuiltTo);
    if (state.lastMark === undefined) return unbuilt;
    const [row] = await read<{ n: number }>`
      select count(*) as n from
        (select position from search_pending where collection = ${collection.name} limit ${max}) as marked`;
    return unbuilt + Number(row?.n);
  }

  /** Logged once, not twice a second. */
  #note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#lastFailure || (error instanceof Refusal && error.reason === "unavailable")) return;
    this.#lastFailure = message;
    this.#log.error("The search index cannot be updated.", error);
  }
}

function isFollowed({ lastMark, rebuiltTo, isOfThisVersion }: IndexState): boolean {
  return isOfThisVersion && lastMark === undefined && rebuiltTo === undefined;
}
