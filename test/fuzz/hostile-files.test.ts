import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StartError } from "../../src/errors.ts";
import type { RandomBytes } from "../../src/readers/files/file-tree.ts";
import { UnreadableFile } from "../../src/readers/files/unreadable-file.ts";
import { stageImport } from "../../src/transfer/stage-bookmarks.ts";
import * as files from "../support/files/bookmark-files.ts";
import { isFullRun, rounds } from "../support/run/full-run.ts";
import { countingModules, expectLinear } from "../support/steps/count-steps.ts";

const NOW = new Date("2026-11-21T06:40:12.345Z");
const OWN_CSV =
  'url,title,description,tags,folder,created_at\r\nhttps://example.com/,"a ""b""","c\r\nd",x y,A\\/B/C,2026-11-21T06:40:12.345Z\r\n';
const OWN_JSON =
  '{"program":"commonplace","bookmarks":[{"url":"https://example.com/","title":"t","description":"d #x","created_at":"2026-11-21T06:40:12.345Z","folders":["a"]}],"posts":[{"id":1}]}';
const SAMPLES = Object.entries({ ...files, OWN_CSV, OWN_JSON });

async function rowsOf(file: string | RandomBytes, stage = stageImport) {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  using staged = await stage("file", bytes, { now: NOW, tags: true });
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

describe("A hostile file", async () => {
  const counting = await countingModules<typeof import("../../src/transfer/stage-bookmarks.ts")>(
    import.meta.resolve("../../src/transfer/stage-bookmarks.ts"),
  );

  test.each(Object.entries(GROWING))("takes time that is linear in its length: %s", async (_, make) => {
    await expectLinear((length) => rowsOf(make(length), counting.stageImport).catch(() => {}), {
      length: 10_000,
    });
  });
});
