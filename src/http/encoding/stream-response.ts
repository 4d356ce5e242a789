import type { Log } from "../../log.ts";
import { ChangedDuringRead } from "../caching/changed-during-read.ts";
import type { ReadyBody, ResponseData } from "../response-data.ts";
import type { EncodedStream } from "./encoded-response.ts";
import { CHUNK, type StreamBudget, type StreamReservation } from "./stream-budget.ts";
import { SlowReader, textBody } from "./text-stream.ts";

interface StreamContext {
  readonly requestId: string;
  readonly log: Log;
  readonly streams: StreamBudget;
  /** Memory that the handler has reserved already. */
  readonly reservation: StreamReservation | undefined;
}

/** Streams a generated body. Its errors are only logged, since the response has begun. */
export async function streamResponse(
  response: EncodedStream,
  { requestId, log, streams, reservation }: StreamContext,
): Promise<ResponseData<ReadyBody>> {
  const onBreak = (error: unknown) => {
    const fields = { request_id: requestId };
    if (error instanceof SlowReader) log.warn("A client read too slowly: its response was aborted.", fields);
    else if (error instanceof ChangedDuringRead)
      log.warn(`A long response was aborted: ${error.message}.`, fields);
    else log.error("A response was interrupted.", error, fields);
  };
  const isEncoded = response.headers?.["content-encoding"] !== undefined;
  const reserved = reservation ?? (await reserveFor(response.body, streams));
  return { ...response, body: await textBody(response.body, { onBreak, reservation: reserved, isEncoded }) };
}

/** Reserves memory for a body of unknown length; closes the body if none is available. */
async function reserveFor(body: EncodedStream["body"], streams: StreamBudget): Promise<StreamReservation> {
  try {
    return streams.reserve(2 * CHUNK);
  } catch (error) {
    await body.return(undefined);
    throw error;
  }
}
