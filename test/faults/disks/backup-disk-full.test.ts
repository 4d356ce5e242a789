import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { smallDisks } from "../../support/databases/small-disk.ts";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { fill } from "../../support/records/bookmarks.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const MEBIBYTE = 1024 * 1024;

for (const kind of smallDisks) {
  test(`When the disk fills up, a backup fails with a message and leaves nothing (${kind.name})`, async () => {
    using folder = temporaryFolder();
    using disk = kind.make(MEBIBYTE);
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    await fill(env.DATABASE_URL, 4_000, 500);
    const { under } = disk;
    const reason = `commonplace: The backup could not be written: the disk of ${disk.path} is full.\n`;
    const refused = await run(["backup", join(disk.path, "b.db")], { env, under });
    expect(refused).toMatchObject({ code: 1, stderr: reason });
    expect(readdirSync(disk.path)).toEqual([]);
    checkIntegrity(folder.file("test.db"));
    const piped = { env: { ...env, TMPDIR: disk.path }, under };
    expectRefused(await run(["backup", "-"], piped), 1, /disk of .* is full/);
    expect(readdirSync(disk.path)).toEqual([]);
  });

  test(`When the disk fills up, a restore fails with a message and changes nothing (${kind.name})`, async () => {
    using folder = temporaryFolder();
    using disk = kind.make(2 * MEBIBYTE);
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    await fill(env.DATABASE_URL, 4_000, 500);
    expect(await run(["backup", folder.file("b.db")], { env })).toMatchObject({ code: 0 });
    const path = join(disk.path, "small.db");
    await fill(`sqlite:${path}`, 10);
    const restoring = { env: { DATABASE_URL: `sqlite:${path}` }, under: disk.under };
    expectRefused(await run(["restore", "--force", folder.file("b.db")], restoring), 1, /disk is full/);
    expect(readdirSync(disk.path)).toEqual(["small.db"]);
    checkIntegrity(path);
  });
}
