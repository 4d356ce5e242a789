import { createHash } from "node:crypto";
import { messageOf, Refusal } from "../errors.ts";
import { timeLimit } from "../time-limit.ts";

/** A store of images beside the database. An object is named after its bytes ({@link objectName}), and never changes. */
export interface ObjectStore {
  /** Stores an object; again if it is there, which changes nothing. @throws Refusal `unavailable` */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** @returns its bytes as stored, or undefined. @throws Refusal `unavailable` */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Removes an object, if it is there. @throws Refusal `unavailable` */
  delete(name: string): Promise<void>;
}

/** The name of an object: its SHA-256, in hexadecimal. */
export function objectName(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An object that was stored earlier. @throws Refusal `unavailable`, also when it is missing or has other bytes */
export async function readObject(
  objects: Pick<ObjectStore, "get"> | undefined,
  name: string,
): Promise<Uint8Array> {
  if (objects === undefined) throw unavailable(`${name} is in an object store, and MEDIA is not set`);
  const bytes = await objects.get(name);
  if (bytes === undefined) throw unavailable(`${name} is missing in the object store`);
  if (objectName(bytes) !== name) throw unavailable(`${name} has other bytes in the object store`);
  return bytes;
}

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  /** What names begin with; empty or with a slash at its end. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The time limit of a request, in milliseconds. */
  readonly timeout?: number;
}

/** How long a signed URL is valid, in seconds: as far as S3 lets the clocks of client and service be apart. */
const URL_SECONDS = 15 * 60;
/** More than any image as it is stored: a pixel has at most 4 bytes. */
const BYTES_MAX = 64 * 1024 * 1024;
/** How much of an error is read, in bytes: it begins with what is wanted. */
const ERROR_MAX = 4_096;
/** The errors of a signature for another region. Some services name their region in every error. */
const WRONG_REGION: ReadonlySet<string> = new Set([
  "AuthorizationHeaderMalformed",
  "AuthorizationQueryParametersError",
  "InvalidRegion",
  "PermanentRedirect",
]);

type Method = "PUT" | "GET" | "DELETE";

/**
 * A bucket of an S3-compatible service. The runtime's client signs the URL of each request; it is requested with `fetch`,
 * since the client itself can neither be given a time limit nor be ended.
 */
export class S3Store implements ObjectStore {
  readonly #client: Bun.S3Client;
  readonly #prefix: string;
  readonly #timeout: number;
  /** What signatures name. A service that expects another one refuses the first request, and names it. */
  #region: string;

  constructor({ prefix, timeout = 10_000, ...options }: S3Options) {
    // The client encodes all parts of a URL but this one.
    const accessKeyId = encodeURIComponent(options.accessKeyId);
    this.#client = new Bun.S3Client({ ...options, accessKeyId });
    this.#prefix = prefix;
    this.#timeout = timeout;
    this.#region = regionOf(options.endpoint);
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#request("PUT", name, async () => {}, bytes);
  }

  get(name: string): Promise<Uint8Array | undefined> {
    return this.#request("GET", name, (response) =>
      response.status === 404 ? undefined : bytesOf(response),
    );
  }

  delete(name: string): Promise<void> {
    return this.#request("DELETE", name, async () => {});
  }

  async #request<T>(
    method: Method,
    name: string,
    read: (response: Response) => T | Promise<T>,
    body?: Uint8Array,
  ): Promise<T> {
    const signal = AbortSignal.timeout(timeLimit(this.#timeout));
    let region = this.#region;
    try {
      let response = await this.#send(method, name, region, signal, body);
      let error = response.ok ? undefined : await errorOf(response);
      if (error?.region !== undefined && WRONG_REGION.has(error.code) && error.region !== region) {
        region = error.region;
        response = await this.#send(method, name, region, signal, body);
        error = response.ok ? undefined : await errorOf(response);
      }
      const isMissing = response.status === 404 && method !== "PUT" && error?.code !== "NoSuchBucket";
      if (error !== undefined && !isMissing)
        throw new Error(`it responded with ${response.status}${error.code && ` (${error.code})`}`);
      this.#region = region;
      return await read(response);
    } catch (error) {
      throw unavailable(`${method} of ${name} failed: ${reasonOf(error)}`);
    }
  }

  #send(
    method: Method,
    name: string,
    region: string,
    signal: AbortSignal,
    body?: Uint8Array,
  ): Promise<Response> {
    const options = { method, expiresIn: URL_SECONDS, region };
    return fetch(this.#client.presign(this.#prefix + name, options), {
      method,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      redirect: "manual",
      signal,
    });
  }
}

/** The region that the host of a service tells, as in s3.eu-west-1.example.com. */
function regionOf(endpoint: string): string {
  return /^s3[.-]([a-z]+(?:-[a-z0-9]+)+|[a-z]{3})\./.exec(new URL(endpoint).hostname)?.[1] ?? "us-east-1";
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > BYTES_MAX) throw new Error("it is larger than any image");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The first characters of a body; the rest is cancelled. */
async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    pieces.push(piece);
    if (size >= ERROR_MAX) break;
  }
  return Buffer.concat(pieces).toString("latin1", 0, ERROR_MAX);
}

/** Code and region of an error. The rest of its document is left alone: it repeats parts of the signature. */
async function errorOf(response: Response): Promise<{ code: string; region: string | undefined }> {
  const document = await beginningOf(response);
  return {
    code: /<Code>(\w{1,60})<\/Code>/.exec(document)?.[1] ?? "",
    region: /<Region>([\w-]{1,60})<\/Region>/.exec(document)?.[1],
  };
}

/** Without the URL, which errors of the runtime have as a member: it is signed. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : messageOf(error).replaceAll(/https?:\S+/g, "(URL)");
}

function unavailable(reason: string): Refusal {
  return new Refusal(
    "unavailable",
    "The store of images and copies cannot be reached now: try again in a moment.",
    {
      retryAfter: 5,
      cause: new Error(`MEDIA: ${reason}`),
    },
  );
}
