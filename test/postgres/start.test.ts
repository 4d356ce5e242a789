import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { create, list } from "../support/records/bookmarks.ts";
import { sendTo } from "../support/requests/send.ts";
import { rounds } from "../support/run/full-run.ts";
import { startServer, temporaryFolder } from "../support/server/server.ts";

describe("Starting on PostgreSQL", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedCluster();
  });
  afterAll(() => toEnd.disposeAsync());

  async function start(settings: Record<string, string>) {
    const server = await startServer(settings);
    toEnd.defer(() => server.kill());
    return server;
  }

  test("of several simultaneous processes on an empty database makes its tables once, and all of them serve", async () => {
    const { url } = toEnd.use(await createDatabase(cluster));
    const servers = await Promise.all(
      Array.from({ length: rounds(3, 8) }, () => start({ DATABASE_URL: url })),
    );
    const [first, ...others] = servers.map((server) => sendTo(server.url));
    const bookmark = first && (await create(first));
    for (const send of others) expect(await list(send)).toEqual(bookmark ? [bookmark] : []);
  });

  test("reads the URL from the file in DATABASE_URL_FILE, and never prints the password", async () => {
    const { url } = toEnd.use(await createDatabase(cluster));
    using folder = temporaryFolder();
    await writeFile(folder.file("url"), `${url}\n`);
    const server = await start({ DATABASE_URL_FILE: folder.file("url"), LOG_LEVEL: "debug" });
    await create(sendTo(server.url));
    await server.stop();
    const log = server.lines.join("\n");
    expect(log).toContain(new URL(url).pathname.slice(1));
    for (const password of passwordsIn(url)) expect(log).not.toContain(password);
  });
});

/** The password of a URL, as it is and as it stands there. */
function passwordsIn(url: string): string[] {
  const { password } = new URL(url);
  return [password, decodeURIComponent(password)];
}
