import { beforeAll, expect, test } from "bun:test";
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
      await site.database.write(
        (sql) => sql`
          with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MANY})
          insert into bookmarks (title, url, description, created_at, updated_at)
          select 'River ' || n, 'https://example.com/' || n, '', ${new Date()}, ${new Date()} from numbers`,
      );
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
  oneEngine,
);
