import { Refusal } from "../../errors.ts";

/** The slowest pace, in bytes per second, at which a client may take a long answer while others want the room. */
const MIN_PACE = 16 * 1024;
/** The pieces, in bytes, that a client takes a long answer in. */
export const CHUNK = 64 * 1024;
/** A client that has not taken a chunk for this long is slower than {@link MIN_PACE}, in milliseconds. */
const SLOW_AFTER = (1_000 * CHUNK) / MIN_PACE;

/**
 * The memory that long answers hold while their clients read them. Each holds what was made and not taken yet, so
 * that thousands of slow clients together could fill the machine.
 *
 * When it is full, the clients that read slower than 16 KiB a second make room, the longest waiting first; where
 * there are none, further long answers are refused.
 */
export class StreamBudget {
  readonly #max: number;
  readonly #now: () => number;
  /** In the order in which their clients took something last. */
  readonly #open = new Set<StreamReservation>();
  #held = 0;

  /** @param max in bytes */
  constructor(max: number, now = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** How many long answers are on their way, and the bytes that they hold. */
  get state(): { readonly answers: number; readonly bytes: number } {
    return { answers: this.#open.size, bytes: this.#held };
  }

  /**
   * Room for an answer that will hold this many bytes; the caller releases it.
   * @throws Refusal `unavailable` when there is none
   */
  reserve(bytes: number): StreamReservation {
    if (this.#held + bytes > this.#max) this.#dropSlow(this.#held + bytes - this.#max);
    if (this.#held + bytes > this.#max && this.#open.size > 0) throw full();
    const reservation = new StreamReservation(bytes, this.#now(), (change) =>
      this.#change(reservation, change),
    );
    this.#open.add(reservation);
    this.#held += bytes;
    return reservation;
  }

  #dropSlow(wanted: number): void {
    const latest = this.#now() - SLOW_AFTER;
    const goal = this.#held - wanted;
    for (const reservation of this.#open) {
      if (this.#held <= goal || reservation.takenAt > latest) return;
      reservation.drop();
    }
  }

  #change(reservation: StreamReservation, bytes: number | undefined): void {
    if (!this.#open.delete(reservation)) return;
    this.#held -= reservation.bytes;
    if (bytes === undefined) return;
    reservation.bytes = bytes;
    reservation.takenAt = this.#now();
    this.#held += bytes;
    this.#open.add(reservation);
  }
}

/** What one long answer holds. */
export class StreamReservation {
  /** The bytes that it holds. */
  bytes: number;
  /** When its client took something last, by the monotonic clock in milliseconds. */
  takenAt: number;
  /** Called when it has to make room: breaks the answer off. */
  onDrop: () => void = () => {};
  readonly #change: (bytes: number | undefined) => void;

  constructor(bytes: number, takenAt: number, change: (bytes: number | undefined) => void) {
    this.bytes = bytes;
    this.takenAt = takenAt;
    this.#change = change;
  }

  /** The client has taken something, and the answer holds this many bytes now. */
  taken(bytes: number): void {
    this.#change(bytes);
  }

  /** Gives the room back; a second time it does nothing. */
  release(): void {
    this.#change(undefined);
  }

  drop(): void {
    this.release();
    this.onDrop();
  }
}

function full(): Refusal {
  const detail = "Too many long responses are being sent to slow clients: try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 2 });
}
