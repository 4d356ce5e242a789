import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fillFile, inFile, makeEmpty } from "../../support/databases/moving.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { create } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { testSeed } from "../../support/run/random.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const FLIPS = Number(process.env.FLIPS ?? rounds(8, 60));

const folder = temporaryFolder();
const url = `sqlite:${folder.file("data/commonplace.db")}`;
const backup = folder.file("whole.db");

beforeAll(async () => {
  await makeEmpty(url);
  fillFile(url, { bookmarks: 400, posts: 40 });
  expect(await run(["backup", backup, "--database-url", url])).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => folder[Symbol.dispose]());

/** Another file with a change of the backup's bytes. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  writeFileSync(folder.file(name), change(readFileSync(backup)));
  return folder.file(name);
}

function flipped(bit: number): string {
  return changed(`bit-${bit}.db`, (bytes) => {
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return bytes;
  });
}

/** Where bits are flipped: anywhere, in the header, and in the last line. */
function bitsToFlip(): number[] {
  const bits = readFileSync(backup).length * 8;
  let state = testSeed;
  const random = (below: number) => {
    // Numerical Recipes' generator: the high half is random enough for a place in a file.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const anywhere = Array.from({ length: FLIPS }, () => random(bits));
  const atTheEnds = Array.from({ length: 5 }, () => [random(100 * 8), bits - 1 - random(100 * 8)]).flat();
  return [...anywhere, ...atTheEnds];
}

const restoreTo = (target: string, file: string) =>
  run(["restore", file, "--database-url", `sqlite:${folder.file(target)}`]);

describe("A backup of which one bit is flipped", () => {
  test("is refused by check and by restore, which say what is damaged", async () => {
    const files = bitsToFlip().map(flipped);
    const { code, stdout } = await run(["check", "--json", backup, ...files]);
    expect(code).toBe(1);
    const { ok, backups } = JSON.parse(stdout) as { ok: boolean; backups: Record<string, string>[] };
    expect({ ok, first: backups[0] }).toMatchObject({ ok: false, first: { file: backup, status: "ok" } });
    expect(backups.slice(1).map(({ status }) => status)).toEqual(files.map(() => "problem"));
    for (const { file = "", detail } of backups.slice(1)) {
      expect(detail).toMatch(
        /^\S+bit-\d+\.db is damaged: its (bytes are not those that were written; .|last line is missing)/,
      );
      expectRefused(await restoreTo("restored.db", file), 1, /is damaged: its (bytes|last line)/);
    }
    expect(existsSync(folder.file("restored.db"))).toBe(false);
  });

  test("names the table of a changed row", async () => {
    const at = readFileSync(backup).indexOf("About the 77th");
    expectRefused(
      await restoreTo("restored.db", flipped((at + 9) * 8)),
      1,
      /the rows of bookmarks differ\.\n$/,
    );
  });
});

test("A backup that was cut off or extended is refused", async () => {
  const { length } = readFileSync(backup);
  for (const [name, change] of [
    ["cut-1", (bytes: Buffer) => bytes.subarray(0, length - 1)],
    ["no-line", (bytes: Buffer) => bytes.subarray(0, length - (length % 4096))],
    ["half", (bytes: Buffer) => bytes.subarray(0, length / 2)],
    ["longer", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")])],
  ] as const)
    expectRefused(await restoreTo("restored.db", changed(`${name}.db`, change)), 1, /is damaged: /);
});

test("The checksum is compared by the usual tools as docs/operations.md says", async () => {
  const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const line =
    /`(head -c [^`]*sha256sum; tail [^`]*)`/.exec(page)?.[1]?.replaceAll("commonplace.db", backup) ?? "";
  const [own = "", written] = (await Bun.$`sh -c ${line}`.text()).split("\n");
  expect(own.slice(0, 64)).toBe(written ?? "");
});

test("A restored database is one like any other", async () => {
  expect(await restoreTo("again/commonplace.db", backup)).toMatchObject({ code: 0, stderr: "" });
  const again = `sqlite:${folder.file("again/commonplace.db")}`;
  inFile(again, (file) => {
    expect(file.prepare("select name from sqlite_schema where name like 'backup%'").all()).toEqual([]);
  });
  expect(readFileSync(folder.file("again/commonplace.db")).length % 4096).toBe(0);
  expect((await run(["check", "--database-url", again])).stdout).toMatch(/ok +integrity/);
});

test("A file that never had a checksum is restored with a warning", async () => {
  const plain = folder.file("plain.db");
  const database = new DatabaseSync(folder.file("data/commonplace.db"));
  database.exec(`vacuum into '${plain}'`);
  database.close();
  const says = /^\S+plain\.db has no checksum .* may go unnoticed\.\n$/;
  const { code, stderr } = await restoreTo("from-plain.db", plain);
  expect(code).toBe(0);
  expect(stderr).toMatch(says);
  const checked = await run(["check", plain]);
  expect(checked.code).toBe(0);
  expect(checked.stdout).toMatch(/^note +\S+plain\.db has no checksum/);
});

test("A backup that was put into place, and changed by a server, is restored as a file without a checksum", async () => {
  const used = folder.file("used.db");
  copyFileSync(backup, used);
  const server = await startServer({ DATABASE_URL: `sqlite:${used}` });
  await create(sendTo(server.url), { title: "since" });
  expect(await server.stop()).toBe(0);
  const { code, stdout, stderr } = await restoreTo("from-used.db", used);
  expect({ code, warns: /has no checksum/.test(stderr) }).toEqual({ code: 0, warns: true });
  expect(stdout).toContain("401 bookmarks");
});

test("check refuses what is no backup, and --repair with a backup", async () => {
  writeFileSync(folder.file("text.db"), "no database ".repeat(1_000));
  const { code, stdout } = await run(["check", backup, folder.file("text.db"), folder.file("nowhere.db")]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok .*whole\.db is as it was written: 400 bookmarks, 40 posts, 0 accounts\n/);
  expect(stdout).toMatch(/PROBLEM +\S+text\.db is not a backup: it is not a SQLite database\.\n/);
  expect(stdout).toMatch(/PROBLEM +\S+nowhere\.db does not exist\.\n$/);
  expectRefused(await run(["check", "--repair", backup]), 2, /--repair cannot be combined with a backup/);
});

/** A bookmark and an image, backed up by the program of commit fa370e7d, which digested bytes as text. */
test("A backup of an earlier version is verified in the form of its digests", async () => {
  const file = join(import.meta.dir, "../../data/backups/commit-fa370e7d.db.gz");
  const bytes = Buffer.from(Bun.gunzipSync(readFileSync(file)));
  const whole = folder.file("earlier.db");
  writeFileSync(whole, bytes);
  expect((await run(["check", whole])).stdout).toContain("is as it was written: 1 bookmark");
  const image = bytes.indexOf(Buffer.from(Array.from({ length: 256 }, (_, index) => index)));
  bytes.writeUInt8(7, image);
  writeFileSync(folder.file("changed.db"), bytes);
  expect((await run(["check", folder.file("changed.db")])).stdout).toContain(
    "the rows of media_forms differ",
  );
});
