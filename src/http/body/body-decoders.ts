import type { Awaitable } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import { checkMediaType, parseJson } from "./body.ts";

/** Decodes bodies of one media type. */
export interface BodyDecoder {
  readonly mediaType: string;
  /** Whether the body is a raw file instead of an object. */
  readonly isFile?: boolean;
  /** @throws Refusal `malformed` when the body is not of its type */
  readonly decode: (bytes: Uint8Array, request: Request) => Awaitable<unknown>;
}

/** The bodies that an operation accepts. */
export interface AcceptedBodies {
  /** Their types; JSON when absent. */
  readonly takes?: readonly BodyDecoder[];
  /** Whether a request without a body, and without the type of one, is valid: as one of an object without members. */
  readonly isBodyOptional?: boolean;
}

/** The fields of a form by name; a repeated name has all its values. */
export type FormFields = Readonly<Record<string, FormValue | readonly FormValue[]>>;
export type FormValue = string | File;

export const JSON_BODY: BodyDecoder = { mediaType: "application/json", decode: parseJson };

/** RFC 7396 */
export const MERGE_PATCH_BODY: BodyDecoder = {
  mediaType: "application/merge-patch+json",
  decode: parseJson,
};

/** A form without files (URL standard, section 5). */
export const FORM_BODY: BodyDecoder = {
  mediaType: "application/x-www-form-urlencoded",
  decode: (bytes) => fieldsOf(urlencodedPairs(bytes)),
};

/** A form with files (RFC 7578). */
export const MULTIPART_BODY: BodyDecoder = {
  mediaType: "multipart/form-data",
  decode: async (bytes, request) => fieldsOf(await multipartPairs(bytes, request)),
};

/**
 * Decodes a body of one of the accepted types, JSON by default.
 * @throws Refusal `unsupported_media_type` for another one, `malformed` when it is not of its type
 */
export async function decodeBody(
  request: Request,
  { takes = [JSON_BODY], isBodyOptional }: AcceptedBodies,
  rawBody: Uint8Array,
): Promise<unknown> {
  if (isBodyOptional && rawBody.length === 0 && !request.headers.has("content-type")) return {};
  return decoderFor(request, takes).decode(rawBody, request);
}

/**
 * The decoder of a request's body.
 * @throws Refusal `unsupported_media_type` when there is none for it
 */
export function decoderFor(request: Request, decoders: readonly BodyDecoder[]): BodyDecoder {
  const given = checkMediaType(
    request,
    decoders.map(({ mediaType }) => mediaType),
  );
  const decoder = decoders.find(({ mediaType }) => mediaType === given);
  if (decoder === undefined) throw new Error(`no decoder for ${given}`);
  return decoder;
}

/** The maximum number of fields in a form. */
const FIELDS_MAX = 10_000;
const NAMES_MAX = 1_000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function fieldsOf(pairs: Iterable<readonly [string, FormValue]>): FormFields {
  const fields = new Map<string, FormValue | FormValue[]>();
  for (const [name, given] of pairs) {
    const value = typeof given === "string" ? withLineFeeds(given) : given;
    const before = fields.get(name);
    if (before === undefined) {
      // Names can be chosen to collide in the runtime's hash table: then each is compared with all others.
      if (fields.size === NAMES_MAX) throw tooManyFields();
      fields.set(name, value);
    } else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

/**
 * Browsers send CR LF for each line break of a text area. Stored like that, an unedited text would differ in every
 * line.
 */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function urlencodedPairs(bytes: Uint8Array): [string, string][] {
  const text = decodeUtf8(bytes);
  const parts = text.split("&", FIELDS_MAX + 1).filter((part) => part !== "");
  if (parts.length > FIELDS_MAX) throw tooManyFields();
  return parts.map((part) => {
    const equals = part.indexOf("=");
    if (equals === -1) return [percentDecoded(part), ""];
    return [percentDecoded(part.slice(0, equals)), percentDecoded(part.slice(equals + 1))];
  });
}

/** Percent-decodes as the URL standard does, but invalid UTF-8 is an error instead of a replacement character. */
function percentDecoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  // A percent sign without two digits is literal.
  const wellFormed = spaced.replace(/%(?![0-9A-Fa-f]{2})/g, "%25");
  try {
    return decodeURIComponent(wellFormed);
  } catch {
    throw notUtf8();
  }
}

async function multipartPairs(bytes: Uint8Array, request: Request): Promise<[string, FormValue][]> {
  const contentType = request.headers.get("content-type") ?? "";
  let pairs: [string, FormValue][];
  try {
    const form = await new Response(new Blob([bytes as Uint8Array<ArrayBuffer>]), {
      headers: { "content-type": contentType },
    }).formData();
    pairs = [...form.entries()];
  } catch {
    throw new Refusal("malformed", "The body is not multipart/form-data.");
  }
  if (pairs.length > FIELDS_MAX) throw tooManyFields();
  return pairs;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): Refusal {
  return new Refusal("malformed", "The body is not UTF-8.");
}

function tooManyFields(): Refusal {
  return new Refusal("malformed", "The form has too many fields.");
}
