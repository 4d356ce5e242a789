import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { autocannonLoad } from "./load/autocannon.ts";
import { wrkLoad } from "./load/wrk.ts";
import { Stage, type StageOptions } from "./stage.ts";

const options: StageOptions = {
  cores: { server: [], load: [], any: [], measured: [] },
  load: autocannonLoad(),
  seconds: 1,
  warmUpSeconds: 0,
  quick: true,
  interruption: new AbortController().signal,
};

for (const load of [autocannonLoad(), ...(Bun.which("wrk") ? [wrkLoad()] : [])])
  test(`a server that responses errors is not measured (${load.name})`, async () => {
    await using stage = new Stage({ ...options, load });
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: everySecondFails() });
    const target = { url: server.url.origin, pid: process.pid, stop: async () => {} };
    const measure = await stage.underLoad(target, [{ method: "GET", path: "/" }]);
    await expect(measure()).rejects.toThrow(/ [1-9]\d* refused, and 0 /);
  });

test("a server that sends elsewhere is not measured", async () => {
  await using stage = new Stage(options);
  const elsewhere = () => Response.redirect("/elsewhere", 308);
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: elsewhere });
  const target = { url: server.url.origin, pid: process.pid, stop: async () => {} };
  await expect(stage.prepare(target, [{ method: "GET", path: "/" }])).rejects.toThrow("308");
});

test("an interruption ends what runs, and nothing starts after it", async () => {
  const controller = new AbortController();
  await using stage = new Stage({ ...options, interruption: controller.signal });
  const child = stage.start(["sleep", "60"]);
  controller.abort();
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  expect(() => stage.start(["sleep", "60"])).toThrow();
});

test("a stage leaves neither processes nor files", async () => {
  const stage = new Stage(options);
  const server = await stage.server(await stage.database({ bookmarks: 10 }));
  const list = await fetch(`${server.url}/bookmarks/`);
  expect(await list.json()).toHaveLength(10);
  await stage[Symbol.asyncDispose]();
  expect(existsSync(stage.file(""))).toBe(false);
  await expect(fetch(server.url)).rejects.toThrow();
});

function everySecondFails(): () => Response {
  let count = 0;
  return () => new Response(null, { status: count++ % 2 === 0 ? 200 : 500 });
}
