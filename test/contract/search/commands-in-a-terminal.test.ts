import { beforeAll, expect, test } from "bun:test";
import { writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { Commands } from "../../support/machine/commands.ts";
import { Terminal } from "../../support/machine/terminal.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";

const MANY = 5_001;

describeSite(
  "commonplace search on a terminal",
  (site) => {
    const commands = new Commands(site);
    const search = (...words: string[]) => new Terminal(["search", ...words], commands.env);
    beforeAll(async () => {
      const bookmarks = Array.from({ length: MANY }, (_, index) => ({
        title: `River ${index + 1}`,
        url: `https://example.com/${index + 1}`,
        description: "",
        createdAt: new Date(),
      }));
      await writeBookmarks(site.database, new Date(), async (writer) => {
        for (let first = 0; first < MANY; first += 50)
          await writer.insertMany(bookmarks.slice(first, first + 50));
      });
      // As after an upgrade that changes the index.
      await site.database.write((sql) => sql`update search_bookmarks set version = -1`);
    });

    test("shows the progress of indexing many new bookmarks", async () => {
      using terminal = search("river", "5001");
      await terminal.shows("Indexing new bookmarks");
      expect(await terminal.exited).toBe(0);
      expect(terminal.output).toContain("River 5001");
    });

    test("says without color how many it found", async () => {
      using terminal = search("river", "17");
      expect(await terminal.exited).toBe(0);
      expect(terminal.output).toEndWith("\r\n1 found.\r\n");
      expect(terminal.output).not.toContain("\u001b");
    });
  },
  { on: oneEngine },
);
