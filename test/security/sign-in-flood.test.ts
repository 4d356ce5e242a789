import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { sendTo } from "../support/requests/send.ts";
import { signIn, TOKEN, WRONG } from "../support/requests/sign-in.ts";
import { startServer, temporaryFolder } from "../support/server/server.ts";

const MANY = 150;

test("Thousands of simultaneous sign-ins take little memory, and other requests are served meanwhile", async () => {
  using folder = temporaryFolder();
  const settings = {
    DATABASE_URL: `sqlite:${folder.file("test.db")}`,
    TRUSTED_PROXIES: "127.0.0.1",
    BOOKMARKS_ACCESS: "open",
  };
  const server = await startServer(settings);
  try {
    const send = sendTo(server.url);
    await signIn(send, TOKEN, { username: "first", password: WRONG });
    const before = peakOf(server.pid);
    let underWay = true;
    const attempts = Promise.all(
      Array.from({ length: MANY }, (_, n) =>
        signIn(send, TOKEN, { username: `name${n}`, password: WRONG, address: `198.51.100.${n}` }),
      ),
    ).finally(() => {
      underWay = false;
    });
    let othersServed = 0;
    while (underWay) if ((await send("/bookmarks/")).status === 200) othersServed++;
    const responses = await attempts;
    for (const { status, headers } of responses) {
      expect([401, 503]).toContain(status);
      if (status === 503) expect(Number(headers.get("retry-after"))).toBePositive();
    }
    for (const kind of [401, 503]) expect(responses.filter(({ status }) => status === kind)).not.toBeEmpty();
    expect(othersServed).toBePositive();
    if (before !== undefined) expect((peakOf(server.pid) ?? 0) - before).toBeLessThan(128);
  } finally {
    await server.kill();
  }
});

/** The peak memory of a process, in MiB; undefined if the system does not report it. */
function peakOf(pid: number): number | undefined {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}
