import type { Database } from "../../database/database.ts";
import { type Caching, notModified, type ResponseData } from "../response-data.ts";
import { contentTag, isNotModified } from "./etags.ts";

interface ContentResponse {
  /** By default `private`. */
  readonly caching?: Caching;
  /** Additional headers, for which the tag stands, too. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200 with a JSON body under a tag made of its content, for what has no version of its own; 304 when it is current. */
export function okWithContentTag(
  request: Request,
  { epoch }: Pick<Database, "epoch">,
  value: unknown,
  { caching = "private", headers }: ContentResponse = {},
): ResponseData {
  const etag = contentTag(epoch, headers === undefined ? value : [value, headers]);
  if (isNotModified(request, etag)) return notModified(etag, caching);
  return { status: 200, body: JSON.stringify(value), etag, caching, ...(headers && { headers }) };
}
