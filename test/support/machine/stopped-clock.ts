import type { Clock } from "../../../src/clock.ts";

/** A clock that stands still until a test moves it. */
export class StoppedClock implements Clock {
  #time = Date.UTC(2026, 0, 1);

  now(): Date {
    return new Date(this.#time);
  }

  elapsed(): number {
    return this.#time;
  }

  /** @param milliseconds forward */
  move(milliseconds: number): void {
    this.#time += milliseconds;
  }
}
