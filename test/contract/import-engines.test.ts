import { expect, test } from "bun:test";
import { join } from "node:path";
import { engines } from "../support/engines.ts";
import { run } from "../support/server.ts";

const EXPORT = join(import.meta.dir, "../data/bookmark-exports/firefox_nested.htm");

for (const engine of engines)
  test(`a real browser's export is imported, again, and over what is there (${engine.name})`, async () => {
    const place = await engine.createDatabase();
    const importIt = async (...words: string[]) => {
      const { code, stdout } = await run(["import", EXPORT, "--json", "--database-url", place.url, ...words]);
      const { added, updated, skipped, refused } = JSON.parse(stdout);
      return { code, added, updated, skipped, refused };
    };
    try {
      expect(await importIt("--dry-run")).toEqual({ code: 1, added: 21, updated: 0, skipped: 0, refused: 3 });
      expect(await importIt()).toEqual({ code: 1, added: 21, updated: 0, skipped: 0, refused: 3 });
      expect(await importIt()).toEqual({ code: 1, added: 0, updated: 0, skipped: 21, refused: 3 });
      expect(await importIt("--existing", "update", "--no-tags")).toEqual({
        code: 1,
        added: 0,
        updated: 20,
        // One stands in no folder and has no tags: nothing of it changes.
        skipped: 1,
        refused: 3,
      });
      expect(await importIt("--existing", "add")).toEqual({
        code: 1,
        added: 21,
        updated: 0,
        skipped: 0,
        refused: 3,
      });
    } finally {
      await place[Symbol.asyncDispose]();
    }
  });
