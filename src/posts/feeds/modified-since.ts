import type { ResponseData, StreamedResponseData } from "../../http/response-data.ts";

/**
 * Answers 304 to a client that knows no entity tags, if its `If-Modified-Since` is exactly the `Last-Modified` of the
 * content: an earlier or later one is of other content, or of a clock that was set. The header counts seconds, so it is
 * left out while the content could still change in the same second.
 */
export function modifiedSince(
  request: Request,
  response: ResponseData | StreamedResponseData,
  now: Date,
): ResponseData | StreamedResponseData {
  const { "last-modified": modified, ...others } = response.headers ?? {};
  if (response.status !== 200 || modified === undefined) return response;
  const isSettled = now.getTime() - Date.parse(modified) >= 1_000;
  if (!isSettled) return { ...response, headers: others };
  const { headers } = request;
  const isSame = headers.get("if-modified-since") === modified && !headers.has("if-none-match");
  return isSame ? { ...response, status: 304, body: null } : response;
}
