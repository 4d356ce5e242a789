import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { type Cluster, createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/machine/until.ts";
import { create } from "../support/records/bookmarks.ts";
import { sendTo } from "../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

const program = Bun.which("pgbouncer");

/** The settings that docs/scaling.md asks for. */
const PARAMETERS = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

describe.skipIf(program === null)(
  "Behind PgBouncer in transaction mode, set up as in docs/scaling.md",
  () => {
    const toEnd = new AsyncDisposableStack();
    let cluster: Cluster;
    let pooled = "";
    beforeAll(async () => {
      cluster = await sharedCluster();
      const { url } = toEnd.use(await createDatabase(cluster));
      const direct = new URL(url);
      const folder = toEnd.use(temporaryFolder());
      const port = await freePort();
      await writeFile(
        folder.file("pgbouncer.ini"),
        `[databases]
* = host=${direct.hostname} port=${direct.port} user=${direct.username} password=${decodeURIComponent(direct.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = ${PARAMETERS}
${process.getuid?.() === 0 ? "user = nobody" : ""}
`,
      );
      const pooler = Bun.spawn(["pgbouncer", "-q", folder.file("pgbouncer.ini")], { stderr: "ignore" });
      toEnd.defer(async () => {
        pooler.kill();
        await pooler.exited;
      });
      direct.port = String(port);
      pooled = direct.href;
      await until("the pooler answers", async () => {
        const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).catch(
          () => undefined,
        );
        socket?.end();
        return socket !== undefined;
      });
    });
    afterAll(() => toEnd.disposeAsync());

    test("everything works with ?prepare=false: writes, reads and searches of many clients at once", async () => {
      const server = await startServer({ DATABASE_URL: `${pooled}?prepare=false` });
      toEnd.defer(() => server.kill());
      const send = sendTo(server.url);
      const statuses = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          await create(send, { title: `River ${index}` });
          const paths = [
            "/bookmarks/?limit=5",
            `/bookmarks/?limit=5&q=river+${index}`,
            "/bookmarks/suggest?q=riv",
            "/api/tags/",
          ];
          return Promise.all(paths.map(async (path) => (await send(path)).status));
        }),
      );
      expect([...new Set(statuses.flat())]).toEqual([200]);
      expect(await server.stop()).toBe(0);
    });

    test("the start is refused without it, in one line that names it", async () => {
      const { code, stderr } = await run(["serve", "--port", "0"], { env: { DATABASE_URL: pooled } });
      expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 });
      expect(stderr).toContain("add ?prepare=false to the URL");
    });
  },
);
