import { describe, expect, test } from "bun:test";
import { head, RawConnection } from "../../test/support/requests/raw-http.ts";
import { StartError } from "../errors.ts";
import { giveLimits } from "../limits.ts";
import { Log } from "../log.ts";
import { listen } from "./server.ts";

const options = {
  host: "127.0.0.1",
  port: 0,
  log: new Log({ level: "silent", format: "json" }),
};

describe("listen", () => {
  test("reports the free port that it chose, and the address of the client", async () => {
    const server = listen(async (_, peer) => new Response(peer.address()), options);
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(await response.text()).toBe("127.0.0.1");
    await server.stop(0);
  });

  test("reports the address that it cannot listen on, with exit code 1", async () => {
    const server = listen(async () => new Response(), options);
    const again = () => listen(async () => new Response(), { ...options, port: server.port });
    expect(again).toThrow(StartError);
    expect(again).toThrow(expect.objectContaining({ exitCode: 1 }));
    expect(again).toThrow(`127.0.0.1:${server.port}`);
    await server.stop(0);
  });

  test("says why it cannot listen on a name that no name server is asked for", () => {
    const listenNowhere = () => listen(async () => new Response(), { ...options, host: "not a name" });
    expect(listenNowhere).toThrow("a name must be one that this machine can resolve");
  });

  test("every response has one Date header, also to HEAD", async () => {
    const server = listen(async () => new Response("x"), options);
    const url = `http://127.0.0.1:${server.port}`;
    for (const method of ["GET", "HEAD"]) {
      using connection = await RawConnection.open(url);
      const before = Date.now();
      connection.write(head({ method, target: "/" }));
      const dates = (await connection.answer(method)).fields.filter(([name]) => name === "date");
      expect(dates).toHaveLength(1);
      // The runtime looks at the clock once a second, or later if the machine is busy.
      expect(Date.parse(dates[0]?.[1] ?? "")).toBeWithin(before - 60_000, Date.now() + 1);
    }
    await server.stop(0);
  });

  test("stops when the requests in flight are answered", async () => {
    const { promise: finishing, resolve: finish } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const server = listen(async () => {
      begin();
      await finishing;
      return new Response("finished");
    }, options);
    const response = fetch(`http://127.0.0.1:${server.port}/`);
    await begun;
    const stopping = server.stop(60_000);
    finish();
    await stopping;
    expect(await (await response).text()).toBe("finished");
  });

  test("does not wait for a request that never ends for longer than its grace", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const server = listen(async (request) => {
      begin();
      return new Response(await request.text());
    }, options);
    using connection = await RawConnection.open(`http://127.0.0.1:${server.port}`);
    connection.write(head({ method: "POST", target: "/", fields: { "content-length": 10 } }));
    await begun;
    // The request is still unfinished.
    await server.stop(100);
    expect(server.inFlight).toBe(0);
  });
});

test("a connection is closed when its response takes too long, unless the work is patient", async () => {
  const { promise: finishing, resolve: finish } = Promise.withResolvers<void>();
  const work = async () => {
    await finishing;
    return new Response("finished");
  };
  giveLimits({ connectionIdle: 1_000 });
  const server = listen(
    async ({ url }, peer) =>
      url.endsWith("/patient") && peer.withoutIdleTimeout ? peer.withoutIdleTimeout(work) : work(),
    options,
  );
  const ask = async (target: string) => {
    const connection = await RawConnection.open(`http://127.0.0.1:${server.port}`);
    connection.write(head({ method: "POST", target, body: "" }));
    return connection;
  };
  using patient = await ask("/patient");
  using other = await ask("/other");
  expect(await other.closed()).toBeTrue();
  finish();
  expect(await patient.answer("POST")).toMatchObject({ status: 200, body: "finished" });
  // From then on it may be idle for as long as any other.
  expect(await patient.closed()).toBeTrue();
  await server.stop(0);
  giveLimits({});
});
