import { Refusal } from "../../errors.ts";

/** The minimum rate, in bytes per second, at which a client must read a long response while others wait for memory. */
const MIN_PACE = 16 * 1024;
/** The size, in bytes, of the chunks in which a client reads a long response. */
export const CHUNK = 64 * 1024;
/** A client that has not taken a chunk for this long is slower than {@link MIN_PACE}, in milliseconds. */
const SLOW_AFTER = (1_000 * CHUNK) / MIN_PACE;

/**
 * The memory of long responses while their clients read them. Each holds what was generated and not read yet, so
 * thousands of slow clients together could fill the machine.
 *
 * When it is full, clients that read slower than 16 KiB/s are dropped, the longest waiting first; when there are
 * none, further long responses are refused.
 */
export class StreamBudget {
  readonly #max: number;
  readonly #now: () => number;
  /** Ordered by the time of the client's last read. */
  readonly #open = new Set<StreamReservation>();
  #held = 0;

  /** @param max in bytes */
  constructor(max: number, now = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** The number of long responses in progress, and the bytes that they hold. */
  get state(): { readonly answers: number; readonly bytes: number } {
    return { answers: this.#open.size, bytes: this.#held };
  }

  /**
   * Reserves memory for a response of this many bytes; the caller releases it.
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

/** The memory of one long response. */
export class StreamReservation {
  /** In bytes. */
  bytes: number;
  /** The time of the client's last read, by the monotonic clock in milliseconds. */
  takenAt: number;
  /** Called to abort the response when its memory is needed. */
  onDrop: () => void = () => {};
  readonly #change: (bytes: number | undefined) => void;

  constructor(bytes: number, takenAt: number, change: (bytes: number | undefined) => void) {
    this.bytes = bytes;
    this.takenAt = takenAt;
    this.#change = change;
  }

  /** Records that the client has read something, and that the response now holds this many bytes. */
  taken(bytes: number): void {
    this.#change(bytes);
  }

  /** Releases the memory; a second call does nothing. */
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
