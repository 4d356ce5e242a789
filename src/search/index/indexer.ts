import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Database, Stamp } from "../../database/database.ts";
import { LockTimeout } from "../../database/errors/lock-timeout.ts";
import { type Reason, Refusal } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { CollectionName, IndexedCollection } from "../collection.ts";
import { beginRebuild, type IndexState, isWhole, noteRecreation, readState } from "./index-state.ts";
import { indexStep, removeDeleted, type StepOptions, type StepResult } from "./index-step.ts";
import type { IndexStore } from "./index-store.ts";
import { indexStores } from "./index-stores.ts";
import { type IndexChange, IndexView } from "./index-view.ts";
import { Pace } from "./pace.ts";
import { StepSize } from "./step-size.ts";
import { Succession } from "./succession.ts";

/** The maximum time that a search waits for the index, in milliseconds. */
const WAIT_MAX = 300;
/** With more marks than this, an import or a bulk change is running, and a search waits for two steps at most. */
const FEW = 1_000;
/** The maximum time that a step of a search waits for the step of another process, in milliseconds. */
const STEP_WAIT = 100;
/** The pause before a retry while another process is indexing, in milliseconds. */
const BUSY_PAUSE = 5;
/** The number of steps between two counts of pending records. */
const COUNT_EVERY = 50;
/**
 * The number of records that background steps may index between two garbage collections. By itself, the runtime would
 * collect only after the strings of many more, and use half as much memory again as an idle server.
 */
const COLLECT_EVERY = 2_048;

/** Why nothing can be stored. */
const NOT_WRITABLE: ReadonlySet<Reason> = new Set(["storage_full", "unavailable"]);

interface Step {
  readonly result: StepResult;
  /** When the step began, in milliseconds of the monotonic clock. */
  readonly begun: number;
  /** Its duration, in milliseconds. */
  readonly taken: number;
}

/** Updates the indexes of collections after changes of their records. */
export class Indexer {
  readonly #database: Database;
  readonly #store: IndexStore;
  readonly #collections: readonly IndexedCollection[];
  readonly #log: Log;
  readonly #steps = new Map<IndexedCollection, Promise<Step>>();
  #running: Promise<void> | undefined;
  #stopping = new AbortController();
  #lastFailure = "";
  #mends = 0;
  #generation = 0;
  /** Only for a process that runs on: commands replace an index of any other version. */
  #succession: Succession | undefined;
  readonly #states = new Map<CollectionName, { readonly stamp: Stamp; readonly state: IndexState }>();
  /** The number of pending records at the last check, by collection. */
  readonly #counts = new Map<IndexedCollection, number>();

  constructor(database: Database, collections: readonly IndexedCollection[], log: Log) {
    this.#database = database;
    this.#store = indexStores[database.engine];
    this.#collections = collections;
    this.#log = log;
  }

  /**
   * Waits briefly until earlier writes are indexed.
   * @param withPairs whether the search may use pairs of common words
   */
  async catchUp(collection: IndexedCollection, { withPairs = false } = {}): Promise<IndexView> {
    const before = await this.#state(collection);
    return new IndexView(before, await this.#waited(collection, before), { withPairs });
  }

  /** The change of the index since this view, if a search may have missed records because of it. */
  async changeSince(collection: IndexedCollection, view: IndexView): Promise<IndexChange | undefined> {
    return view.changeUntil(await this.#state(collection));
  }

  /** Whether the index belongs to processes of another version, as during a rolling upgrade. */
  async isForeign(): Promise<boolean> {
    const [collection] = this.#collections;
    return collection !== undefined && !this.#mayUse(await this.#state(collection));
  }

  /** @returns the number of records that are not indexed yet */
  async #waited(collection: IndexedCollection, before: IndexState): Promise<number> {
    if (isFollowed(before)) return 0;
    const deadline = performance.now() + WAIT_MAX;
    const since = performance.now();
    for (let steps = 0; performance.now() < deadline; ) {
      const step = await this.#stepIfWritable(collection);
      if (step === undefined) break;
      const { result, begun } = step;
      // A step covers all earlier writes, unless it began before them.
      if (result === "done" && begun >= since) return 0;
      if (result === "foreign") break;
      if (result === "busy") await sleep(BUSY_PAUSE);
      else steps++;
      const state = await this.#state(collection);
      if (hasFollowed(state, before)) return 0;
      // The first step may have begun before the last write; the second covers the newest marks.
      if (steps >= 2 && (await this.#behind(collection, state, FEW + 1)) > FEW) break;
    }
    return this.#behind(collection, await this.#state(collection));
  }

  /** Undefined while nothing can be stored, as on a full disk or a standby. Then searches read the index as it is. */
  async #stepIfWritable(collection: IndexedCollection): Promise<Step | undefined> {
    try {
      return await this.#step(collection, { patience: STEP_WAIT });
    } catch (error) {
      if (error instanceof Refusal && NOT_WRITABLE.has(error.reason)) return undefined;
      throw error;
    }
  }

  /** Indexes and merges everything, without a time limit. */
  async finish(collection: IndexedCollection, onStep: (left: number) => void = () => {}): Promise<void> {
    const size = new StepSize(this.#database.engine);
    for (let step = 0; !isFinished(await this.#state(collection)); step++) {
      const { result, taken } = await this.#step(collection, { patience: STEP_WAIT, size: size.records });
      if (result === "more") size.adapt(taken);
      if (step % COUNT_EVERY === 0) onStep(await this.behindIn(collection));
      if (result === "busy") await sleep(BUSY_PAUSE);
      else await setImmediate();
    }
  }

  /** Removes the entries of deleted records. New and changed records stay marked. */
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

  /** Rebuilds the index. @param anew drops the index first: until it is rebuilt, searches find nothing */
  async rebuild({ anew = false } = {}): Promise<void> {
    if (anew) await this.#recreate(await this.#newestGeneration());
    else await this.#database.derive((sql) => beginRebuild(sql, this.#names));
  }

  /** @returns whether the index still had this generation and was recreated */
  #recreate(generation: number): Promise<boolean> {
    return this.#database.derive(async (sql) => {
      if (!(await noteRecreation(sql, generation))) return false;
      await this.#store.recreate(sql);
      await beginRebuild(sql, this.#names);
      return true;
    });
  }

  /** The number of records that are not indexed yet. */
  async behind(): Promise<number> {
    const counts = await Promise.all(this.#collections.map((collection) => this.behindIn(collection)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async behindIn(collection: IndexedCollection): Promise<number> {
    const state = await this.#state(collection);
    const count = isFollowed(state) ? 0 : await this.#behind(collection, state);
    this.#counts.set(collection, count);
    return count;
  }

  /** Indexes new writes in the background, at low priority, until it is stopped. */
  start(): void {
    const [first] = this.#names;
    if (first !== undefined) this.#succession ??= new Succession(this.#database, first);
    this.#running ??= this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.allSettled(this.#steps.values());
  }

  /** The number of times that a corrupt index was repaired. */
  get mends(): number {
    return this.#mends;
  }

  /** The generation of the index at the last check. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Repairs an index that a search or a step found corrupt. If several processes find it corrupt, only one
   * repairs it, so that no process drops what another has rebuilt.
   *
   * @param generation the generation at the last check before the error
   * @returns whether to try again
   */
  async mend(error: unknown, generation: number): Promise<boolean> {
    if ((await this.#newestGeneration()) !== generation) return true;
    if (await this.isForeign()) return false;
    if (!(await this.#store.isBroken(this.#database.read, error))) return false;
    if (!(await this.#recreate(generation))) return true;
    this.#log.warn("The search index is damaged and is being rebuilt.");
    this.#mends++;
    return true;
  }

  /** The number of pending records at the last check. It needs no query. */
  get lastBehind(): number {
    return this.#counts.values().reduce((sum, count) => sum + count, 0);
  }

  get #names() {
    return this.#collections.map(({ name }) => name);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const pace = new Pace(this.#database, signal);
    let stamp: unknown;
    while (!signal.aborted) {
      try {
        // Read before the marks: any later commit changes the stamp.
        const now = await this.#database.stamp();
        if (now === stamp) pace.noteNone();
        else {
          await pace.check();
          for (const collection of this.#collections) await this.#follow(collection, pace, signal);
        }
        stamp = now;
      } catch (error) {
        this.#note(error);
      }
      await pace.rest();
    }
  }

  async #follow(collection: IndexedCollection, pace: Pace, signal: AbortSignal): Promise<void> {
    const size = new StepSize(this.#database.engine);
    let uncollected = 0;
    for (let step = 0; !signal.aborted && !isFinished(await this.#state(collection)); step++) {
      // With very many marks, counting them takes longer than a step.
      if (step % COUNT_EVERY === 0) await this.behindIn(collection);
      if (step === 0) await pace.beforeFirstStep();
      const { result, taken } = await this.#step(collection, { size: size.records });
      if (result === "foreign") await this.#succession?.look();
      uncollected += size.records;
      if (uncollected >= COLLECT_EVERY) {
        Bun.gc(true);
        uncollected = 0;
      }
      await pace.check();
      if (pace.isAmidWrites) size.reset();
      else if (result === "more") size.adapt(taken);
      await pace.afterStep(result, taken);
    }
    await this.behindIn(collection);
  }

  /** Runs one step, shared by all concurrent callers. */
  #step(collection: IndexedCollection, options: StepOptions = {}): Promise<Step> {
    const running = this.#steps.get(collection);
    if (running !== undefined) return running;
    const step = this.#timed(collection, options).finally(() => this.#steps.delete(collection));
    this.#steps.set(collection, step);
    return step;
  }

  async #timed(collection: IndexedCollection, options: StepOptions): Promise<Step> {
    const begun = performance.now();
    const result = await this.#stepOnce(collection, options);
    return { result, begun, taken: performance.now() - begun };
  }

  async #stepOnce(collection: IndexedCollection, options: StepOptions): Promise<StepResult> {
    const generation = this.#generation;
    try {
      const result = await this.#database.derive(
        (sql) =>
          indexStep(sql, this.#store, collection, this.#names, {
            ...options,
            mayReplace: (version) => this.#mayReplace(version),
          }),
        { readsFirst: true },
      );
      if (result === "done" || result === "more") this.#succession?.noteHeld();
      return result;
    } catch (error) {
      if (error instanceof LockTimeout) return "busy";
      if (await this.mend(error, generation).catch(() => false)) return "more";
      throw error;
    }
  }

  async #state(collection: IndexedCollection): Promise<IndexState> {
    const state = await this.#readState(collection.name);
    this.#generation = state.generation;
    if (state.isOfThisVersion) this.#succession?.noteHeld();
    return state;
  }

  /** A state that was read since the last commit of any process is still current; unknown where a stamp is a round trip. */
  async #readState(name: CollectionName): Promise<IndexState> {
    // Taken before the state is read, so that a commit during the reading invalidates it.
    const stamp = this.#database.stampNow();
    const known = this.#states.get(name);
    if (stamp !== undefined && known?.stamp === stamp) return known.state;
    const state = await readState(this.#database.read, name);
    if (stamp !== undefined) this.#states.set(name, { stamp, state });
    return state;
  }

  #mayReplace(version: string | undefined): boolean {
    return this.#succession?.mayReplace(version) ?? true;
  }

  #mayUse({ isOfThisVersion, version }: IndexState): boolean {
    return isOfThisVersion || this.#mayReplace(version);
  }

  async #newestGeneration(): Promise<number> {
    const [collection] = this.#collections;
    return collection === undefined ? 0 : (await this.#state(collection)).generation;
  }

  async #behind(
    collection: IndexedCollection,
    state: IndexState,
    max = Number.MAX_SAFE_INTEGER,
  ): Promise<number> {
    const { read } = this.#database;
    if (!state.isOfThisVersion) return collection.countAfter(read, 0);
    const unbuilt = state.rebuiltTo === undefined ? 0 : await collection.countAfter(read, state.rebuiltTo);
    if (state.lastMark === undefined) return unbuilt;
    const [row] = await read<{ n: number }>`
      select count(*) as n from
        (select position from search_pending where collection = ${collection.name} limit ${max}) as marked`;
    return unbuilt + Number(row?.n);
  }

  /** Logs an error once, not at every check. */
  #note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#lastFailure || (error instanceof Refusal && error.reason === "unavailable")) return;
    this.#lastFailure = message;
    this.#log.error("The search index cannot be updated.", error);
  }
}

function isFollowed(state: IndexState): boolean {
  return isWhole(state) && state.lastMark === undefined;
}

/** Whether no work is left, including merging. */
function isFinished(state: IndexState): boolean {
  return isFollowed(state) && state.merging === undefined;
}

/** Whether all records that were marked before are indexed, even if writes continue. */
function hasFollowed({ firstMark, rebuiltTo, isOfThisVersion }: IndexState, before: IndexState): boolean {
  if (!isOfThisVersion || rebuiltTo !== undefined) return false;
  return firstMark === undefined || firstMark > (before.lastMark ?? 0);
}
