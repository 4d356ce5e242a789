import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { z } from "zod";
import { useRealTimeLimits } from "../../test/support/given/real-time-limits.ts";
import { checkProblem } from "../../test/support/requests/problems.ts";
import { temporaryFolder } from "../../test/support/server/server.ts";
import type { StampedRequest } from "../database/request-stamp.ts";
import { Refusal } from "../errors.ts";
import { Log } from "../log.ts";
import { ANONYMOUS } from "./access.ts";
import { Clients } from "./client/client.ts";
import { type DispatchDependencies, Dispatcher, type Handler } from "./dispatch.ts";
import { type Call, endpoint, type Resource, SERVICE_TAG } from "./endpoint.ts";
import { Cors } from "./guards/cors.ts";
import { Hosts } from "./guards/hosts.ts";
import { IN_PROGRESS_MAX, LoadShedder } from "./guards/load-shedding.ts";
import { ok, type ResponseData } from "./response-data.ts";

useRealTimeLimits();

const contract = { id: "x", tag: SERVICE_TAG, summary: "X", responses: {}, refusals: [] };
const peer = { address: () => "127.0.0.1" };

describe("A handler", () => {
  const folder = temporaryFolder();
  let descriptor: number;
  let log: Log;
  beforeEach(() => {
    descriptor = openSync(folder.file("log"), "w");
    log = new Log({ level: "info", format: "json", descriptor });
  });
  afterEach(async () => {
    // Buffered lines would be written later, to whatever file has the descriptor's number by then.
    await log.close(60_000);
    closeSync(descriptor);
  });
  afterAll(() => folder[Symbol.dispose]());

  const logged = async () => {
    await log.close(60_000);
    const lines = readFileSync(folder.file("log"), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const dispatcherOf = (
    dependencies: Pick<DispatchDependencies, "routes"> & Partial<DispatchDependencies>,
  ): Dispatcher =>
    new Dispatcher({
      hosts: new Hosts({ loopback: true, allowed: [] }),
      clients: new Clients([], undefined),
      authenticator: { authenticate: () => ANONYMOUS, authenticatePerson: () => ANONYMOUS },
      stamps: { stamp: () => 0, stampNow: () => 0 },
      storage: { obstacle: () => undefined, releaseReserve() {} },
      cors: new Cors([]),
      log,
      logAddress: "net",
      bodyLimit: 100,
      ...dependencies,
    });
  const handlerFor = (path: string, resource: Resource, load?: LoadShedder): Handler =>
    dispatcherOf({ load, routes: { [path]: resource } }).handle;
  const get = (handle: Handler, target: string, headers: Record<string, string> = {}) =>
    handle(new Request(`http://localhost${target}`, { headers }), peer);

  test("refuses under overload after a wrong host and before all other checks, but never a health check", async () => {
    const busy = new LoadShedder();
    for (let reading = 0; reading < IN_PROGRESS_MAX; reading++) busy.enter("read");
    const handle = handlerFor("/healthz", { GET: endpoint(contract, () => ok({})) }, busy);
    expect((await get(handle, "/healthz")).status).toBe(200);
    expect((await get(handle, "/nothing", { host: "evil.example" })).status).toBe(421);
    for (const target of ["/nothing", "/healthz/"]) {
      const response = await get(handle, target);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(response.headers.get("x-request-id")).not.toBeNull();
      checkProblem(await response.json(), 503);
    }
  });

  test("announces in its last responses that connections are closed", async () => {
    const handle = handlerFor("/", { GET: endpoint(contract, () => ok({})) });
    const last = await handle(new Request("http://localhost/"), { ...peer, ending: true });
    expect(last.headers.get("connection")).toBe("close");
    expect((await get(handle, "/")).headers.has("connection")).toBeFalse();
  });

  test("is asked again, after a body, what was committed meanwhile; without a body, once", async () => {
    let stamp = 0;
    const stamps = { stamp: () => ++stamp, stampNow: () => ++stamp };
    const seen: unknown[] = [];
    const access = {
      current: async ({ stamp }: StampedRequest) => {
        seen.push(await stamp.stamp());
        return { anonymous: true };
      },
      documented: { anonymous: true },
    };
    const handle = async (call: Call) => {
      seen.push(await call.stamp.stamp());
      return ok({});
    };
    const GET = endpoint({ ...contract, access }, handle);
    const POST = endpoint({ ...contract, access, body: z.object({}) }, handle as () => Promise<ResponseData>);
    const dispatcher = dispatcherOf({ stamps, routes: { "/": { GET, POST } } });
    for (const init of [{}, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }])
      expect((await dispatcher.handle(new Request("http://localhost/", init), peer)).status).toBe(200);
    expect(seen).toEqual([1, 1, 2, 3]);
  });

  test("gets parameters, query and body parsed", async () => {
    let call: Call<z.ZodObject, z.ZodObject, z.ZodObject> | undefined;
    const POST = endpoint(
      {
        ...contract,
        params: z.object({ id: z.string() }),
        query: z.object({ q: z.string().optional() }),
        body: z.object({ name: z.string() }),
      },
      (given) => {
        call = given;
        return ok({});
      },
    );
    const handle = handlerFor("/things/{id}", { POST });
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"n","x":1}',
    };
    const response = await handle(new Request("http://localhost/things/a%2Fb?q=1%202&z=3", init), peer);
    expect(response.status).toBe(200);
    expect(call).toMatchObject({
      path: "/things/a%2Fb",
      search: "?q=1%202&z=3",
      params: { id: "a/b" },
      query: { q: "1 2" },
      body: { name: "n" },
    });
    expect(Buffer.from(call?.rawBody ?? []).toString()).toBe('{"name":"n","x":1}');
  });

  test("answers an internal error with 500 and the request id, under which the log has the details", async () => {
    const GET = endpoint(contract, () => {
      throw new Error("no such table: bookmarks", { cause: new Error("in /var/lib/secret.db") });
    });
    const response = await get(handlerFor("/", { GET }), "/", { "x-request-id": "the-id" });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(checkProblem(JSON.parse(text), 500).detail).toContain("the-id");
    expect(text).not.toMatch(/table|secret|\.ts|Error:/);
    const [fault, request] = await logged();
    expect(fault).toMatchObject({ level: "error", request_id: "the-id" });
    for (const part of ["no such table: bookmarks", "dispatch.test.ts", "secret.db"])
      expect(fault?.error).toContain(part);
    expect(request).toMatchObject({ request_id: "the-id", status: 500 });
  });

  test.each(["full", "net", "off"] as const)(
    "logs the client's address as LOG_ADDRESS=%s says, the account, the bytes and the trace of a request",
    async (logAddress) => {
      const account = { id: 1, username: "editor", displayName: "Editor" };
      const caller = { ...ANONYMOUS, key: "account:1", account };
      const GET = endpoint(contract, () => ok({ word: "zwölf" }));
      const authenticator = { authenticate: () => caller, authenticatePerson: () => caller };
      const { handle } = dispatcherOf({ routes: { "/": { GET } }, logAddress, authenticator });
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      for (const method of ["GET", "HEAD"])
        for (const address of ["203.0.113.77", "::ffff:203.0.113.77", "2001:db8:1:2::3"])
          await handle(new Request("http://localhost/", { method, headers: { traceparent } }), {
            address: () => address,
          });
      const shown = {
        full: ["203.0.113.77", "203.0.113.77", "2001:db8:1:2::3"],
        net: ["203.0.113.0", "203.0.113.0", "2001:db8:1::"],
        off: [undefined, undefined, undefined],
      }[logAddress];
      const lines = await logged();
      expect(lines.map(({ address }) => address as string | undefined)).toEqual([...shown, ...shown]);
      expect(lines.map(({ bytes }) => bytes)).toEqual([17, 17, 17, 0, 0, 0]);
      expect(lines[0]).toMatchObject({ account: "editor", trace_id: "0af7651916cd43dd8448eb211c80319c" });
    },
  );

  test("logs a streamed response at its end, with the bytes that were sent", async () => {
    async function* pieces() {
      for (let piece = 0; piece < 4; piece++) yield "ä".repeat(50_000);
    }
    const GET = endpoint(contract, () => ({ status: 200, body: pieces() }));
    const handle = handlerFor("/", { GET });
    const whole = await get(handle, "/", { "x-request-id": "whole" });
    const cut = (await get(handle, "/", { "x-request-id": "cut" })).body?.getReader();
    const { value } = (await cut?.read()) ?? {};
    await cut?.cancel();
    expect((await whole.bytes()).length).toBe(400_000);
    const [first, second] = await logged();
    expect(first).toMatchObject({ request_id: "cut", status: 200 });
    expect(first?.bytes).toBeWithin(value?.length ?? 0, 400_000);
    expect(second).toMatchObject({ request_id: "whole", bytes: 400_000 });
  });

  test("answers 500 to a thrown value that is not an error", async () => {
    const GET = endpoint(contract, () => {
      throw "a string";
    });
    expect((await get(handlerFor("/", { GET }), "/")).status).toBe(500);
    expect((await logged())[0]).toMatchObject({ level: "error", error: "a string" });
  });

  test("logs the cause of a refusal, which the client does not see", async () => {
    const GET = endpoint(contract, () => {
      throw new Refusal("storage_full", "There is no room.", { cause: new Error("ENOSPC in /data") });
    });
    const response = await get(handlerFor("/", { GET }), "/");
    expect(response.status).toBe(507);
    expect(await response.text()).not.toContain("/data");
    expect(String((await logged())[0]?.error)).toContain("ENOSPC in /data");
  });

  test("logs path, status and time of a request, but not its query", async () => {
    const GET = endpoint(contract, () => ok({}));
    await get(handlerFor("/things/", { GET }), "/things/?token=secret");
    expect(await logged()).toEqual([
      expect.objectContaining({ method: "GET", path: "/things/", status: 200, ms: expect.any(Number) }),
    ]);
    expect(JSON.stringify(await logged())).not.toContain("secret");
  });

  test("answers before a long body is generated, and aborts the connection when that fails", async () => {
    async function* pieces() {
      for (let index = 0; index < 10; index++) yield `${index}`;
      throw new Error("the disk broke");
    }
    const GET = endpoint(contract, () => ({ status: 200, body: pieces() }));
    const response = await get(handlerFor("/", { GET }), "/", { "x-request-id": "the-id" });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("the disk broke");
    const fault = (await logged()).find(({ level }) => level === "error");
    expect(fault).toMatchObject({ request_id: "the-id" });
    expect(String(fault?.error)).toContain("the disk broke");
  });

  test("answers 500 when a long body fails at its start", async () => {
    // biome-ignore lint/correctness/useYield: it fails before it yields anything
    async function* pieces(): AsyncGenerator<string> {
      throw new Error("the disk broke");
    }
    const GET = endpoint(contract, () => ({ status: 200, body: pieces() }));
    const response = await get(handlerFor("/", { GET }), "/");
    expect(response.status).toBe(500);
    checkProblem(await response.json(), 500);
  });

  test("reads no body for an endpoint without one", async () => {
    const DELETE = endpoint(contract, () => ok({}));
    const handle = handlerFor("/", { DELETE });
    const request = new Request("http://localhost/", { method: "DELETE", body: "x".repeat(1_000) });
    expect((await handle(request, peer)).status).toBe(200);
    expect(request.bodyUsed).toBeFalse();
  });

  test("has no methods from Object.prototype", async () => {
    const GET = endpoint(contract, () => ok({}));
    const handle = handlerFor("/", { GET });
    for (const method of ["constructor", "toString", "__proto__"]) {
      const request = Object.defineProperty(new Request("http://localhost/"), "method", { value: method });
      expect((await handle(request, peer)).status).toBe(405);
    }
  });
});
