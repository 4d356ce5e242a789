import { expect, test } from "bun:test";
import { PreviewCache } from "../../../src/bookmarks/import/preview-cache.ts";
import type { StagedSite } from "../../../src/transfer/import/staged-site.ts";
import { readFor } from "../../../src/transfer/pages/import-page.tsx";
import { en } from "../../../src/web/messages/en.ts";
import { zipOf } from "../../support/files/zip.ts";
import { startApp } from "../../support/server/app.ts";

const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);
/** Words that cannot be compressed. */
const words = (index: number, count: number) =>
  Array.from({ length: count }, (_, word) => Bun.hash(`${index} ${word}`).toString(36)).join(" ");
const FILES = {
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

test.each(Object.entries(FILES))(
  "the share of %s that is read grows with the reading",
  async (fileName, make) => {
    const app = await startApp();
    const previews = new PreviewCache<StagedSite>(() => 0);
    const bytes = await make();
    const shares: number[] = [];
    const read = readFor({ database: app.database, previews }, { key: "k", fileName }, bytes, en);
    const count = await read(({ done, total }) => {
      if (done !== undefined && total !== undefined) shares.push(done / total);
    }, new AbortController().signal);
    previews.drop("k");
    await app.close();
    expect(count).toBe(ITEMS.length);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    for (const tenth of [2, 4, 6])
      expect(shares.some((share) => tenth / 10 <= share && share < (tenth + 2) / 10)).toBe(true);
  },
);
