/** So minAdmitted are no backlog unless told otherwise, however long each takes. */
export const MIN_ADMITTED = 64;

/** How much the last one who was served counts against those before when the serviceTime is reckoned. */
const SMOOTHING = 1 / 32;

/** Before so many were served nobody knows the serviceTime: the first ones also pay for what is made only once. */
const WARM_UP = 64;

/** Nobody counts for more than so many times the serviceTime so far: one who was held up says little of the next. */
const OUTLIER = 4;

/** How many wait for something, and how long one who joins them now will wait. */
export class QueueEstimate {
  readonly #minAdmitted: number;
  #inside = 0;
  #served = 0;
  #serviceTime = 0;

  /** @param minAdmitted so many are no backlog, however long each takes */
  constructor(minAdmitted = MIN_ADMITTED) {
    this.#minAdmitted = minAdmitted;
  }

  /** In milliseconds, as far as is known. */
  get wait(): number {
    return this.#inside < this.#minAdmitted || this.#served < WARM_UP ? 0 : this.#inside * this.#serviceTime;
  }

  /** Joins until the work is done. @param whenDone told how many were inside then, this one included */
  async join<T>(work: Promise<T>, whenDone?: (place: number) => void): Promise<T> {
    const place = ++this.#inside;
    try {
      return await work;
    } finally {
      this.#inside--;
      whenDone?.(place);
    }
  }

  /**
   * Joins a queue whose serviceTime is told by those who come out of it: so many were served in the time that it took.
   *
   * @param atOnce how many are served at the same time at most; whoever was alone took the room of so many
   */
  joinQueue<T>(work: Promise<T>, atOnce: number): Promise<T> {
    const joined = performance.now();
    return this.join(work, (place) => this.note((performance.now() - joined) / Math.max(place, atOnce)));
  }

  /** @param serviceTime how many milliseconds pass for each who is inside */
  note(serviceTime: number): void {
    this.#served++;
    const counted =
      this.#served <= WARM_UP ? serviceTime : Math.min(serviceTime, OUTLIER * this.#serviceTime);
    this.#serviceTime += (counted - this.#serviceTime) * Math.max(1 / this.#served, SMOOTHING);
  }
}
