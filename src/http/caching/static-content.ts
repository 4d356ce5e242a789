import { createHash } from "node:crypto";
import { type Answer, notModified } from "../answer.ts";
import { EncodedBody } from "../encoding/content-coding.ts";
import { isNotModified } from "./etags.ts";

interface Loaded {
  readonly bytes: EncodedBody;
  /** Of the bytes, and made of nothing but them: every process that serves them has the same. */
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

  /** 200, or 304 when the client's copy still holds. */
  async answer(request: Request): Promise<Answer> {
    const { bytes, etag } = await this.#load();
    const { contentType, headers } = this.#options;
    // A cache puts the headers of a 304 in the place of those that it has, so both need all of them.
    if (isNotModified(request, etag)) return { ...notModified(etag, "public"), ...(headers && { headers }) };
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
