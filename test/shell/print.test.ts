import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { expectRefused } from "../support/machine/commands.ts";
import { run, temporaryFolder } from "../support/server/server.ts";

const FULL = { under: ["sh", "-c", 'exec "$@" >/dev/full', "sh"] };
const CLOSED = { under: ["bash", "-c", 'set -o pipefail; "$@" | head -c 1', "bash"] };

describe("a standard output that cannot be written", () => {
  const folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
  beforeAll(async () => {
    await run(["account", "add", "editor"], { env, stdin: "correct horse battery\n" });
    writeFileSync(folder.file("file.html"), '<DL><DT><A HREF="http://x/">t</A></DL>');
    await run(["import", folder.file("file.html")], { env });
  });
  afterAll(() => folder[Symbol.dispose]());

  test.each([
    ["account list"],
    ["token create editor"],
    ["token list editor --json"],
    ["import --list"],
    ["check"],
    ["openapi"],
    ["export -"],
  ])("is reported as a failure, in one line: %s", async (call) => {
    expectRefused(
      await run(call.split(" "), { env, ...FULL }),
      1,
      /standard output .*: the disk is full\.$/m,
    );
  });

  test("is reported without a stack after close", async () => {
    using folder = temporaryFolder();
    const rows = '<DT><A HREF="javascript:x">t</A>\n'.repeat(2_000);
    writeFileSync(folder.file("file.html"), `<DL>${rows}</DL>`);
    const call = ["import", "file.html", "--json"];
    const { code, stderr } = await run(call, { cwd: folder.path, ...CLOSED });
    expect(stderr).toEndWith("commonplace: The standard output was closed before everything was written.\n");
    expect(code).toBe(1);
  });

  test("is reported together with the result of the command", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("file.html"), '<DL><DT><A HREF="http://x/">t</A></DL>');
    const here = { cwd: folder.path };
    const sentence = (done: string) =>
      `commonplace: ${done} The standard output cannot be written: the disk is full.\n`;
    for (const [call, done] of [
      ["import file.html", "Import 1 is done."],
      ["import --undo 1", "Import 1 is undone."],
      ["move --to sqlite:new.db", `All data was moved to sqlite:${folder.file("new.db")}.`],
    ] as const)
      expect((await run(call.split(" "), { ...here, ...FULL })).stderr).toEndWith(sentence(done));
    expect((await run(["import", "--list"], here)).code).toBe(2);
  });
});
