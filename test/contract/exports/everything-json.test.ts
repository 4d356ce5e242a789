import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { messageOf } from "../../../src/errors.ts";
import { noneWritten, writeFullJson } from "../../../src/transfer/full-json/write-full-json.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import { archivedImage, archivedSites } from "../../support/files/archived-site.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { inMemory } from "../../support/files/zip.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { engines } from "../../support/server/engines.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

/** The JSON of a database, without the moment of its export. */
async function exported({ read }: Database): Promise<string> {
  const pieces = await Array.fromAsync(writeFullJson(read, noneWritten()));
  return pieces.join("").replace(/"exported_at":"[^"]*"/, '"exported_at":""');
}

/** A new database with an account ada and what a file has. */
async function withImported<T>(
  engine: (typeof engines)[number] | undefined,
  bytes: Uint8Array,
  use: (database: Database, report: NonNullable<Awaited<ReturnType<typeof importBytes>>>) => Promise<T>,
): Promise<T> {
  if (engine === undefined) throw new Error("there is no engine");
  await using place = await engine.createDatabase();
  const database = await openDatabase(place.url);
  try {
    await makeAccount(database, "ada");
    const report = await importBytes(database, bytes);
    if (report === undefined) throw new Error("no format knows this file");
    return await use(database, report);
  } finally {
    await database.close();
  }
}

test("Our JSON restores everything in it, on each engine and between engines", async () => {
  const image = await archivedImage();
  await fc.assert(
    fc.asyncProperty(archivedSites(image.record), async (site) => {
      const archive = await archiveOf(site, image.files);
      let text = await withImported(engines[0], archive, exported);
      expect(JSON.parse(text).marks).toHaveLength(site.mark.length);
      const isEmpty = site.post.length + site.mark.length === 0;
      for (const engine of isEmpty ? [] : [...engines, engines[0]])
        text = await withImported(engine, Buffer.from(text), async (database, report) => {
          expect(report).toMatchObject({ format: "everything", refused: 0, skipped: 0, notes: [] });
          const again = await exported(database);
          expect(again).toBe(text);
          return again;
        });
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

const WHEN = "2026-11-21T06:40:12.345Z";
const TIMES = { created_at: WHEN, updated_at: WHEN, created_by: null };
/** As version 0.1.0 wrote it first, without publications. */
const OLD = {
  ...{ program: "commonplace", version: "0.1.0", exported_at: WHEN },
  bookmarks: [{ id: 4, title: "Bun \ufeff", url: "https://bun.sh/", description: "Fast. #dev", ...TIMES }],
  posts: [
    {
      ...{ id: 7, title: "First light", content: "Hello.", published: true, published_at: WHEN, ...TIMES },
      comments: [
        { id: 3, author: "Bo", text: "Hi", status: "shown", created_at: WHEN, created_by: null },
        { id: 9, author: "Cy", text: "", status: "shown", created_at: WHEN, created_by: null },
      ],
    },
    { id: 8, title: "Draft", content: "", published: false, published_at: null, ...TIMES, comments: [] },
  ],
};

describe("Our JSON", () => {
  test("of an earlier version, reformatted, is imported with its ids and line numbers", async () => {
    const text = JSON.stringify(OLD, null, 2);
    for (const engine of engines)
      await withImported(engine, Buffer.from(text), async ({ read }, { rows, refused }) => {
        expect(refused).toBe(1);
        const line = text.split("\n").findIndex((found) => found.includes('"Cy"')) + 1;
        const [wrong] = rows.filter(({ outcome }) => outcome === "refused");
        expect([wrong?.kind, wrong?.title, (wrong?.line ?? 0) - line]).toEqual(["comment", "Cy", 5]);
        const posts = await read<{ id: number; slug: string | null }>`
          select id, slug from posts order by id`;
        expect(posts.map(({ id, slug }) => [Number(id), slug])).toEqual([
          [7, "first-light"],
          [8, null],
        ]);
        const others = await read<{ id: number }>`
          select id from bookmarks where title = ${"Bun \ufeff"} union all select id from comments where post_id = 7`;
        expect(others.map(({ id }) => Number(id))).toEqual([4, 3]);
      });
  });

  test("that is damaged is refused with the line", async () => {
    const text = JSON.stringify(OLD, null, 1);
    const refusal = (damaged: string) =>
      stageSite(inMemory(Buffer.from(damaged)), { fileName: "e.json", now: new Date() }).then(
        () => "read",
        messageOf,
      );
    const cut = text.slice(0, text.indexOf('"Cy"'));
    expect(await refusal(cut)).toMatch(
      new RegExp(
        `^e\\.json, line ${cut.split("\n").length}: The JSON is incomplete\\. Nothing was imported\\.$`,
      ),
    );
    const wrong = text.replace('"Hello."', "Hello");
    const at = wrong.slice(0, wrong.indexOf(": Hello")).split("\n").length;
    expect(await refusal(wrong)).toBe(`e.json, line ${at}: This is not JSON. Nothing was imported.`);
  });

  test("is imported as bookmarks only if it has neither posts nor marks, or with the flags for bookmarks", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("x.db")}` };
    writeFileSync(folder.file("all.json"), JSON.stringify(OLD));
    writeFileSync(folder.file("links.json"), JSON.stringify({ ...OLD, posts: [] }));
    const mark = { id: 2, bookmark: 4, quote: "Fast.", ...TIMES };
    writeFileSync(folder.file("marks.json"), JSON.stringify({ ...OLD, posts: [], marks: [mark, mark] }));
    const formatOf = async (...words: string[]) => {
      const { stdout } = await run(["import", ...words, "--dry-run", "--json"], { env });
      const { format, added } = JSON.parse(stdout);
      return [format, added];
    };
    expect(await formatOf(folder.file("all.json"))).toEqual(["everything", 4]);
    expect(await formatOf(folder.file("links.json"))).toEqual(["commonplace-json", 1]);
    expect(await formatOf(folder.file("marks.json"))).toEqual(["everything", 3]);
    expect(await formatOf(folder.file("all.json"), "--existing", "update")).toEqual(["commonplace-json", 1]);
    const { stdout } = await run(["import", folder.file("marks.json"), "--existing", "update"], { env });
    expect(stdout).toContain("not its 2 marks:");
  });
});
