import { expect, test } from "bun:test";
import { Readable } from "node:stream";
import { StagedRecords } from "../../transfer/import/staged-records.ts";
import type { FileTree } from "../files/file-tree.ts";
import { readMarkdown } from "./read-markdown.ts";

class AskedMap extends Map<string, number> {
  readonly asked: string[] = [];

  override has(path: string): boolean {
    this.asked.push(path);
    return super.has(path);
  }
}

test("A picture is looked for in folders only if a file has its name; the missing ones are in one note", async () => {
  const text = Buffer.from(
    "---\ntitle: A\nimage: no.png\n---\n![](/moon.png) ![](/sun.png) ![](/a.png) ![](/b.png) ![](/a.png)\n",
  );
  const sizes = new AskedMap([
    ["blog/a.md", text.length],
    ["elsewhere/sun.png", 1],
  ]);
  await using tree: FileTree = {
    sizes,
    leftOut: [],
    stream: async () => Readable.from([text]),
    [Symbol.asyncDispose]: async () => {},
  };
  using records = new StagedRecords();
  await readMarkdown(tree, records, new Date("2026-11-22T10:00:00Z"));
  expect(sizes.asked.filter((path) => path.endsWith("moon.png"))).toEqual([]);
  expect(sizes.asked).toContain("static/sun.png");
  const missing = [...records.notes].filter(({ code }) => code === "picture_missing");
  expect(missing.map(({ detail }) => detail)).toEqual([
    "4 pictures are not among the files: /moon.png, /sun.png, /a.png, and 1 more. Their links are unchanged.",
    "1 picture is not among the files: no.png. Its post has no cover.",
  ]);
});
