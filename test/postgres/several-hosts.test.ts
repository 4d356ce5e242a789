import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { SQL } from "bun";
import { embeddedPostgres } from "../support/databases/postgres.ts";
import { PostgresServer, severalHosts } from "../support/databases/postgres-server.ts";
import { useRealTimeLimits } from "../support/given/real-time-limits.ts";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/machine/until.ts";
import { COLLECTION, create, draft, list } from "../support/records/bookmarks.ts";
import { expectProblem } from "../support/requests/problems.ts";
import { sendTo } from "../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

useRealTimeLimits();

/** A primary and a standby that has everything that it has. */
async function startBoth(toEnd: AsyncDisposableStack) {
  const primary = toEnd.use(await PostgresServer.start(embeddedPostgres));
  await primary.halt();
  const standby = toEnd.use(await primary.makeStandby(primary));
  await Promise.all([primary.resume(), standby.resume()]);
  return { primary, standby };
}

test("The primary is found among the hosts of the URL by servers and commands, and again after a switch", async () => {
  await using toEnd = new AsyncDisposableStack();
  const folder = toEnd.use(temporaryFolder());
  const { primary, standby } = await startBoth(toEnd);
  const url = severalHosts([standby, primary], "?target_session_attrs=read-write");
  await writeFile(folder.file("url"), `${url}\n`);
  const service = await startServer({ DATABASE_URL_FILE: folder.file("url") });
  toEnd.defer(() => service.kill());
  const send = sendTo(service.url);
  await create(send, { title: "before" });
  expect(service.lines.join("\n")).toContain(
    `postgres://127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`,
  );
  expect(service.lines.join("\n")).not.toContain("is read-only");

  const env = { DATABASE_URL: url };
  expect(await run(["check"], { env })).toMatchObject({ code: 0, stderr: "" });
  expect((await run(["export", "-"], { env })).stdout).toContain("before");
  const archive = await run(["export", folder.file("site.zip"), "--format", "archive"], { env });
  expect(archive).toMatchObject({ code: 0, stderr: "" });
  expect((await run(["add", "https://example.com/", "--title", "added"], { env })).code).toBe(0);

  // The service has idle connections to the primary, which comes back with old data before anything is asked.
  await until(
    "the standby has everything",
    async () => (await replayed(standby)) === (await written(primary)),
  );
  await primary.halt();
  await standby.promote();
  await primary.becomeStandby();
  await primary.resume();
  expect((await run(["add", "https://example.com/", "--title", "after"], { env })).code).toBe(0);
  expect((await list(send)).map(({ title }) => title)).toEqual(["after", "added", "before"]);
  await create(send, { title: "written" });

  const moved = await run(["move", "--from", url, "--to", `sqlite:${folder.file("moved.db")}`]);
  expect(moved.code).toBe(0);
});

test("A primary that becomes read-only, with its connections open, is left at the first write that it refuses", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, standby } = await startBoth(toEnd);
  const service = await startServer({ DATABASE_URL: severalHosts([primary, standby]) });
  toEnd.defer(() => service.kill());
  const send = sendTo(service.url);
  await create(send, { title: "before" });
  await ask(primary, "alter system set default_transaction_read_only = on");
  await until(
    "the standby has everything",
    async () => (await replayed(standby)) === (await written(primary)),
  );
  await standby.promote();
  await ask(primary, "select pg_reload_conf()");
  await until(
    "writes are accepted",
    async () => (await send(COLLECTION, { method: "POST", json: draft })).ok,
  );
  await until("no write is refused", async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(COLLECTION, { method: "POST", json: draft })),
    );
    return responses.every(({ ok }) => ok);
  });
  expect(await ask(standby, "select count(*)::integer > 20 as value from bookmarks")).toBe(true);
});

test("While no host accepts writes there is the usual 503, and afterwards the service goes on by itself", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, standby } = await startBoth(toEnd);
  const service = await startServer({ DATABASE_URL: severalHosts([primary, standby]) });
  toEnd.defer(() => service.kill());
  const send = sendTo(service.url);
  await create(send, { title: "kept" });
  await until(
    "the standby has everything",
    async () => (await replayed(standby)) === (await written(primary)),
  );

  const refuses = async () => {
    for (const response of [
      await send(COLLECTION),
      await send(COLLECTION, { method: "POST", json: draft }),
      await send("/readyz"),
    ])
      await expectProblem(response, 503);
  };
  await primary.halt();
  await until("reads are refused", async () => (await send(COLLECTION)).status === 503);
  await refuses();
  await standby.halt();
  await refuses();
  expect((await send("/healthz")).status).toBe(200);
  await standby.resume();
  await standby.promote();
  await until(
    "writes are accepted",
    async () => (await send(COLLECTION, { method: "POST", json: draft })).ok,
  );
  expect(await list(send)).toHaveLength(2);
});

test("A start without the right host names each with what is wrong, and any host is taken if the URL says so", async () => {
  await using toEnd = new AsyncDisposableStack();
  const { primary, standby } = await startBoth(toEnd);
  await (await startServer({ DATABASE_URL: primary.url("postgres") })).stop();
  await until(
    "the standby has everything",
    async () => (await replayed(standby)) === (await written(primary)),
  );
  await primary.halt();
  const closed = await freePort();
  const url = severalHosts([standby, primary]).replace(String(primary.port), String(closed));
  const { code, stderr } = await run(["serve", "--port", "0"], { env: { DATABASE_URL: url } });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `commonplace: DATABASE_URL: postgres://127.0.0.1:${standby.port},127.0.0.1:${closed}/postgres cannot be used: 127.0.0.1:${standby.port}: it accepts no writes (a standby?); 127.0.0.1:${closed}: nothing listens at 127.0.0.1:${closed}. Check that PostgreSQL is running and can be reached from this machine.\n`,
  );
  const check = await run(["check"], { env: { DATABASE_URL: url } });
  expect([check.code, check.stderr]).toEqual([1, expect.stringContaining("it accepts no writes")]);

  const alone = { DATABASE_URL: `${standby.url("postgres")}?target_session_attrs=read-write` };
  const refused = await run(["serve", "--port", "0"], { env: alone });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("it accepts no writes")]);

  const reading = await startServer({ DATABASE_URL: `${url}?target_session_attrs=any` });
  toEnd.defer(() => reading.kill());
  expect((await sendTo(reading.url)(COLLECTION)).status).toBe(200);
});

async function written(primary: PostgresServer): Promise<unknown> {
  return ask(primary, "select pg_current_wal_lsn() as value");
}

async function replayed(standby: PostgresServer): Promise<unknown> {
  return ask(standby, "select pg_last_wal_replay_lsn() as value");
}

async function ask(server: PostgresServer, question: string): Promise<unknown> {
  await using sql = new SQL({ url: server.url("postgres"), max: 1 });
  return (await sql.unsafe(question))[0]?.value;
}
