import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { create } from "../support/records/bookmarks.ts";
import { sendTo } from "../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

describe("The files of an embedded database", () => {
  test("can be read only by their owner: the database, its log and its index, and their folder", async () => {
    using folder = temporaryFolder();
    // A umask that would give everything to everybody.
    const server = await startServer(
      { DATABASE_URL: `sqlite:${folder.file("data/test.db")}` },
      { under: ["sh", "-c", 'umask 0; exec "$0" "$@"'] },
    );
    await create(sendTo(server.url));
    const modes = Object.fromEntries(
      readdirSync(folder.file("data")).map((name) => [name, modeOf(folder.file(`data/${name}`))]),
    );
    const said = server.lines.join("\n");
    await server.kill();
    const files = ["test.db", "test.db-reserve", "test.db-server", "test.db-shm", "test.db-wal"];
    expect(modes).toEqual(Object.fromEntries(files.map((name) => [name, 0o600])));
    expect(modeOf(folder.file("data"))).toBe(0o700);
    expect(said).not.toContain("chmod");
  });

  test("that others can open cause a warning at the start, with instructions", async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    const settings = { DATABASE_URL: `sqlite:${path}` };
    await (await startServer(settings)).stop();
    chmodSync(path, 0o644);
    const server = await startServer(settings);
    await server.stop();
    const warning = server.lines.find((line) => line.includes("chmod 600"));
    expect(JSON.parse(warning ?? "{}")).toMatchObject({
      level: "warn",
      message: expect.stringContaining(path),
    });
  });
});

describe("The password of a database", () => {
  const url = "postgres://writer:hunter2-secret@127.0.0.1:1/db?password=other-secret";
  for (const [how, words, env] of [
    ["in the environment", ["serve"], { DATABASE_URL: url, PORT: "0" }],
    ["as a flag", ["serve", "--port", "0", "--database-url", url], {}],
    ["as a flag of another command", ["account", "list", "--database-url", url], {}],
    ["that is misspelt", ["serve"], { DATABASE_URL: url.replace("postgres", "postgers") }],
  ] as const)
    test(`${how} is in no message when the database cannot be reached`, async () => {
      const { code, stdout, stderr } = await run(words, { env });
      expect(code).not.toBe(0);
      expect(stderr).not.toBe("");
      expect(stdout + stderr).not.toContain("secret");
    });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
