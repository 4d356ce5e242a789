import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { COMMAND, temporaryFolder } from "../../support/server/server.ts";

const MEBIBYTE = 1024 * 1024;

/** The allowed growth of memory for a file three times as large. The garbage collector needs it, not the file. */
const LEEWAY = 40 * MEBIBYTE;

/** The small file is large enough that the program has compiled itself and filled its buffers. */
const ROWS = { small: 10_000, large: 30_000 };

test("An import takes no more memory when its file has three times as many bookmarks", async () => {
  using folder = temporaryFolder();
  const small = await peakOf(folder, ROWS.small, ordinary);
  expect((await peakOf(folder, ROWS.large, ordinary)) - small).toBeLessThan(LEEWAY);
});

const hostile: Readonly<Record<string, (index: number) => string>> = {
  "has one address and tags of its own": (index) =>
    `<DT><A HREF="https://example.com/" TAGS="tag${index},other${index}">An article</A>\n`,
  "has one address and a title of its own": (index) =>
    `<DT><A HREF="https://example.com/" TAGS="web">An article, number ${index}</A>\n`,
  "has tags of its own that change": (index) =>
    `<DT><A HREF="https://example.com/${index}" TAGS="##,tag${index},${index}">An article</A>\n`,
};

for (const [what, row] of Object.entries(hostile))
  test(`nor when each of its rows ${what}`, async () => {
    using folder = temporaryFolder();
    const small = await peakOf(folder, ROWS.small, row);
    expect((await peakOf(folder, ROWS.large, row)) - small).toBeLessThan(LEEWAY);
  });

function ordinary(index: number): string {
  return `<DT><A HREF="https://example.com/articles/${index}/with-a-longer-path?x=${index * 7}"
      ADD_DATE="${1_500_000_000 + index}" TAGS="web,dev,tag${index % 50}">An article, number ${index}</A>\n`;
}

/** The peak memory of an import with the given number of rows, in bytes. */
async function peakOf(
  folder: ReturnType<typeof temporaryFolder>,
  count: number,
  row: (index: number) => string,
): Promise<number> {
  const file = folder.file(`${count}.html`);
  const rows = Array.from({ length: count }, (_, index) => row(index));
  await Bun.write(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${rows.join("")}</DL>\n`);
  const child = Bun.spawn(
    [COMMAND, "import", file, "--database-url", `sqlite:${folder.file(`${count}.db`)}`],
    {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH ?? "" },
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  expect(await child.exited).toBe(0);
  return child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY;
}
