import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import type { StepResult } from "./index-step.ts";
import { RecentChanges } from "./recent-changes.ts";

/** The interval of checks for pending records, in milliseconds. */
const INTERVAL = 500;
/**
 * The pause between background steps, as a multiple of the step's duration. On SQLite, a step holds up other requests
 * most of the time. On PostgreSQL, this process mostly waits.
 */
const GIVE_WAY = { sqlite: 1 / 4, postgres: 1 / 16 } as const;
/** The same while others write. */
const GIVE_WAY_TO_WRITES = 24;
/** More changes of records per second than this mean that others are writing. */
const MANY_CHANGES = 100;
/** More than this, and the index falls behind in any case: it then takes the smallest share of the time. */
const VERY_MANY_CHANGES = 1_000;
/** The shortest pause while others write, in milliseconds. Small steps cost more for each record. */
const WRITES_PAUSE_MIN = 100;
/** The longest pause while others write, in milliseconds, so that the index soon catches up when they stop. */
const WRITES_PAUSE_MAX = 2_000;
/** The time before each step while others write very much, in milliseconds. It ends when they write less. */
const VERY_MANY_PAUSE = 10_000;

/** The pace of background steps: they give way to requests, and to the writes of all processes. */
export class Pace {
  readonly #engine: Database["engine"];
  readonly #recent: RecentChanges;
  readonly #signal: AbortSignal;
  /** The changes per second at the last check. */
  #changes = 0;

  /** @param signal ends every pause */
  constructor({ engine, read }: Pick<Database, "engine" | "read">, signal: AbortSignal) {
    this.#engine = engine;
    this.#recent = new RecentChanges(read);
    this.#signal = signal;
  }

  /** Whether others wrote much at the last check. */
  get isAmidWrites(): boolean {
    return this.#changes > MANY_CHANGES;
  }

  /** Checks how much is written. */
  async check(): Promise<void> {
    this.#changes = await this.#recent.perSecond();
  }

  /** Records that nothing was committed since the last check. It needs no query. */
  noteNone(): void {
    this.#recent.noteNone();
  }

  /** The pause between two checks for pending records. */
  async rest(): Promise<void> {
    await sleep(INTERVAL, undefined, { ref: false, signal: this.#signal }).catch(() => {});
  }

  /** If very many writes have just begun, only some of them fall into the time since the last check. */
  async beforeFirstStep(): Promise<void> {
    if (this.isAmidWrites) await this.#pause(INTERVAL);
  }

  /** @param taken the duration of the step, in milliseconds */
  afterStep(result: StepResult, taken: number): Promise<void> {
    if (this.isAmidWrites)
      return this.#pause(Math.min(Math.max(taken * GIVE_WAY_TO_WRITES, WRITES_PAUSE_MIN), WRITES_PAUSE_MAX));
    const isRefused = result === "busy" || result === "foreign";
    return this.#pause(isRefused ? INTERVAL : taken * GIVE_WAY[this.#engine]);
  }

  /** Pauses, and again while others write very much, until they write less or a step is due. */
  async #pause(milliseconds: number): Promise<void> {
    let paused = 0;
    do {
      await sleep(milliseconds, undefined, { ref: false, signal: this.#signal }).catch(() => {});
      paused += milliseconds;
      if (this.isAmidWrites) await this.check();
    } while (!this.#signal.aborted && this.#changes > VERY_MANY_CHANGES && paused < VERY_MANY_PAUSE);
  }
}
