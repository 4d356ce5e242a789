import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Answer, notModified } from "./answer.ts";
import { holdsCurrent } from "./validators.ts";

interface Loaded {
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Of the plain bytes, and made of nothing but them: every process that serves them has the same. */
  readonly etag: string;
}

export interface StaticContentOptions {
  /** Gives the bytes. Called when they are first asked for, and again only if that failed. */
  readonly load: () => Uint8Array | Promise<Uint8Array>;
  readonly contentType: string;
  /** Headers that come with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that stays the same as long as the process runs. */
export class StaticContent {
  readonly #options: StaticContentOptions;
  #loaded: Promise<Loaded> | undefined;

  constructor(options: StaticContentOptions) {
    this.#options = options;
  }

  /** 200, gzipped for a client that takes it, or 304 when the client's copy still holds. */
  async answer(request: Request): Promise<Answer> {
    const { plain, gzipped, etag } = await this.#load();
    const zip = takesGzip(request);
    const tag = zip ? etag.replace(/"$/, '.gzip"') : etag;
    const { contentType, headers } = this.#options;
    // A cache puts the headers of a 304 in the place of those that it has, so both need all of them.
    if (holdsCurrent(request, etag)) return { ...notModified(tag, "public"), ...(headers && { headers }) };
    return {
      status: 200,
      body: zip ? gzipped : plain,
      contentType,
      etag: tag,
      caching: "public",
      headers: { ...headers, ...(zip && { "content-encoding": "gzip" }) },
    };
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= load(this.#options).catch((error) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }
}

async function load({ load }: StaticContentOptions): Promise<Loaded> {
  const plain = await load();
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, gzipped: await promisify(gzip)(plain), etag: `"${hash}"` };
}

/** RFC 9110, section 12.5.3 */
function takesGzip(request: Request): boolean {
  const codings = request.headers.get("accept-encoding")?.split(",") ?? [];
  return codings.some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(coding));
}
