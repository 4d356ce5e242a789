import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StartError } from "../../src/errors.ts";
import { stageImport } from "../../src/transfer/bookmarks/read-bookmarks.ts";
import type { RandomBytes } from "../../src/transfer/files/file-tree.ts";
import { UnreadableFile } from "../../src/transfer/files/unreadable-file.ts";
import * as files from "../support/files/bookmark-files.ts";
import { startCpuTimer } from "../support/machine/cpu-time.ts";
import { isFullRun, rounds } from "../support/run/full-run.ts";

const NOW = new Date("2026-11-21T06:40:12.345Z");
const OWN_CSV =
  'url,title,description,tags,folder,created_at\r\nhttps://example.com/,"a ""b""","c\r\nd",x y,A\\/B/C,2026-11-21T06:40:12.345Z\r\n';
const OWN_JSON =
  '{"program":"commonplace","bookmarks":[{"url":"https://example.com/","title":"t","description":"d #x","created_at":"2026-11-21T06:40:12.345Z","folders":["a"]}],"posts":[{"id":1}]}';
const SAMPLES = Object.entries({ ...files, OWN_CSV, OWN_JSON });

async function rowsOf(file: string | RandomBytes) {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  using staged = await stageImport("file", bytes, { now: NOW, tags: true });
  return [...staged.rows.rows()].map(({ staged: row }) => row);
}

const FRAGMENTS = [
  ...[
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    ";",
    "\t",
    "|",
    "\\",
    "\\u0000",
    "\\ud800",
    "\\ufeff",
    "/",
    "\n",
    "\r",
  ],
  ...[
    "\0",
    "\ufeff",
    "null",
    "true",
    "1e999",
    "-0",
    "[]",
    "{}",
    '"children":[',
    '"__proto__":{"url":1},',
    "a,b",
    " / ",
  ],
  ...["<DL>", "<!--", '""', "PK\x03\x04", "é", "😀", "13111491857000000", "javascript:x", "place:x"],
];

/** Removes, moves or replaces a part of a text. */
const change = fc.record({
  from: fc.nat(10_000),
  length: fc.nat(40),
  to: fc.nat(10_000),
  text: fc.option(fc.constantFrom(...FRAGMENTS)),
});

describe("A changed file", () => {
  test.each(SAMPLES)("%s is read or refused, and every row has its position", async (_, sample) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        let file = sample;
        for (const { from, length, to, text } of changes) {
          const start = from % (file.length + 1);
          const cut = file.slice(0, start) + file.slice(start + length);
          const offset = to % (cut.length + 1);
          file = cut.slice(0, offset) + (text ?? sample.slice(start, start + length)) + cut.slice(offset);
        }
        const rows = await rowsOf(file).catch((error) => {
          // A damaged archive is a StartError: a text that begins as a zip file does is taken for one.
          if (error instanceof UnreadableFile || error instanceof StartError) return [];
          throw error;
        });
        for (const [index, { row, ...staged }] of rows.entries()) {
          expect(row.position).toBe(index + 1);
          expect([row.url, row.title, ...row.folders].every((text) => text.isWellFormed())).toBe(true);
          if (!("bookmark" in staged)) continue;
          expect(staged.bookmark.url).toMatch(/^https?:/);
          expect(staged.bookmark.createdAt.getTime()).not.toBeNaN();
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? rounds(5, 60)) },
    );
  });
});

describe("A file that is read in chunks", () => {
  test.each(SAMPLES)("has the same rows for any chunk boundaries: %s", async (_, sample) => {
    const bytes = Buffer.from(sample);
    const whole = await rowsOf(sample);
    for (const size of isFullRun ? [1, 2, 7, 64] : [7]) {
      const inPieces: RandomBytes = {
        size: bytes.length,
        readAt: (buffer, position) => bytes.copy(buffer, 0, position, position + size),
      };
      expect(await rowsOf(inPieces)).toEqual(whole);
    }
  });
});

const POST = '{"href":"https://example.com/","description":"';
const TREE = '{"typeCode":2,"type":"text/x-moz-place-container","children":[';

/** Files of growing size, each of a kind that takes a naive reader quadratic time. */
const GROWING: Readonly<Record<string, (n: number) => string>> = {
  "nested arrays": (n) => `[${POST}x","tags":${"[".repeat(n)}`,
  "nested folders": (n) => TREE.repeat(Math.min(n / 20, 2_000)) + "]}".repeat(n),
  "one folder of many": (n) =>
    `${TREE}${Array.from({ length: n / 20 }, () => '{"uri":"https://example.com/","type":"text/x-moz-place"}').join(",")}]}`,
  "many folders": (n) =>
    `${TREE}${Array.from({ length: n / 20 }, (_, i) => `${TREE}],"title":"${i}"}`).join(",")}]}`,
  "a long text": (n) => `[${POST}${"x".repeat(n * 5)}"}]`,
  "a text of escapes": (n) => `[${POST}${"\\u00e9\\n".repeat(n)}"}]`,
  "a text of letters": (n) => `[${POST}${"é".repeat(n)}"}]`,
  "many tags": (n) => `[${POST}x","tags":"${Array.from({ length: n / 10 }, (_, i) => `t${i}`).join(" ")}"}]`,
  "many members": (n) => `[${POST}x"${Array.from({ length: n / 10 }, (_, i) => `,"m${i}":1`).join("")}}]`,
  "a text without an end": (n) => `[${POST}${"x".repeat(n * 5)}`,
  "a quote without an end": (n) => `${files.POCKET}"${"x,\n".repeat(n)}`,
  "a field of quotes": (n) => `${files.POCKET}"${'""'.repeat(n)}",https://example.com/,1,,\n`,
  "quotes inside fields": (n) => `${files.POCKET}x${'"'.repeat(n)}\n`,
  "many columns": (n) => `title,url,time_added,tags,status${",c".repeat(n)}\nt,https://example.com/,1,,\n`,
  "many different columns": (n) =>
    `title,url,time_added,tags,status,${Array.from({ length: n / 10 }, (_, i) => `c${i}`).join()}\nt,https://example.com/,1,,\n`,
  "many short records": (n) => files.POCKET + ",\n".repeat(n / 20),
  "many empty lines": (n) => files.POCKET + "\n".repeat(n),
  "many fields": (n) => `${files.POCKET}${",".repeat(n)}\n`,
  "a folder of slashes": (n) =>
    `url,title,description,folder,created_at\nhttps://example.com/,t,,${"/".repeat(n)},2026-11-21T06:40:12.345Z\n`,
  "a folder of collections": (n) => files.RAINDROP.replace("Reading / Essays", "a / ".repeat(n / 10)),
};

describe("A hostile file", () => {
  const files = Object.entries(GROWING).filter((_, index) => isFullRun || index % 2 === 0);
  test.each(files)("takes time that is linear in its length: %s", async (_, make) => {
    const cost = async (n: number) => {
      const file = make(n);
      Bun.gc(true);
      const cpuTime = startCpuTimer();
      await rowsOf(file).catch(() => {});
      return cpuTime();
    };
    await cost(10_000);
    // Four times the length: linear time is four times as long, quadratic time sixteen times. Very short times are not judged.
    const bound = Math.max(8 * (await cost(75_000)), 150);
    // Other work on the machine only adds to a time, so the least of three is nearest to what the file costs.
    let long = await cost(300_000);
    for (let more = 2; more > 0 && long >= bound; more--) long = Math.min(long, await cost(300_000));
    expect(long).toBeLessThan(bound);
  });
});

const START = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="https://example.com/`;
const OWN = OWN_CSV.slice(0, OWN_CSV.indexOf("\n") + 1);

/** Files of a field that has a length, and goes on for ever. */
const LONG_FIELDS: Readonly<Record<string, (length: number) => string>> = {
  "an address": (length) => `${START}${"a".repeat(length)}">x</A>`,
  "a title": (length) => `${START}">${"a".repeat(length)}</A>`,
  "a title with markup": (length) => `${START}">${"a<b>".repeat(length / 4)}</A>`,
  "a description": (length) => `${START}">x</A><DD>${"a<br>".repeat(length / 5)}`,
  attributes: (length) =>
    `${START}" ${Array.from({ length: length / 10 }, (_, i) => `a${i}=1`).join(" ")}>x</A>`,
  "a string of JSON": (length) => `[${POST}${"a".repeat(length)}"}]`,
  "a string of escapes": (length) => `[${POST}${"\\u00e9".repeat(length / 6)}"}]`,
  "a list of JSON": (length) => `[${POST}","tags":[${'"a",'.repeat(length / 4)}"a"]}]`,
  "a quoted field": (length) => `${OWN}"${"a".repeat(length)}",t,,,,\n`,
  "the columns of a record": (length) => `${OWN}${",a".repeat(length / 2)}\n`,
};

describe("A field that is longer than any that is stored", () => {
  test.each(Object.entries(LONG_FIELDS))("is not kept: %s", async (_, make) => {
    const rows = await rowsOf(make(3_000_000)).catch(() => []);
    expect(JSON.stringify(rows).length).toBeLessThan(2_500_000);
  });

  test("ends a file when it is a tag or comment, and it is said where", async () => {
    for (const endless of [`<DT><A HREF="${"\n".repeat(5_000_000)}`, `<!--${"x".repeat(5_000_000)}`]) {
      const rows = await rowsOf(`${START}">x</A>\n${endless}\n<DT><A HREF="https://example.com/2">y</A>`);
      expect(rows.map(({ row }) => row.url).filter((url) => url !== "")).toEqual(["https://example.com/"]);
      expect(rows).toHaveLength(2);
    }
  });
});
