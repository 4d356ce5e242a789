import { createHash } from "node:crypto";
import { EncodedBody } from "../encoding/content-coding.ts";
import { notModified, type ResponseData } from "../response-data.ts";
import { isNotModified } from "./etags.ts";

interface Loaded {
  readonly bytes: EncodedBody;
  /** Derived from the bytes alone, so that every process has the same. */
  readonly etag: string;
}

export interface StaticContentOptions {
  /** Loads the bytes: at the first request, and again only after a failure. */
  readonly load: () => Uint8Array | Promise<Uint8Array>;
  readonly contentType: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content that does not change while the process runs. */
export class StaticContent {
  readonly #options: StaticContentOptions;
  #loaded: Promise<Loaded> | undefined;

  constructor(options: StaticContentOptions) {
    this.#options = options;
  }

  /** 200, or 304 when the client's copy still holds. */
  async answer(request: Request): Promise<ResponseData> {
    const { bytes, etag } = await this.#load();
    const { contentType, headers } = this.#options;
    // Caches replace their stored headers by those of a 304, so a 304 has all of them.
    if (isNotModified(request, etag))
      return { ...notModified(etag, "public", contentType), ...(headers && { headers }) };
    return { status: 200, body: bytes, contentType, etag, caching: "public", ...(headers && { headers }) };
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
  return { bytes: new EncodedBody(plain), etag: `"${hash}"` };
}
