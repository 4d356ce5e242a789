import { Refusal } from "../../errors.ts";

/** Bodies up to this many bytes are always accepted. */
const SHORT = 16 * 1024;
/**
 * Limit on the buffered bytes of all longer bodies together (at least four times the limit of one body). Unfinished
 * bodies stay in memory until their connection is closed as idle: a thousand of them would take a gigabyte.
 */
const UNDER_WAY_MAX = 64 * 1024 * 1024;
let underWay = 0;

/** Reads a body chunk by chunk. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean }>;
  cancel(): Promise<void>;
}

const NOTHING = new Uint8Array();
/** Readers of bodies that were refused before their end. */
const unfinished = new WeakMap<Request, BodyReader>();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a body of at most `limit` bytes. A larger Content-Length is refused before a byte is read, a larger chunked
 * body as soon as it exceeds the limit.
 *
 * @throws Refusal `too_large`; `malformed` when the body breaks off or its framing is wrong; `unavailable` when too
 *   many long bodies are being received.
 */
export function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced === null)
    return request.body === null ? Promise.resolve(NOTHING) : readChunks(request, request.body, limit);
  if (Number(announced) > limit) return Promise.reject(tooLarge(limit));
  if (Number(announced) > SHORT && request.body !== null) return readChunks(request, request.body, limit);
  return request.bytes().then((bytes) => {
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }, brokenOff);
}

/** The unread rest of a body; undefined when it was read to its end, or there is none. */
export function takeUnread(request: Request): BodyReader | undefined {
  const rest = unfinished.get(request);
  unfinished.delete(request);
  if (rest !== undefined || request.bodyUsed) return rest;
  return request.body?.getReader();
}

/**
 * The JSON value of a body (RFC 8259, UTF-8 without a byte-order mark).
 * @throws Refusal `malformed`; also for too many members of different names, and for values that are nested too deep
 *   (RFC 8259, section 9)
 */
export function parseJson(bytes: Uint8Array): unknown {
  const excess = findExcess(bytes);
  if (excess !== undefined) throw new Refusal("malformed", EXCESS[excess]);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Refusal("malformed", "The body is not UTF-8.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "The body is not JSON.");
  }
}

/**
 * The media type of a body, one of the accepted ones.
 * @throws Refusal `unsupported_media_type` for another type or any Content-Encoding
 */
export function checkMediaType(request: Request, accepted: readonly string[]): string {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity")
    throw new Refusal(
      "unsupported_media_type",
      "Content-Encoding is not supported: send the body unencoded.",
      {
        // RFC 9110, section 15.5.16: the acceptable codings.
        headers: { "accept-encoding": "identity" },
      },
    );
  const header = request.headers.get("content-type");
  const mediaType = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!accepted.includes(mediaType)) {
    const wanted = accepted.join(" or ");
    // RFC 5789, section 2.2: a refused PATCH names the acceptable types.
    const headers = request.method === "PATCH" ? { "accept-patch": accepted.join(", ") } : {};
    throw new Refusal("unsupported_media_type", `Send the body with Content-Type: ${wanted}.`, { headers });
  }
  return mediaType;
}

async function readChunks(
  request: Request,
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = body.getReader();
  const room = Math.max(UNDER_WAY_MAX, 4 * limit);
  let length = 0;
  let counted = 0;
  try {
    while (true) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (done) return Buffer.concat(chunks, length);
      length += value.length;
      if (length > limit) throw tooLarge(limit);
      const long = Math.max(length - SHORT, 0);
      underWay += long - counted;
      counted = long;
      if (counted > 0 && underWay > room) throw tooManyLong();
      chunks.push(value);
    }
  } catch (error) {
    unfinished.set(request, reader);
    throw error;
  } finally {
    underWay -= counted;
  }
}

function tooManyLong(): Refusal {
  return new Refusal("unavailable", "Too many large requests at the same time: try again in a moment.", {
    retryAfter: 1,
  });
}

/** Not an error for the log: any client can disconnect in the middle of a body. */
function brokenOff(): never {
  throw new Refusal("malformed", "The body ended prematurely.");
}

function tooLarge(limit: number): Refusal {
  return new Refusal("too_large", `The body exceeds the limit of ${limit} bytes.`);
}

/**
 * Limit on name comparisons in the runtime's JSON parser. Its hash function is fixed, so names can be chosen to
 * collide, and each member is then compared with all names: 90,000 names in 1 MiB block the parser for 17 seconds, a
 * thousand for 3 ms.
 */
const COMPARISONS_MAX = 1_000_000;
/** A member has at least five bytes (`"":0,`), and a thousand different names reach the limit: shorter bodies are safe. */
const COUNTED_FROM = 5 * Math.sqrt(COMPARISONS_MAX);
/** How deep arrays and objects may be nested: what reads a value goes down to each of its members. */
const DEPTH_MAX = 1_000;

const EXCESS = {
  names: "The body has too many distinct member names.",
  depth: `The body has arrays or objects that are nested deeper than ${DEPTH_MAX} levels.`,
};

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKETS = { open: 0x5b, close: 0x5d };
const BRACES = { open: 0x7b, close: 0x7d };

/**
 * Which limit a JSON text exceeds, if any: of its depth, or of its member names, nested objects included. Repeated names, as in a
 * list of records, are harmless. The text may be invalid.
 */
export function findExcess(json: Uint8Array): keyof typeof EXCESS | undefined {
  // A level takes a byte.
  if (json.length <= DEPTH_MAX) return undefined;
  const countsNames = json.length > COUNTED_FROM;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // This set suffers from collisions like the parser, but only up to the limit.
  const names = new Set<string>();
  let members = 0;
  let depth = 0;
  let start = 0;
  let end = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      if (inString) end = index;
      else start = index + 1;
      inString = !inString;
    } else if (inString) {
      if (byte === BACKSLASH) index++;
    } else if (byte === BRACKETS.open || byte === BRACES.open) {
      depth++;
      if (depth > DEPTH_MAX) return "depth";
    } else if (byte === BRACKETS.close || byte === BRACES.close) depth--;
    else if (byte === COLON && countsNames) {
      // Each member has one colon outside of strings, and its name is the string before.
      names.add(bytes.toString("latin1", start, end));
      members++;
      if (members * names.size > COMPARISONS_MAX) return "names";
    }
  }
  return undefined;
}
