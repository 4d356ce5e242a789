import { expect, test } from "bun:test";
import { Probe } from "./probe.ts";

test("keeps polling a server that does not respond, so that its state is known to all", async () => {
  const { promise: again, resolve: goOn } = Promise.withResolvers<void>();
  using server = serve(async (count) => {
    if (count >= 20) await again;
    return 200;
  });
  const probe = new Probe(server.url);
  await server.asked(60);
  await Bun.sleep(50);
  goOn();
  const { count, p99 } = await probe.stop();
  expect(count).toBeGreaterThanOrEqual(60);
  expect(p99).toBeGreaterThan(50);
});

test("takes neither wrong responses nor many refusals", async () => {
  using broken = serve(async (count) => (count === 3 ? 500 : 200));
  await expect(probed(broken)).rejects.toThrow("500");
  using busy = serve(async (count) => (count % 2 ? 503 : 200));
  await expect(probed(busy)).rejects.toThrow("refused");
});

async function probed(server: ReturnType<typeof serve>) {
  const probe = new Probe(server.url);
  await server.asked(10);
  return probe.stop();
}

/** Starts a server whose status depends on the number of requests so far. */
function serve(statusOf: (count: number) => Promise<number>) {
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => new Response(null, { status: await statusOf(++count) }),
  });
  return {
    url: server.url.href,
    async asked(times: number) {
      while (count < times) await Bun.sleep(1);
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
