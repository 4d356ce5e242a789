import type { Database } from "../../database/database.ts";

/** The number of records of a step for which a search waits, and of each step while others write. */
export const SMALL_STEP = 256;
/** On SQLite, a step holds the write lock, and larger steps are not cheaper for each record. */
const LARGEST_STEP = { sqlite: SMALL_STEP, postgres: 1_024 } as const;
/** The duration that no step should exceed, in milliseconds: a search can wait for a step and another one after it. */
const DURATION_MAX = 150;

/**
 * Chooses how many records the next background step indexes. Each step has costs of its own, so larger steps are
 * cheaper. But a search that needs the newest marks waits for the step that is running.
 */
export class StepSize {
  readonly #largest: number;
  #records = SMALL_STEP;

  constructor(engine: Database["engine"]) {
    this.#largest = LARGEST_STEP[engine];
  }

  /** The maximum number of records of the next step. */
  get records(): number {
    return this.#records;
  }

  /** Adapts the size to the duration of the last step, in milliseconds. */
  adapt(taken: number): void {
    if (taken > DURATION_MAX) this.#records = Math.max(this.#records / 2, SMALL_STEP);
    else if (taken * 2 <= DURATION_MAX) this.#records = Math.min(this.#records * 2, this.#largest);
  }

  /** The next step is small again. */
  reset(): void {
    this.#records = SMALL_STEP;
  }
}
