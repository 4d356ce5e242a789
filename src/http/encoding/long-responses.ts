import { Refusal } from "../../errors.ts";

/** So many long responses are sent at once: each holds what was generated and not read yet, about half a megabyte. */
export const LONG_RESPONSES_MAX = 48;

/** A client that has read nothing for this long makes room for another one, in milliseconds: 16 KiB/s. */
const SLOW_AFTER = 4_000;

/**
 * The long responses in progress, a bounded number, since thousands of slow clients together could fill the memory.
 * When there is no place left, the client that has read nothing for longest is dropped, if it is a slow one.
 */
export class LongResponses {
  readonly #now: () => number;
  /** In the order of their clients' last reads. */
  readonly #open = new Set<LongResponse>();

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes a place, which the response gives back at its end.
   * @throws Refusal `unavailable` when there is none
   */
  enter(): LongResponse {
    if (this.#open.size >= LONG_RESPONSES_MAX) this.#dropSlowest();
    const response: LongResponse = {
      readAt: this.#now(),
      onDrop: () => {},
      noteRead: () => {
        if (!this.#open.delete(response)) return;
        response.readAt = this.#now();
        this.#open.add(response);
      },
      leave: () => this.#open.delete(response),
    };
    this.#open.add(response);
    return response;
  }

  #dropSlowest(): void {
    const [slowest] = this.#open;
    if (slowest === undefined || slowest.readAt > this.#now() - SLOW_AFTER) throw full();
    slowest.leave();
    slowest.onDrop();
  }
}

/** The place of one long response. */
export interface LongResponse {
  /** The time of the client's last read, by the monotonic clock in milliseconds. */
  readAt: number;
  /** Called to abort the response when its place is needed. */
  onDrop: () => void;
  readonly noteRead: () => void;
  /** Gives the place back; a second call does nothing. */
  readonly leave: () => void;
}

function full(): Refusal {
  const detail = "Too many long responses are being sent to slow clients: try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 2 });
}
