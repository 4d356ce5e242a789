import { expect, test } from "bun:test";
import { fragment } from "../../src/database/fragment.ts";
import { openDatabase } from "../../src/database/open.ts";
import { describeContract } from "../support/contract.ts";

/** What means something to FTS5, to tsquery, to SQL or to nobody. */
const HOSTILE = [
  ...[
    "NEAR(",
    "NEAR(a b, 3)",
    "^a",
    "a:*",
    "a <-> b",
    "a & b",
    "a | b",
    "!a",
    "'",
    "''",
    "\\",
    "\\'",
    "a\\",
    "*",
    "**",
    "a*b",
  ],
  ...[
    "{title}: a",
    "title : a",
    "- ",
    "--",
    "-- a",
    "/* a",
    ";",
    "a;drop table bookmarks",
    "%",
    "_",
    "?",
    "$1",
    "${",
  ],
  ...[
    "\u0000",
    "\u0000a",
    "\ufffe",
    "\u202e",
    "😀",
    "e\u0301".repeat(100),
    "a".repeat(1_000),
    "京".repeat(1_000),
  ],
  ...[
    "@",
    "=2025",
    "#",
    "##",
    "#=",
    "#%",
    ":a",
    ".a",
    "~",
    "~ ~",
    "#*",
    "#'",
    '#"',
    "site:",
    "site:%",
    "site:[",
    "tag:=",
    "tag:#",
  ],
  ...[
    "after:0000",
    "before:9999-12-31",
    "on:0001-01-01",
    "after:9999",
    "before:0000-01",
    "on:2024-02-30",
    "after:-1",
  ],
  ...[
    "a OR before:0000",
    "NOT after:9999",
    "(((((((a)))))))",
    '"',
    '""',
    '"*',
    "()",
    "(())",
    "( )",
    "-()",
    "a -(",
    "OR",
    "AND NOT",
  ],
  ...["http://", "https://[", "https://%", "http://a b", "https://example.com/%ff%00", "\ud800", "a\udc00b"],
];

describeContract("Hostile queries", (service) => {
  test.each(HOSTILE)("%j is answered with bookmarks or 422", async (query) => {
    for (const path of [
      "/bookmarks/?q=",
      "/bookmarks/search?q=",
      "/bookmarks/suggest?q=",
      "/api/posts/?search=",
    ]) {
      const response = await service.send(path + encodeURIComponent(query.toWellFormed()));
      const text = await response.text();
      expect([200, 422], `${path}${query}: ${text}`).toContain(response.status);
      expect(text).not.toMatch(/syntax|fts5|tsquery|select |SQLITE/i);
    }
  });

  test("bytes that are no text, and queries of every length, are answered", async () => {
    for (const raw of [
      "%ff",
      "%00",
      "%",
      "%e2%82",
      "+".repeat(500),
      "%22".repeat(333),
      "a+".repeat(32),
      "%28".repeat(400),
    ]) {
      const response = await service.send(`/bookmarks/?q=${raw}`);
      expect([200, 422]).toContain(response.status);
    }
  });

  test("an index that is gone is made anew by the next search", async () => {
    const made = await service.send("/bookmarks/", {
      method: "POST",
      json: { title: "Phoenix", url: "https://example.com/phoenix" },
    });
    const { id } = (await made.json()) as { id: number };
    const find = async () =>
      (await (await service.send("/bookmarks/?q=phoenix&limit=5")).json()) as { id: number }[];
    expect((await find()).map((bookmark) => bookmark.id)).toEqual([id]);
    const database = await openDatabase(service.databaseUrl);
    try {
      const table =
        database.engine === "sqlite" ? fragment`search_bookmarks_words` : fragment`search_bookmarks`;
      await database.write((sql) => sql`drop table ${table}`);
      await database.write((sql) => sql`update counters set n = n + 1 where name = 'bookmarks:changes'`);
    } finally {
      await database.close();
    }
    expect((await find()).map((bookmark) => bookmark.id)).toEqual([id]);
  });
});
