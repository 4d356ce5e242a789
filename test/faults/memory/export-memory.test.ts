import { afterAll, beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { openDatabase } from "../../../src/database/open.ts";
import { insertImportedPosts } from "../../../src/posts/import/insert-imported-posts.ts";
import { COMMAND, temporaryFolder } from "../../support/server/server.ts";

const folder = temporaryFolder();
const FEW = 5_000;
const MANY = 30_000;

/** The allowed growth of memory for six times as many posts. The garbage collector needs it, not the posts. */
const LEEWAY = 1.25;

beforeAll(async () => {
  for (const count of [FEW, MANY]) await fillDatabase(count);
});

afterAll(() => folder[Symbol.dispose]());

for (const format of ["archive", "json"])
  test(`An export as ${format} takes no more memory when there are six times as many posts`, async () => {
    const few = await peakOf(FEW, format);
    expect((await peakOf(MANY, format)) / few).toBeLessThan(LEEWAY);
  });

function databaseUrl(count: number): string {
  return `sqlite:${folder.file(`${count}.db`)}`;
}

async function fillDatabase(count: number): Promise<void> {
  const database = await openDatabase(databaseUrl(count));
  await database.write(async (sql) => {
    for (let first = 1; first <= count; first += 100)
      await insertImportedPosts(
        sql,
        Array.from({ length: 100 }, (_, index) => postOf(first + index)),
      );
  });
  await database.close();
}

function postOf(id: number): Parameters<typeof insertImportedPosts>[1][number] {
  const date = new Date(1_500_000_000_000 + id * 1_000_000);
  return {
    ...{ id, title: `Post ${id}`, content: `Hello, ${id}. `.repeat(50), published: true, version: 1 },
    ...{ createdAt: date, updatedAt: date, publishedAt: date, createdBy: null },
    ...{ kind: "post", slug: `post-${id}-with-a-longer-name`, summary: null, tags: ["notes"] },
    ...{
      language: null,
      link: null,
      publishAt: null,
      image: null,
      canonicalUrl: null,
      publicationVersion: 1,
    },
    ...{ formerSlugs: [], redirects: [], properties: {} },
  };
}

/** The peak memory of an export, in bytes. */
async function peakOf(count: number, format: string): Promise<number> {
  const child = Bun.spawn(
    [
      COMMAND,
      "export",
      folder.file(`${count}.${format}`),
      "--format",
      format,
      "--database-url",
      databaseUrl(count),
    ],
    { cwd: tmpdir(), env: { PATH: process.env.PATH ?? "" }, stdout: "ignore", stderr: "ignore" },
  );
  expect(await child.exited).toBe(0);
  return child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY;
}
