import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/machine/until.ts";
import { COMMAND, startServer, temporaryFolder } from "../support/server/server.ts";

const UNIT = join(import.meta.dir, "../../docs/service/commonplace.service");
const installed = Bun.which("systemd-analyze") !== null;

test.skipIf(!installed)("systemd finds no problem in the unit", async () => {
  using folder = temporaryFolder();
  // The executable is in its place only once it is installed.
  const text = (await Bun.file(UNIT).text()).replace("/usr/local/bin/commonplace", `"${COMMAND}"`);
  await Bun.write(folder.file("commonplace.service"), text);
  const { exitCode, stderr } = Bun.spawnSync([
    ...["systemd-analyze", "verify", "--man=no", folder.file("commonplace.service")],
  ]);
  expect(stderr.toString()).not.toContain("commonplace.service");
  expect(exitCode).toBe(0);
});

test.skipIf(!installed)("the unit restricts the service strictly", () => {
  const { stdout } = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--threshold=15", UNIT]);
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout.toString()) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(1.5);
});

test("serve notifies systemd once it listens", async () => {
  using folder = temporaryFolder();
  // Says what it was called with, and for whom.
  await Bun.write(
    folder.file("systemd-notify"),
    '#!/bin/sh\necho "$NOTIFY_SOCKET $*" > "$PWD/notified"\n'.replace("$PWD", folder.path),
  );
  chmodSync(folder.file("systemd-notify"), 0o755);
  const server = await startServer({
    PATH: `${folder.path}:${process.env.PATH}`,
    DATABASE_URL: `sqlite:${folder.file("ready.db")}`,
    NOTIFY_SOCKET: "/run/systemd/notify",
  });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const notified = Bun.file(folder.file("notified"));
  await until("systemd is notified", async () => (await notified.exists()) && (await notified.text()) !== "");
  expect(await notified.text()).toBe("/run/systemd/notify READY=1\n");
  expect(await server.stop()).toBe(0);
});
