import { promisify } from "node:util";
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from "node:zlib";

/** The supported content codings (RFC 9110, section 8.4.1), in order of preference. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Compression levels for cached bodies, and for those made for one waiting client. */
const EFFORT = {
  kept: {
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } },
    gzip: { level: 7 },
  },
  once: {
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    gzip: { level: 1 },
  },
} as const satisfies Record<string, { br: BrotliOptions; gzip: ZlibOptions }>;

const compress = {
  br: promisify<Uint8Array, BrotliOptions, Buffer<ArrayBuffer>>(brotliCompress),
  gzip: promisify<Uint8Array, ZlibOptions, Buffer<ArrayBuffer>>(gzip),
};

/**
 * The supported coding that a client prefers (RFC 9110, section 12.5.3), undefined for none. A client that accepts no
 * coding at all still gets the plain form.
 */
export function codingFor(request: Request): Coding | undefined {
  const header = request.headers.get("accept-encoding");
  if (header === null || header === "") return undefined;
  const wanted = weightsOf(header);
  const weightOf = (coding: string) => wanted.get(coding) ?? wanted.get("*") ?? 0;
  const best = CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  const plain = wanted.get("identity") ?? 0;
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= plain ? best : undefined;
}

/**
 * Matches the suffix of an encoded form's entity tag (without quotes); the rest is the plain form's tag. Ours begins with
 * a dot; Apache and Caddy, when they compress, append one with a hyphen.
 */
export const ETAG_CODING_SUFFIX = new RegExp(
  `(?:\\.(?:${CODINGS.join("|")})|-(?:${CODINGS.join("|")}|zstd))$`,
);

/** The strong tag of an encoded form: each coding has its own tag of the same version. */
export function taggedAs(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? etag : `${etag.slice(0, -1)}.${coding}"`;
}

/**
 * A body that is sent many times, plain or encoded; each coding is computed once, on demand. Blobs, since the runtime
 * copies any other bytes for each response.
 */
export class EncodedBody {
  readonly plain: Blob;
  readonly #coded = new Map<Coding, Promise<Blob> | Blob>();
  readonly #onCoded: (size: number) => void;

  /** @param onCoded called with the size of each new encoded form, in bytes */
  constructor(plain: string | Uint8Array, onCoded: (size: number) => void = () => {}) {
    this.plain = blobOf(plain);
    this.#onCoded = onCoded;
  }

  in(coding: Coding): Promise<Blob> | Blob {
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const making = this.#code(coding);
    making.catch(() => this.#coded.delete(coding));
    this.#coded.set(coding, making);
    return making;
  }

  async #code(coding: Coding): Promise<Blob> {
    const blob = blobOf(await compress[coding](await this.plain.bytes(), EFFORT.kept[coding]));
    this.#coded.set(coding, blob);
    this.#onCoded(blob.size);
    return blob;
  }
}

/** The type of Blob excludes bytes shared between threads; ours are not shared. */
function blobOf(bytes: string | Uint8Array): Blob {
  return new Blob([bytes as string]);
}

/** Encodes a text that is sent once. */
export function code(text: string, coding: Coding): Promise<Uint8Array> {
  return compress[coding](Buffer.from(text), EFFORT.once[coding]);
}

/** The coders of streams. */
const CODERS = {
  br: () => createBrotliCompress(EFFORT.once.br),
  gzip: () => createGzip(EFFORT.once.gzip),
} satisfies Record<Coding, () => unknown>;

/** Encodes a stream, flushing each chunk so that the client can decode it on arrival. */
export async function* encodeStream(
  pieces: AsyncGenerator<string>,
  coding: Coding,
): AsyncGenerator<Uint8Array> {
  const coder = CODERS[coding]();
  const coded: Buffer[] = [];
  coder.on("data", (bytes: Buffer) => coded.push(bytes));
  try {
    for await (const piece of pieces) {
      coder.write(piece);
      await new Promise<void>((resolve) => coder.flush(resolve));
      yield Buffer.concat(coded.splice(0));
    }
    const ended = new Promise((resolve) => coder.once("end", resolve));
    coder.end();
    await ended;
    yield Buffer.concat(coded);
  } finally {
    coder.destroy();
    await pieces.return(undefined);
  }
}

/**
 * What a header such as `Accept` names, in lower case, with the weights from 0 to 1. Media types count without their parameters; items
 * in another form are left out.
 */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [, coding = "", q = "1"] =
      /^\s*([!#$%&'*+.^_`|~\w/-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(withoutParameters(item)) ??
      [];
    if (coding !== "") weights.set(coding.toLowerCase(), Number(q));
  }
  return weights;
}

function withoutParameters(item: string): string {
  return item.includes("/") ? item.replace(/;\s*(?!q=)[\w!#$&^.+-]+=(?:"[^"]*"|[^;"]*)/gi, "") : item;
}
