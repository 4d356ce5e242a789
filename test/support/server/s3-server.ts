import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { freePort } from "../machine/free-port.ts";

export const BUCKET = "pictures";
/** Account and user, as those of OpenStack Swift are. */
export const ACCESS_KEY = "AKEXAMPLE:blog";
export const SECRET = "s3cr3t/with+signs=";

/**
 * What goes wrong with requests. `dies` closes the connection in the middle of a body, `hangs` never responds, `floods` sends
 * an error without an end, `denies` names a region where it is not the reason, and `misleads` names one that it refuses, too.
 */
export type Trouble = "none" | "dies" | "hangs" | "redirects" | "fails" | "floods" | "denies" | "misleads";

/**
 * An S3 service with one bucket, in memory: PUT, GET and DELETE by path, with signed URLs. It checks the signature
 * (Signature Version 4, in the query) by itself, and responds as S3 does, with its error documents.
 */
export class S3Server implements AsyncDisposable {
  readonly objects = new Map<string, Buffer>();
  /** Each request, such as `PUT images/ab01`. */
  readonly requests: string[] = [];
  trouble: Trouble = "none";
  /** The only region that signatures may name. */
  region = "us-east-1";
  /** How many minutes its clock is ahead. */
  minutesAhead = 0;
  /** Milliseconds before each object is sent. */
  delay = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
    this.#server.setMaxListeners(0);
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
    });
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    // While it is stopped, no connection may take its port.
    server.#port = await freePort();
    await server.#listen();
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The settings of a server whose images are here. */
  settings(prefix = "site/images"): Record<string, string> {
    return {
      MEDIA: `s3://${BUCKET}/${prefix}`,
      MEDIA_ENDPOINT: this.endpoint,
      MEDIA_KEY: ACCESS_KEY,
      MEDIA_SECRET: SECRET,
    };
  }

  /** Ends the service with all its connections; its objects stay. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Begins again, on the same port. */
  restart(): Promise<void> {
    return this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.trouble = "none";
    if (this.#server.listening) await this.stop();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(this.#port, "127.0.0.1", resolve);
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", trouble } = { method: request.method, trouble: this.trouble };
    const url = new URL(request.url ?? "", this.endpoint);
    const [, bucket, key = ""] = /^\/([^/]*)\/(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    this.requests.push(`${method} ${key}`);
    if (trouble === "hangs") return;
    if (trouble === "redirects") {
      response.writeHead(307, { location: `${this.endpoint}/elsewhere` }).end();
      return;
    }
    if (trouble === "fails") return refuse(response, 500, "InternalError");
    if (trouble === "floods") return flood(response);
    if (trouble === "denies") return refuse(response, 403, "AccessDenied", "<Region>nowhere</Region>");
    if (trouble === "misleads") return refuse(response, 400, WRONG_REGION, "<Region>nowhere</Region>");
    const refused = refusalOf(request, url, this);
    if (refused === WRONG_REGION) return refuse(response, 400, refused, `<Region>${this.region}</Region>`);
    if (refused !== undefined) return refuse(response, 403, refused);
    if (bucket !== BUCKET) return refuse(response, 404, "NoSuchBucket");
    if (method === "PUT") return this.#put(request, response, key);
    const object = this.objects.get(key);
    if (method === "DELETE") {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (method !== "GET") refuse(response, 405, "MethodNotAllowed");
    else if (object === undefined) refuse(response, 404, "NoSuchKey");
    else {
      await Bun.sleep(this.delay);
      response.writeHead(200, { "content-type": "binary/octet-stream", "content-length": object.length });
      if (trouble !== "dies") response.end(object);
      else response.write(object.subarray(0, object.length / 2), () => request.socket.destroy());
    }
  }

  async #put(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    if (Number.isNaN(length)) return refuse(response, 411, "MissingContentLength");
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) {
        pieces.push(piece as Buffer);
        if (this.trouble === "dies") {
          request.socket.destroy();
          return;
        }
      }
    } catch {
      return;
    }
    const bytes = Buffer.concat(pieces);
    if (bytes.length !== length) return refuse(response, 400, "IncompleteBody");
    this.objects.set(key, bytes);
    response.writeHead(200, { etag: `"${createHash("md5").update(bytes).digest("hex")}"` }).end();
  }
}

const WRONG_REGION = "AuthorizationQueryParametersError";

function refuse(response: ServerResponse, status: number, code: string, more = ""): void {
  const document = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>${code}</Code><Message>Refused.</Message>${more}<AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(document);
}

/** Sends an error that goes on until the client ends the connection. */
function flood(response: ServerResponse): void {
  response.writeHead(500, { "content-type": "application/xml" });
  response.write("<Error><Code>InternalError</Code>");
  const more = () => {
    while (!response.destroyed && response.write(" ".repeat(65_536)));
  };
  response.on("drain", more);
  more();
}

/** The code of the error in the authentication of a request (AWS Signature Version 4, authenticating with the query). */
function refusalOf(
  request: IncomingMessage,
  url: URL,
  expected: { region: string; minutesAhead: number },
): string | undefined {
  const query = url.searchParams;
  const [key, day = "", region = "", service, end] = (query.get("X-Amz-Credential") ?? "").split("/");
  const date = query.get("X-Amz-Date") ?? "";
  if (query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256" || key !== ACCESS_KEY) return "InvalidAccessKeyId";
  const [, year, month, date2, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const signedAt = Date.parse(`${year}-${month}-${date2}T${hour}:${minute}:${second}Z`);
  const age = (Date.now() + expected.minutesAhead * 60_000 - signedAt) / 1_000;
  if (!(age > -900 && age < Number(query.get("X-Amz-Expires"))) || !date.startsWith(day))
    return "AccessDenied";
  if (region !== expected.region || service !== "s3" || end !== "aws4_request") return WRONG_REGION;
  const names = (query.get("X-Amz-SignedHeaders") ?? "").split(";");
  if (!names.includes("host")) return "AccessDenied";
  const canonicalQuery = [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const canonical = [
    request.method,
    decodeURIComponent(url.pathname).split("/").map(encoded).join("/"),
    canonicalQuery,
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    names.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const signing = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${SECRET}`,
  );
  const signature = createHmac("sha256", signing)
    .update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash}`)
    .digest();
  const given = Buffer.from(query.get("X-Amz-Signature") ?? "", "hex");
  return given.length === signature.length && timingSafeEqual(given, signature)
    ? undefined
    : "SignatureDoesNotMatch";
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
