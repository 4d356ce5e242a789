import { expect, test } from "bun:test";
import { SQL } from "bun";
import { embeddedPostgres } from "../support/databases/postgres.ts";
import { PostgresServer } from "../support/databases/postgres-server.ts";
import { until } from "../support/machine/until.ts";
import { COLLECTION, create, draft, list } from "../support/records/bookmarks.ts";
import { expectProblem } from "../support/requests/problems.ts";
import { sendTo } from "../support/requests/send.ts";
import { run, startServer } from "../support/server/server.ts";

test("A server on a standby answers reads with the current data, refuses writes, and accepts them after a promotion", async () => {
  await using toEnd = new AsyncDisposableStack();
  const primary = toEnd.use(await PostgresServer.start(embeddedPostgres));
  await primary.halt();
  const standby = toEnd.use(await primary.makeStandby(primary));
  await primary.configure({ synchronous_standby_names: "*", synchronous_commit: "remote_apply" });
  await Promise.all([primary.resume(), standby.resume()]);
  await until("the standby follows", async () => {
    await using admin = new SQL({ url: primary.url("postgres"), max: 1 });
    const [row] = await admin`select sync_state from pg_stat_replication`;
    return row?.sync_state === "sync";
  });
  const there = { DATABASE_URL: standby.url("postgres") };

  // Before the primary has a schema there is nothing to read.
  const early = await run(["serve"], { env: { ...there, PORT: "0" } });
  expect(early.code).toBe(1);
  expect(early.stderr).toMatch(/^commonplace: [^\n]*Start a server on the primary first\.\n$/);

  const writing = await startServer({ DATABASE_URL: primary.url("postgres") });
  toEnd.defer(() => writing.kill());
  const reading = await startServer(there);
  toEnd.defer(() => reading.kill());
  const [write, read] = [sendTo(writing.url), sendTo(reading.url)];
  expect(reading.lines.join("\n")).toContain("is read-only (a standby?)");

  const listed: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    listed.unshift(await create(write, { title: String(round) }));
    expect(await list(read)).toEqual(listed as never);
  }
  expect((await read("/readyz")).status).toBe(200);
  const refused = await read(COLLECTION, { method: "POST", json: draft });
  expect(refused.headers.get("retry-after")).toBe("30");
  expect((await expectProblem(refused, 503)).detail).toBe(
    "The server is read-only: its database accepts no writes.",
  );

  await primary.kill();
  await standby.promote();
  await until("it takes writes", async () => (await read(COLLECTION, { method: "POST", json: draft })).ok);
});
