import { setImmediate } from "node:timers/promises";

/** How long a client may take to read what it was sent before it is dropped, in milliseconds. */
const STALL_LIMIT = 30_000;

/**
 * A body of pieces of text that are made as the client reads them, so that memory stays flat however long
 * it is and however slow the client. What has only one piece is returned whole.
 *
 * A failure half-way breaks the connection off: the body is never ended as if it were complete. A client
 * that stops reading is dropped.
 *
 * @param pieces read one ahead of what the client has taken, and returned early when the client goes away
 */
export async function textBody(
  pieces: AsyncGenerator<string>,
  stallLimit = STALL_LIMIT,
): Promise<string | ReadableStream<Uint8Array>> {
  const first = await pieces.next();
  const second = await pieces.next();
  if (second.done) return first.value ?? "";
  return stream(first.value, second.value, pieces, stallLimit);
}

function stream(
  first: string,
  second: string,
  rest: AsyncGenerator<string>,
  stallLimit: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(first));
        controller.enqueue(encoder.encode(second));
      },
      async pull(controller) {
        clearTimeout(stalled);
        // A client that takes everything at once must not keep the others waiting until the end.
        await setImmediate();
        const { done, value } = await rest.next();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(value));
        stalled = setTimeout(() => {
          controller.error(new Error("the client stopped reading"));
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
