import { setImmediate } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { ChangedDuringRead } from "../caching/rendering.ts";
import type { ReadyBody, ResponseData } from "../response-data.ts";
import type { EncodedStream } from "./encode-response.ts";
import type { LongResponse, LongResponses } from "./long-responses.ts";

/** A client that reads nothing for this long is dropped, in milliseconds. */
const STALL_LIMIT = 30_000;

/** The size, in bytes, of the chunks in which a client reads a body. */
const CHUNK = 64 * 1024;

const encoder = new TextEncoder();

export interface TextBodyOptions {
  readonly stallLimit?: number | undefined;
  /** Called when the body fails, since the response has begun and cannot report an error. */
  readonly onBreak?: (error: unknown) => void;
  /** Called once when a stream has ended, complete or not, with the number of bytes that were passed on. */
  readonly onEnd?: (bytes: number) => void;
  /** The place of the body among the long responses; given back at its end. */
  readonly place?: LongResponse | undefined;
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
  { stallLimit = STALL_LIMIT, onBreak = () => {}, onEnd = () => {}, place }: TextBodyOptions = {},
): Promise<string | Uint8Array | ReadableStream<Uint8Array>> {
  try {
    const first = await pieces.next();
    const second = await pieces.next();
    if (!second.done)
      return new TextStream([first.value, second.value], pieces, { stallLimit, onBreak, onEnd, place }).body;
    place?.leave();
    return first.value ?? "";
  } catch (error) {
    place?.leave();
    throw error;
  }
}

type Piece = string | Uint8Array;

interface StreamOptions extends TextBodyOptions {
  readonly stallLimit: number;
  readonly onBreak: (error: unknown) => void;
  readonly onEnd: (bytes: number) => void;
}

/** A body in progress. */
class TextStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #rest: AsyncGenerator<Piece>;
  readonly #onBreak: (error: unknown) => void;
  readonly #onEnd: (bytes: number) => void;
  readonly #place: LongResponse | undefined;
  /** Chunks that are generated, but not passed on yet. */
  #pieces: Uint8Array[];
  #sent = 0;
  #ended = false;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    beginning: readonly Piece[],
    rest: AsyncGenerator<Piece>,
    { stallLimit, onBreak, onEnd, place }: StreamOptions,
  ) {
    this.#pieces = beginning.map(bytesOf);
    this.#rest = rest;
    this.#onBreak = onBreak;
    this.#onEnd = onEnd;
    this.#place = place;
    this.body = new ReadableStream(
      {
        start: (controller) => {
          const drop = () => this.#breakOff(controller, new SlowReader("the client stopped reading"));
          // Runs from the start, since a disconnected client never pulls anything.
          this.#stalled = setTimeout(drop, stallLimit);
          if (place !== undefined) place.onDrop = drop;
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 2 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#stalled?.refresh();
    this.#place?.noteRead();
    const chunk = this.#nextChunk() ?? (await this.#makeMore(controller));
    if (chunk === undefined) {
      controller.close();
      await this.#end();
      return;
    }
    controller.enqueue(chunk);
    this.#sent += chunk.length;
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
    this.#place?.leave();
    if (!this.#ended) this.#onEnd(this.#sent);
    this.#ended = true;
    this.#pieces = [];
    await this.#rest.return(undefined);
  }
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === "string" ? encoder.encode(piece) : piece;
}

interface StreamContext {
  readonly requestId: string;
  readonly log: Log;
  readonly longResponses: LongResponses;
  /** Called at its end, complete or not, unless it turned out to be short and is returned whole. */
  readonly onEnd: (bytes: number) => void;
}

/** Streams a generated body. Its errors are only logged, since the response has begun. */
export async function streamResponse(
  response: EncodedStream,
  { requestId, log, longResponses, onEnd }: StreamContext,
): Promise<ResponseData<ReadyBody>> {
  const onBreak = (error: unknown) => {
    const fields = { request_id: requestId };
    if (error instanceof SlowReader) log.warn("A client read too slowly: its response was aborted.", fields);
    else if (error instanceof ChangedDuringRead)
      log.warn(`A long response was aborted: ${error.message}.`, fields);
    else log.error("A response was interrupted.", error, fields);
  };
  const place = await enter(response.body, longResponses);
  return { ...response, body: await textBody(response.body, { onBreak, onEnd, place }) };
}

/** Takes a place for a body; closes the body if there is none. */
async function enter(body: EncodedStream["body"], longResponses: LongResponses): Promise<LongResponse> {
  try {
    return longResponses.enter();
  } catch (error) {
    await body.return(undefined);
    throw error;
  }
}
