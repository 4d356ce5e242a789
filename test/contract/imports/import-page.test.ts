import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { FILES } from "../../../src/imports/reading-folder.ts";
import { Progress, readInFolder } from "../../../src/imports/reading-process.ts";
import { zipOf } from "../../support/files/zip.ts";
import { casesOf } from "../../support/run/full-run.ts";
import { temporaryFolder } from "../../support/server/server.ts";

const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);
/** Words that cannot be compressed. */
const words = (index: number, count: number) =>
  Array.from({ length: count }, (_, word) => Bun.hash(`${index} ${word}`).toString(36)).join(" ");
const BLOGS = {
  "blog.xml": async () =>
    Buffer.from(`<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>${ITEMS.map(
        (
          index,
        ) => `<item><title>${index}</title><wp:post_id>${index + 1}</wp:post_id><wp:post_type>post</wp:post_type>
          <wp:status>publish</wp:status><content:encoded>${words(index, 100)}</content:encoded></item>`,
      ).join("")}</channel></rss>`),
  "blog.zip": () =>
    zipOf(
      ITEMS.map((index) => [`posts/${1_000 + index}.md`, `---\ntitle: ${index}\n---\n${words(index, 50)}`]),
    ),
};

test.each(casesOf(Object.entries(BLOGS), 0))(
  "the share of %s that is read grows with the reading",
  async (fileName, make) => {
    using folder = temporaryFolder();
    const bytes = await make();
    writeFileSync(folder.file(FILES.input), bytes);
    const progress = new Progress(bytes.length);
    const shares: number[] = [];
    const order = { kind: "blog", fileName, now: 0 } as const;
    const count = await readInFolder(folder.path, order, {
      onMessage(message) {
        progress.tell(message);
        const { done, total } = progress.now;
        if (total > 0) shares.push(done / total);
      },
    });
    expect(count).toBe(ITEMS.length);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    for (const tenth of [2, 4, 6])
      expect(shares.some((share) => tenth / 10 <= share && share < (tenth + 2) / 10)).toBe(true);
  },
);
