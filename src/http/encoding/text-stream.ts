import { setImmediate } from "node:timers/promises";
import { CHUNK, type StreamReservation } from "./stream-budget.ts";

/** A client that reads nothing for this long is dropped, in milliseconds. */
const STALL_LIMIT = 30_000;

/** The approximate memory of a brotli or gzip encoder, in bytes. */
const ENCODER_BYTES = 256 * 1024;
/** How many chunks wait for the client between this stream and its socket. */
const QUEUED = 3;

const encoder = new TextEncoder();

export interface TextBodyOptions {
  readonly stallLimit?: number | undefined;
  /** Called when the body fails, since the response has begun and cannot report an error. */
  readonly onBreak?: (error: unknown) => void;
  /** The memory reserved while the client reads the body; released at its end. */
  readonly reservation?: StreamReservation | undefined;
  /** Whether an encoder generates the chunks, which has memory of its own. */
  readonly isEncoded?: boolean;
}

/** The client reads too slowly, or not at all. */
export class SlowReader extends Error {
  override readonly name = "SlowReader";
}

/**
 * A body generated while the client reads it: memory stays flat whatever its length and the client's speed. A body of
 * one chunk is returned whole.
 *
 * A failure half-way aborts the connection, so that the body never looks complete. A client that stops reading is
 * dropped.
 *
 * @param pieces read one chunk ahead of the client, and closed early when the client disconnects
 */
export async function textBody(
  pieces: AsyncGenerator<string | Uint8Array>,
  { stallLimit = STALL_LIMIT, onBreak = () => {}, reservation, isEncoded = false }: TextBodyOptions = {},
): Promise<string | Uint8Array | ReadableStream<Uint8Array>> {
  try {
    const first = await pieces.next();
    const second = await pieces.next();
    if (!second.done)
      return new TextStream([first.value, second.value], pieces, {
        stallLimit,
        onBreak,
        reservation,
        isEncoded,
      }).body;
    reservation?.release();
    return first.value ?? "";
  } catch (error) {
    reservation?.release();
    throw error;
  }
}

type Piece = string | Uint8Array;

interface StreamOptions extends TextBodyOptions {
  readonly stallLimit: number;
  readonly onBreak: (error: unknown) => void;
  readonly isEncoded: boolean;
}

/** A body in progress. */
class TextStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #rest: AsyncGenerator<Piece>;
  readonly #onBreak: (error: unknown) => void;
  readonly #reservation: StreamReservation | undefined;
  readonly #reserved: number;
  readonly #encoder: number;
  /** Chunks that are generated, but not passed on yet. */
  #pieces: Uint8Array[];
  #sent = 0;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    beginning: readonly Piece[],
    rest: AsyncGenerator<Piece>,
    { stallLimit, onBreak, reservation, isEncoded }: StreamOptions,
  ) {
    this.#pieces = beginning.map(bytesOf);
    this.#rest = rest;
    this.#onBreak = onBreak;
    this.#reservation = reservation;
    this.#reserved = reservation?.bytes ?? 0;
    this.#encoder = isEncoded ? ENCODER_BYTES : 0;
    reservation?.taken(this.#reserved + this.#encoder);
    this.body = new ReadableStream(
      {
        start: (controller) => {
          const drop = () => this.#breakOff(controller, new SlowReader("the client stopped reading"));
          // Runs from the start, since a disconnected client never pulls anything.
          this.#stalled = setTimeout(drop, stallLimit);
          if (reservation !== undefined) reservation.onDrop = drop;
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 2 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#stalled?.refresh();
    const chunk = this.#nextChunk() ?? (await this.#makeMore(controller));
    if (chunk === undefined) {
      controller.close();
      await this.#end();
      return;
    }
    controller.enqueue(chunk);
    this.#sent += chunk.length;
    const waiting = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    const ahead = Math.max(this.#reserved - this.#sent, 0) + waiting + QUEUED * chunk.length;
    this.#reservation?.taken(this.#encoder + ahead);
  }

  #nextChunk(): Uint8Array | undefined {
    const [piece] = this.#pieces;
    if (piece === undefined || piece.length <= CHUNK) return this.#pieces.shift();
    this.#pieces[0] = piece.subarray(CHUNK);
    return piece.subarray(0, CHUNK);
  }

  async #makeMore(controller: ReadableStreamDefaultController<Uint8Array>): Promise<Uint8Array | undefined> {
    // A client that reads everything at once must not keep the others waiting until the end.
    await setImmediate();
    const { done, value } = await this.#rest.next().catch((error) => {
      this.#breakOff(controller, error);
      throw error;
    });
    if (done) return undefined;
    this.#pieces.push(bytesOf(value));
    return this.#nextChunk();
  }

  #breakOff(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    this.#onBreak(error);
    controller.error(error);
    this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#stalled);
    this.#reservation?.release();
    this.#pieces = [];
    await this.#rest.return(undefined);
  }
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === "string" ? encoder.encode(piece) : piece;
}
