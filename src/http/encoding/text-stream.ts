import { setImmediate } from "node:timers/promises";

/** A client that reads nothing for this long is dropped, in milliseconds. */
const STALL_LIMIT = 30_000;

const encoder = new TextEncoder();

export interface TextBodyOptions {
  readonly stallLimit?: number | undefined;
  /** Called when the body fails: the answer has begun, so the client cannot be told. */
  readonly onBreak?: (error: unknown) => void;
}

/**
 * A body generated while the client reads it: memory stays flat whatever its length and the client's speed. A body of
 * one chunk is returned whole.
 *
 * A failure half-way breaks off the connection: the body never ends as if it were complete. A client that stops
 * reading is dropped.
 *
 * @param pieces read one ahead of what the client has taken, and returned early when the client goes away
 */
export async function textBody(
  pieces: AsyncGenerator<string | Uint8Array>,
  { stallLimit = STALL_LIMIT, onBreak = () => {} }: TextBodyOptions = {},
): Promise<string | Uint8Array | ReadableStream<Uint8Array>> {
  const first = await pieces.next();
  const second = await pieces.next();
  if (second.done) return first.value ?? "";
  return stream(first.value, second.value, pieces, { stallLimit, onBreak });
}

function stream(
  first: string | Uint8Array,
  second: string | Uint8Array,
  rest: AsyncGenerator<string | Uint8Array>,
  { stallLimit, onBreak }: Required<TextBodyOptions>,
): ReadableStream<Uint8Array> {
  let stalled: NodeJS.Timeout | undefined;

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(bytesOf(first));
        controller.enqueue(bytesOf(second));
      },
      async pull(controller) {
        clearTimeout(stalled);
        // A fast client must not block the others until the end.
        await setImmediate();
        const { done, value } = await rest.next().catch((error) => {
          onBreak(error);
          throw error;
        });
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(bytesOf(value));
        stalled = setTimeout(() => {
          const error = new Error("the client stopped reading");
          onBreak(error);
          controller.error(error);
          rest.return(undefined);
        }, stallLimit);
      },
      async cancel() {
        clearTimeout(stalled);
        await rest.return(undefined);
      },
    },
    { highWaterMark: 2 },
  );
}

function bytesOf(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? encoder.encode(piece) : piece;
}
