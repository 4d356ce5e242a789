import { beforeAll, expect, test } from "bun:test";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { Commands, expectRefused } from "../../support/machine/commands.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";

describeSite(
  "commonplace share",
  (site) => {
    const commands = new Commands(site);
    beforeAll(async () => {
      await commands.startServer();
      await commands.add("ada");
      const link = { title: "Night train", url: "https://train.example/", description: "A note. #travel" };
      await site.database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
    });
    const create = (...words: string[]) => commands.run(["share", "create", "ada", ...words]);

    test("create prints the address and nothing else; list and stop know its id", async () => {
      const ran = await create("#travel", "--title", "For Anna", "--notes", "--expires", "7d");
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(ran.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/shared\/[A-Za-z0-9]{22}\n$/);
      const { pathname } = new URL(ran.stdout.trim());
      const page = await commands.send(pathname);
      expect([page.status, (await page.text()).includes("A note.")]).toEqual([200, true]);

      const listed = await commands.run(["share", "list", "ada", "--json"]);
      const [row] = JSON.parse(listed.stdout) as { id: number; created_at: string; expires_at: string }[];
      expect(row).toMatchObject({ q: "#travel", title: "For Anna", notes: true });
      const days = (Date.parse(row?.expires_at ?? "") - Date.parse(row?.created_at ?? "")) / 86_400_000;
      expect(days).toBe(7);
      const stopped = await commands.run(["share", "stop", String(row?.id)]);
      expect([stopped.code, (await commands.send(pathname)).status]).toEqual([0, 404]);
      expectRefused(await commands.run(["share", "stop", String(row?.id)]), 1, /No shared list/);
    });

    test.each([
      ["a search that cannot be read", ['"open', "--title", "x"], 2, /quot/],
      ["a blank search", [" ", "--title", "x"], 2, /something to search for/],
      ["an empty title", ["#a", "--title", ""], 2, /--title: May not be empty/],
      ["a title of 201 characters", ["#a", "--title", "x".repeat(201)], 2, /--title: At most 200/],
      ["an end that is no time", ["#a", "--title", "x", "--expires", "soon"], 2, /--expires/],
    ] as [string, string[], 1 | 2, RegExp][])("create refuses %s", async (_, words, code, said) => {
      expectRefused(await create(...words), code, said);
    });

    test("refuses an account that does not exist", async () => {
      const words = ["share", "create", "nobody", "#a", "--title", "x"];
      expectRefused(await commands.run(words), 1, /No account nobody/);
    });
  },
  { on: oneEngine },
);
