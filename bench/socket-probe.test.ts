import { expect, test } from "bun:test";
import { SocketProbe } from "./socket-probe.ts";

test("keeps polling a server that does not respond, on other connections", async () => {
  const { promise: again, resolve: goOn } = Promise.withResolvers<void>();
  const allAsked = Promise.withResolvers<void>();
  using server = serve(async (count) => {
    if (count === 40) allAsked.resolve();
    if (count >= 20) await again;
    return 200;
  });
  const probe = new SocketProbe(server.url);
  await allAsked.promise;
  await Bun.sleep(50);
  goOn();
  const { count, median, p99 } = await probe.stop();
  expect(count).toBeGreaterThanOrEqual(40);
  expect(median).toBeLessThan(p99);
  expect(p99).toBeGreaterThan(50);
});

test("takes no wrong response", async () => {
  const asked = Promise.withResolvers<void>();
  using broken = serve(async (count) => {
    if (count === 10) asked.resolve();
    return count === 3 ? 500 : 200;
  });
  const probe = new SocketProbe(broken.url);
  await asked.promise;
  await expect(probe.stop()).rejects.toThrow("500");
});

/** Starts a server whose status depends on the number of requests so far. */
function serve(statusOf: (count: number) => Promise<number>) {
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => new Response("{}", { status: await statusOf(++count) }),
  });
  return { url: server.url.href, [Symbol.dispose]: () => void server.stop(true) };
}
