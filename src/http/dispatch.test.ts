import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { z } from "zod";
import { checkProblem } from "../../test/support/requests/problems.ts";
import { temporaryFolder } from "../../test/support/server/server.ts";
import { QueueEstimate } from "../database/load/queue-estimate.ts";
import { Refusal } from "../errors.ts";
import { Log } from "../log.ts";
import { ANONYMOUS } from "./access.ts";
import { Clients } from "./client/client.ts";
import { type DispatchDependencies, Dispatcher, type Handler } from "./dispatch.ts";
import { StreamBudget } from "./encoding/stream-budget.ts";
import { type Call, endpoint, type Resource, SERVICE_TAG } from "./endpoint.ts";
import { Cors } from "./guards/cors.ts";
import { Hosts } from "./guards/hosts.ts";
import { LoadShedder } from "./guards/load-shedding.ts";
import { ok } from "./response-data.ts";

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
    await log.close();
    closeSync(descriptor);
  });
  afterAll(() => folder[Symbol.dispose]());

  const logged = async () => {
    await log.close();
    const lines = readFileSync(folder.file("log"), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const dispatcherOf = (
    dependencies: Pick<DispatchDependencies, "routes" | "loadWhole" | "load">,
  ): Dispatcher =>
    new Dispatcher({
      ...dependencies,
      hosts: new Hosts({ loopback: true, allowed: [] }),
      clients: new Clients([], undefined),
      authenticator: { authenticate: () => ANONYMOUS },
      stamps: { stamp: () => 0, stampNow: () => 0 },
      cors: new Cors([]),
      log,
      streams: new StreamBudget(1024 * 1024),
      bodyLimit: 100,
    });
  const handlerFor = (path: string, resource: Resource, load?: LoadShedder): Handler =>
    dispatcherOf({ load, routes: { [path]: resource } }).handle;
  const get = (handle: Handler, target: string, headers: Record<string, string> = {}) =>
    handle(new Request(`http://localhost${target}`, { headers }), peer);

  test("refuses under overload after a wrong host and before all other checks, but never a health check", async () => {
    const busy = new LoadShedder({ reads: new QueueEstimate("reads"), writes: new QueueEstimate("writes") });
    busy.check = () => {
      throw new Refusal("unavailable", "Busy.", { retryAfter: 1 });
    };
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

  test("answers with its first routes while the others are loaded, once, and what needs those waits", async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const routes = { "/first": { GET: endpoint(contract, () => ok({ first: true })) } };
    let loads = 0;
    const dispatcher = dispatcherOf({
      routes,
      async loadWhole() {
        loads++;
        await loaded;
        return { routes: { ...routes, "/later": { GET: endpoint(contract, () => ok({ later: true })) } } };
      },
    });
    const answered: string[] = [];
    const ask = async (path: string) => {
      const { status } = await get(dispatcher.handle, path);
      answered.push(`${path} ${status}`);
    };
    const waiting = [ask("/later"), ask("/nothing"), ask("/later/")];
    await ask("/first");
    await ask("/first/");
    expect(answered).toEqual(["/first 200", "/first/ 308"]);
    load();
    await Promise.all([...waiting, dispatcher.load()]);
    expect(answered.slice(2).toSorted()).toEqual(["/later 200", "/later/ 308", "/nothing 404"]);
    expect(loads).toBe(1);
    expect((await get(dispatcher.handle, "/later")).status).toBe(200);
  });

  test("announces in its last responses that connections are closed", async () => {
    const handle = handlerFor("/", { GET: endpoint(contract, () => ok({})) });
    const last = await handle(new Request("http://localhost/"), { ...peer, ending: true });
    expect(last.headers.get("connection")).toBe("close");
    expect((await get(handle, "/")).headers.has("connection")).toBeFalse();
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
