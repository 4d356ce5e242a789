import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../../src/app/app.ts";
import { writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { Log } from "../../../src/log.ts";
import { countStream, listTitles } from "../../../src/posts/site-posts.ts";
import { watched } from "../../support/pages/site.ts";
import { engines } from "../../support/server/engines.ts";

/** What SQLite reads from its beginning to its end. Lists may follow an index, which ends at their limit, and so do matches of words. */
const SCAN = /^SCAN (?!.*USING|.*VIRTUAL TABLE INDEX 0:M|CONSTANT|\()/;
/** A row for each setting, account, tag or spelling: they do not grow with the bookmarks and posts. */
const SMALL = /^SCAN (meta|accounts|site_settings|counters|search_bookmarks_tag_counts|counted|used|dated)\b/;

describe("No page reads all rows of what grows", () => {
  const toEnd = new AsyncDisposableStack();
  const read = new Set<string>();
  let url = "";
  let get: (path: string) => Promise<number>;
  let readAuthor: () => Promise<void>;

  beforeAll(async () => {
    const [sqlite] = engines;
    if (sqlite === undefined) throw new Error("There is no engine.");
    url = toEnd.use(await sqlite.createDatabase()).url;
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    const reading = watched(database, async (text) => void read.add(text)).read;
    readAuthor = async () => {
      for (const filter of [{ author: 1 }, { author: 1, kind: "post" as const }]) {
        await countStream(reading, filter);
        await listTitles(reading, filter, { limit: 20, offset: 0 });
      }
    };
    const states = { unread: true, archived: false, shared: false };
    await writeBookmarks(database, new Date(), (writer) =>
      writer.insertMany(
        Array.from({ length: 30 }, (_, index) => ({
          title: `River ${index}`,
          url: `https://example.com/${index}`,
          description: "#deep",
          createdAt: new Date(),
          states: { ...states, archived: index % 3 === 0 },
        })),
      ),
    );
    const handle = createApp({
      config: readConfig({ DATABASE_URL: url, BOOKMARKS_ACCESS: "open" }),
      database: watched(database, async (text) => void read.add(text)),
      log: new Log({ level: "silent", format: "json" }),
    });
    get = async (path) =>
      (
        await handle(new Request(`http://localhost${path}`, { headers: { accept: "text/html" } }), {
          address: () => "127.0.0.1",
        })
      ).status;
  });
  afterAll(() => toEnd.disposeAsync());

  test.each([
    "/library",
    "/library?show=archived",
    "/library?show=unread",
    "/library?q=river",
    "/library/tags",
    "/",
    "/archive",
    "/bookmarks/?limit=5",
    "/api/tags/?limit=5",
    "/api/posts/",
    "/feed.atom",
  ])("%s", async (path) => {
    read.clear();
    expect([200, 303, 404]).toContain(await get(path));
    expect(steps((detail) => SCAN.test(detail) && !SMALL.test(detail))).toEqual([]);
  });

  test("nor sorts all posts of an author", async () => {
    read.clear();
    await readAuthor();
    expect(read.size).toBe(4);
    expect(steps((detail) => !detail.includes("INDEX posts_listed_by_author"))).toEqual([]);
  });

  /** What SQLite does for the statements that were read, such as a sort. */
  function steps(isWanted: (detail: string) => boolean): string[] {
    const file = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
    const found = [...read].flatMap((text) =>
      file
        .prepare(`explain query plan ${text.replace(/\bin \?/g, "in (?)")}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter(isWanted)
        .map((detail) => `${detail}: ${text.replace(/\s+/g, " ").trim()}`),
    );
    file.close();
    return found;
  }
});
