import { createHash } from "node:crypto";
import { messageOf, Refusal } from "../errors.ts";
import { timeLimit } from "../time-limit.ts";

/** A store of images beside the database. An object is named after its bytes ({@link objectName}), and never changes. */
export interface ObjectStore {
  /** Stores an object; again if it is there, which changes nothing. @throws Refusal `unavailable` */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** @returns its bytes as they are there, or undefined. @throws Refusal `unavailable` */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Removes an object, if it is there. @throws Refusal `unavailable` */
  delete(name: string): Promise<void>;
}

/** The name of an object: its SHA-256, in hexadecimal. */
export function objectName(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An object that was stored earlier. @throws Refusal `unavailable`, also when it is missing or has other bytes */
export async function readObject(objects: ObjectStore | undefined, name: string): Promise<Uint8Array> {
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

/** How long a signed URL is valid, in seconds: six times the time limit of the request that has it. */
const URL_SECONDS = 60;
/** More than any image as it is stored: a pixel has at most 4 bytes. */
const BYTES_MAX = 64 * 1024 * 1024;

/**
 * A bucket of an S3-compatible service. The runtime's client signs the URL of each request; it is requested with `fetch`,
 * since the client itself can neither be given a time limit nor be ended.
 */
export class S3Store implements ObjectStore {
  readonly #client: Bun.S3Client;
  readonly #prefix: string;
  readonly #timeout: number;

  constructor({ prefix, timeout = 10_000, ...options }: S3Options) {
    this.#client = new Bun.S3Client({ ...options, region: regionOf(options.endpoint) });
    this.#prefix = prefix;
    this.#timeout = timeout;
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
    method: "PUT" | "GET" | "DELETE",
    name: string,
    read: (response: Response) => T | Promise<T>,
    body?: Uint8Array,
  ): Promise<T> {
    try {
      const response = await fetch(
        this.#client.presign(this.#prefix + name, { method, expiresIn: URL_SECONDS }),
        {
          method,
          ...(body && { body: body as Uint8Array<ArrayBuffer> }),
          redirect: "manual",
          signal: AbortSignal.timeout(timeLimit(this.#timeout)),
        },
      );
      const isMissing = response.status === 404 && method !== "PUT";
      const code = response.ok ? undefined : await errorCodeOf(response);
      if (!response.ok && !(isMissing && code !== "NoSuchBucket"))
        throw new Error(`it responded with ${response.status}${code && ` (${code})`}`);
      return await read(response);
    } catch (error) {
      throw unavailable(`${method} of ${name} failed: ${reasonOf(error)}`);
    }
  }
}

/** The region that signatures name. It is part of most hosts, as in s3.eu-west-1.example.com; other services ignore it. */
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

/** The code of an error. The rest of its document is left alone: it repeats parts of the signature. */
async function errorCodeOf(response: Response): Promise<string> {
  const document = Buffer.from(await bytesOf(response)).toString("latin1", 0, 4_096);
  return /<Code>(\w{1,60})<\/Code>/.exec(document)?.[1] ?? "";
}

/** Without the URL, which errors of the runtime have as a member: it is signed. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : messageOf(error).replaceAll(/https?:\S+/g, "(URL)");
}

function unavailable(reason: string): Refusal {
  return new Refusal("unavailable", "The images cannot be reached now: try again in a moment.", {
    retryAfter: 5,
    cause: new Error(`MEDIA: ${reason}`),
  });
}
