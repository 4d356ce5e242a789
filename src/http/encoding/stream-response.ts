import type { Log } from "../../log.ts";
import { ChangedDuringRead } from "../caching/changed-during-read.ts";
import type { ReadyBody, ResponseData } from "../response-data.ts";
import type { EncodedStream } from "./content-coding.ts";
import type { LongResponse, LongResponses } from "./long-responses.ts";
import { SlowReader, textBody } from "./text-stream.ts";

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
