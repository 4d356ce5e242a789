import { expect, test } from "bun:test";
import { Readable } from "node:stream";
import type { FileTree } from "../files/file-tree.ts";
import { StagedRecords } from "../import/staged-records.ts";
import { readMarkdown } from "./read-markdown.ts";

class AskedMap extends Map<string, number> {
  readonly asked: string[] = [];

  override has(path: string): boolean {
    this.asked.push(path);
    return super.has(path);
  }
}

test("A picture is looked for in folders only if a file has its name", async () => {
  const text = Buffer.from("---\ntitle: A\n---\n![](/moon.png) ![](/sun.png)\n");
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
  expect([...records.notes].filter(({ code }) => code === "picture_missing")).toHaveLength(2);
});
