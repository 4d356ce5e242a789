import { sampleBookmarks } from "../data/sample-bookmarks.ts";
import type { Row } from "../row.ts";
import { COMMAND, settingsFor } from "../stage.ts";

const COUNT = 100_000;

/** Bookmarks per folder of the file. */
const FOLDER = 50;

export const importFile: Row = {
  name: "import",
  group: "bookmarks",
  figure: "import 100,000 bookmarks",
  unit: "s",
  goal: { atMost: 6 },
  rounds: 3,
  async prepare(stage) {
    const file = stage.file("bookmarks.html");
    await Bun.write(file, netscapeFile(COUNT));
    return {
      async ours() {
        const database = stage.file(`${crypto.randomUUID()}.db`);
        const started = performance.now();
        const output = await stage.run(
          [...stage.cores.any, ...COMMAND, "import", "--json", file],
          settingsFor(database),
        );
        const value = (performance.now() - started) / 1000;
        const { added } = JSON.parse(output);
        if (added !== COUNT) throw new Error(`import added ${added} of ${COUNT} bookmarks`);
        return { value };
      },
    };
  },
};

/** Bookmarks in the format that browsers export. */
function netscapeFile(count: number): string {
  const lines = [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
    "<TITLE>Bookmarks</TITLE>",
    "<H1>Bookmarks</H1>",
    "<DL><p>",
  ];
  let index = 0;
  for (const { title, url, description, createdAt } of sampleBookmarks(count)) {
    if (index % FOLDER === 0) {
      if (index > 0) lines.push("    </DL><p>");
      lines.push(`    <DT><H3>Folder ${index / FOLDER + 1}</H3>`, "    <DL><p>");
    }
    lines.push(
      `        <DT><A HREF="${url}" ADD_DATE="${Math.floor(createdAt.getTime() / 1000)}">${title}</A>`,
    );
    if (description !== "") lines.push(`        <DD>${description}`);
    index++;
  }
  return [...lines, "    </DL><p>", "</DL><p>", ""].join("\n");
}
