interface DocumentedHeader {
  readonly description: string;
  readonly examples?: readonly string[];
}

type Headers = Readonly<Record<string, DocumentedHeader>>;

/** Request headers of reads. */
const reading: Headers = {
  "If-None-Match": {
    description: "Entity tags of cached copies: 304 if one of them is current.",
    examples: ['"5f3a91c2.12"'],
  },
};

/** Request headers of writes. */
const writing: Headers = {
  "If-Match": {
    description: "Write only if one of these entity tags is current; 412 otherwise.",
    examples: ['"5f3a91c2.12"'],
  },
  "If-None-Match": {
    description: "Write only if none of these entity tags is current; 412 otherwise.",
    examples: ['"5f3a91c2.11"'],
  },
  "Idempotency-Key": {
    description:
      "1 to 255 visible ASCII characters, chosen by the client. For 24 hours, a repeated request with the same key gets the stored response, and nothing is done twice.",
    examples: ["a5d0c7f2-9a1e-4c43-8d0e-61d6f2b7a9d4"],
  },
};

/** Response headers. */
const answering: Headers = {
  "X-Request-Id": {
    description: "The id of this request in the server's log.",
    examples: ["5f3a91c2-1f"],
  },
  ETag: { description: "The strong entity tag of this version.", examples: ['"5f3a91c2.12"'] },
  Link: {
    description: 'The URL of the next page (`rel="next"`); absent on the last page.',
    examples: ['<https://links.example.com/bookmarks/?limit=20&cursor=b3BhcXVl>; rel="next"'],
  },
  "X-Total-Count": { description: "The number of records on all pages.", examples: ["1200"] },
  "Search-Matches": {
    description: "With `q`: the number of matches, counted up to 1000.",
    examples: ["1000+"],
  },
  "Search-Behind": {
    description:
      "Number of records whose words are not yet indexed, after an import or an upgrade; absent when there are none.",
    examples: ["4200"],
  },
  "Content-Disposition": {
    description: "Of a file: the name by which a browser saves it.",
    examples: ['attachment; filename="marks.md"'],
  },
  Location: { description: "The path of the new record." },
  "Content-Location": { description: "The new path of the record, if this operation moved it." },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored response to an earlier request with the same key.",
    examples: ["true"],
  },
  "Set-Cookie": { description: "The session cookie." },
  "Retry-After": { description: "Seconds after which the same request may succeed.", examples: ["1"] },
  "Accept-Patch": {
    description: "The media types that PATCH accepts.",
    examples: ["application/merge-patch+json, application/json"],
  },
  "WWW-Authenticate": {
    description: "The supported authentication schemes.",
    examples: ['Bearer realm="commonplace"'],
  },
};

/**
 * The parameter for a request header.
 * @throws Error when it is not described here
 */
export function headerParameter(name: string, writes: boolean): Record<string, unknown> {
  const { description, ...schema } = describe(writes ? writing : reading, name);
  return { name, in: "header", description, schema: { type: "string", ...schema } };
}

/**
 * The description of a response header.
 * @throws Error when it is not described here
 */
export function responseHeader(name: string): Record<string, unknown> {
  const { description, ...schema } = describe(answering, name);
  return { description, schema: { type: "string", ...schema } };
}

function describe(headers: Headers, name: string): DocumentedHeader {
  const found = headers[name];
  if (found === undefined) throw new Error(`the header ${name} is not described`);
  return found;
}
