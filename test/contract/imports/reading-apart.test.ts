import { afterEach, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../src/bookmarks/bookmarks-by-url.ts";
import { messageOf } from "../../../src/errors.ts";
import type { BookmarkPreview } from "../../../src/imports/bookmarks/preview.ts";
import { FILES } from "../../../src/imports/reading-folder.ts";
import {
  needsProcess,
  type ReadingWatch,
  readInFolder,
  useReader,
} from "../../../src/imports/reading-process.ts";
import type { UploadKind } from "../../../src/imports/uploads.ts";
import { UnreadableFile } from "../../../src/readers/files/unreadable-file.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { childrenOf, isAlive } from "../../support/server/processes.ts";
import { temporaryFolder } from "../../support/server/server.ts";

const ROOT = join(import.meta.dir, "../../..");
const READER = join(import.meta.dir, "../../support/given/misbehaving-reader.ts");
const KIB = 1024;
const FILE = new TextEncoder().encode(
  "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p></DL>\n".padEnd(100 * KIB),
);
const numbers = Array.from({ length: 3_000 }, (_, index) => index);
const order = { kind: "bookmarks", fileName: "a.html", now: 0 } as const;

const misbehaving = (what: string) => [process.execPath, READER, what];
const read = async (watch: ReadingWatch = {}) => {
  using folder = temporaryFolder();
  writeFileSync(folder.file(FILES.input), FILE);
  return await readInFolder(folder.path, order, watch);
};

describe("A file that is read in a process of its own", () => {
  useRealTimeLimits();
  afterEach(() => useReader({}));

  test.each([
    ["computes", "takes too long to read"],
    ["waits", "takes too long to read"],
    ["grows", "takes too much memory to read"],
    ["crashes", "cannot be read: its reader has failed"],
  ])("is refused in words when its reader %s, and the next one is read", async (what, reason) => {
    // One that grows or crashes must not be ended for its time instead, on a machine that is slow.
    const seconds = reason.includes("too long") ? 1 : 120;
    useReader({ program: misbehaving(what), seconds, patience: seconds, memory: 300 * KIB * KIB });
    const refused = await read().then(
      () => undefined,
      (error) => error,
    );
    expect(refused).toBeInstanceOf(UnreadableFile);
    expect(refused.reason).toBe(reason);
    useReader({});
    expect(await read()).toBe(0);
  });

  test("is read wherever the program is, also in a folder whose name has spaces and accents", () => {
    using folder = temporaryFolder();
    const program = folder.file("à la carte 100%25");
    for (const part of ["src", "package.json", "tsconfig.json"])
      cpSync(join(ROOT, part), join(program, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(program, "node_modules"));
    writeFileSync(folder.file(FILES.input), FILE);
    const script = `const { readInFolder } = await import(${JSON.stringify(join(program, "src/imports/reading-process.ts"))});
      console.log(await readInFolder(${JSON.stringify(folder.path)}, ${JSON.stringify(order)}, {}));`;
    const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: program });
    expect([stdout.toString(), stderr.toString()]).toEqual(["0\n", ""]);
  });

  test("has its import planned there: it asks which bookmarks exist, and learns no text of them", async () => {
    using folder = temporaryFolder();
    const rows = numbers.map((n) => `<DT><A HREF="https://x.example/${n}">No. ${n}</A>`);
    writeFileSync(
      folder.file(FILES.input),
      `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("\n")}</DL>`,
    );
    const asked: string[] = [];
    const fields = { title: "No. 1", url: "https://x.example/1", description: "secret" };
    const find = async (urls: readonly string[]) => {
      asked.push(...urls);
      return new Map([[fields.url, { id: 7, version: 2, digest: digestOf(fields), fields }]]);
    };
    expect(await readInFolder(folder.path, order, { find })).toBe(numbers.length);
    expect(new Set(asked)).toEqual(new Set(numbers.map((n) => `https://x.example/${n}`)));
    const previews = JSON.parse(readFileSync(folder.file(FILES.previews), "utf8"));
    expect(previews.map((one: BookmarkPreview) => [one.added, one.updated, one.skipped])).toEqual([
      [2_999, 0, 1],
      [2_999, 1, 0],
      [2_999, 0, 1],
      [2_999, 1, 0],
    ]);
    expect(readFileSync(folder.file(FILES.found), "utf8")).not.toContain("secret");
  });

  test.each([
    ["more URLs than one statement looks up", Array(20_001).fill("https://x.example/")],
    ["a URL that is none", ["x".repeat(501)]],
    ["what is no list", { length: 3 }],
  ])("is ended when it asks for %s", async (_, wanted) => {
    useReader({ program: misbehaving("asks") });
    using folder = temporaryFolder();
    writeFileSync(folder.file(FILES.input), FILE);
    writeFileSync(folder.file(FILES.wanted), JSON.stringify(wanted));
    let asked = 0;
    const find = async () => {
      asked++;
      return new Map();
    };
    await expect(readInFolder(folder.path, order, { find })).rejects.toThrow("its reader has failed");
    expect(asked).toBe(0);
  });

  test("ends with the wish to read it", async () => {
    useReader({ program: misbehaving("waits") });
    const abort = new AbortController();
    // What earlier tests have started may still be ending.
    const others = new Set(childrenOf(process.pid));
    const pids: number[] = [];
    const reading = read({
      signal: abort.signal,
      onMessage: () => {
        pids.push(...childrenOf(process.pid).filter((pid) => !others.has(pid)));
        abort.abort();
      },
    });
    expect(await reading.catch(messageOf)).toContain("abort");
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("is any blog, any archive, and a plain file of bookmarks of more than 64 KiB or 2,000 rows", () => {
    using folder = temporaryFolder();
    const isApart = (bytes: Uint8Array, kind: UploadKind = "bookmarks") => {
      const path = folder.file("file");
      writeFileSync(path, bytes);
      return needsProcess(path, kind);
    };
    expect(isApart(new Uint8Array(64 * KIB))).toBe(false);
    expect(isApart(new Uint8Array(1), "blog")).toBe(true);
    expect(isApart(new Uint8Array(64 * KIB + 1))).toBe(true);
    expect(isApart(new TextEncoder().encode("PK\u0003\u0004"))).toBe(true);
    expect(isApart(new Uint8Array([0x1f, 0x8b, 0x08]))).toBe(true);
    for (const row of ["a\n", "a\r", "<a>", "{},", "[],"]) {
      const rows = (count: number) => isApart(new TextEncoder().encode(row.repeat(count)));
      expect([row, rows(2_000), rows(2_001)]).toEqual([row, false, true]);
    }
  });
});
