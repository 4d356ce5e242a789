import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/database/open.ts";
import {
  type Cluster,
  createDatabase,
  createLatinDatabase,
  sharedCluster,
} from "../support/databases/postgres.ts";
import { freePort } from "../support/machine/free-port.ts";
import { run } from "../support/server/server.ts";

const toEnd = new AsyncDisposableStack();
let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
});
afterAll(() => toEnd.disposeAsync());

describe("A database on PostgreSQL that cannot be used is refused in one line, without the password and with exit code 1,", () => {
  const cases: [string, (url: string) => Promise<string> | string, RegExp][] = [
    ["with sslmode=require where the server has no TLS", (url) => `${url}?sslmode=require`, /SSL|TLS/],
    [
      "with sslmode=verify-full where the server has no TLS",
      (url) => `${url}?sslmode=verify-full`,
      /SSL|TLS/,
    ],
    ["with a wrong password", (url) => url.replace("secret", "wrong"), /password authentication failed/],
    ["where nothing listens", async (url) => withPort(url, await freePort()), /nothing listens at/],
    [
      "where there is no such database",
      (url) => url.replace(/[^/]*$/, "nowhere"),
      /"nowhere" does not exist/,
    ],
    [
      "in a database that cannot store every text",
      () => createLatinDatabase(cluster),
      /its encoding is LATIN1, but it must be UTF8: create it with createdb /,
    ],
    [
      "as a role without rights",
      (url) => withoutRights(cluster, url),
      /The role has too few rights: make it the owner of the tables|grant create on schema public to/,
    ],
  ];
  for (const [situation, urlOf, reason] of cases) {
    test(situation, async () => {
      const { url } = toEnd.use(await createDatabase(cluster));
      const wrong = await urlOf(url);
      const { code, stdout, stderr } = await run(["account", "list"], { env: { DATABASE_URL: wrong } });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^commonplace: DATABASE_URL: postgres:\/\/127\.0\.0\.1:\d+\/\S+ cannot be used: .*\.\n$/,
      );
      expect(stderr).toMatch(reason);
      for (const password of passwordsIn(wrong)) expect(stdout + stderr).not.toContain(password);
    });
  }
});

test("A role that may not create tables is told the least that it needs, and that suffices", async () => {
  const cluster = await sharedCluster();
  await using empty = await createDatabase(cluster);
  const url = await withoutRights(cluster, empty.url);
  const { code, stderr } = await run(["account", "list"], { env: { DATABASE_URL: url } });
  expect(code).toBe(1);
  const [grant = ""] = /grant create on schema public to "\w+"/.exec(stderr) ?? [];
  const superuser = new SQL({ url: empty.url, max: 1 });
  await superuser.unsafe(grant);
  await superuser.close();
  await (await openDatabase(url)).close();
});

/** The URL with a role that may connect and nothing else. */
async function withoutRights(cluster: Cluster, url: string): Promise<string> {
  const role = `role_${crypto.randomUUID().slice(0, 8)}`;
  await cluster.admin.unsafe(`create role ${role} login password 'secret of the role'`);
  const changed = new URL(url);
  changed.username = role;
  changed.password = "secret of the role";
  return changed.href;
}

/** The password of a URL, as it is and as it stands there. */
function passwordsIn(url: string): string[] {
  const { password } = new URL(url);
  return [password, decodeURIComponent(password)];
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
