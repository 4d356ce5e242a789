import { setImmediate } from "node:timers/promises";

/** How long a client may take to read what it was sent before it is dropped, in milliseconds. */
const STALL_LIMIT = 30_000;

const encoder = new TextEncoder();

export interface TextBodyOptions {
  readonly stallLimit?: number | undefined;
  /** Told when the body breaks off: the answer has begun, so nobody else hears of it. */
  readonly onBreak?: (error: unknown) => void;
}

/**
 * A body of pieces that are made as the client reads them, so that memory stays flat however long
 * it is and however slow the client. What has only one piece is returned whole.
 *
 * A failure half-way breaks the connection off: the body is never ended as if it were complete. A client
 * that stops reading is dropped.
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
        // A client that takes everything at once must not keep the others waiting until the end.
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
